package examples

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var kills = flag.Int("kills", 5, "how often the queue server is killed")

// queueServer is a server that can be killed and started again, on another port
// each time.
type queueServer struct {
	dir     string
	address atomic.Value
	cmd     *exec.Cmd
	lines   *bufio.Scanner
}

func newQueueServer(t *testing.T) *queueServer {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be asked to end there")
	}
	s := &queueServer{dir: t.TempDir()}
	s.start(t)
	s.ready(t)
	return s
}

func (s *queueServer) start(t *testing.T) {
	s.cmd = exec.Command(binary, "run", "queue_server/server.rnl", "--address", "127.0.0.1:0", "--dir", s.dir, "--attempts", "1000000")
	out, err := s.cmd.StdoutPipe()
	require.NoError(t, err)
	s.cmd.Stderr = s.cmd.Stdout
	require.NoError(t, s.cmd.Start())
	s.lines = bufio.NewScanner(out)
}

// ready waits until the server listens.
func (s *queueServer) ready(t *testing.T) {
	require.True(t, s.lines.Scan(), "the server has ended at its start")
	address, ok := strings.CutPrefix(s.lines.Text(), "listening on ")
	require.True(t, ok, s.lines.Text())
	s.address.Store(address)
}

func (s *queueServer) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// queueClient asks one line after the other, over as many connections as it takes.
type queueClient struct {
	server *queueServer
	conn   net.Conn
	lines  *bufio.Scanner
}

// ask returns the words of the answer, none when the connection is lost.
func (c *queueClient) ask(format string, args ...any) []string {
	if c.conn == nil {
		address, _ := c.server.address.Load().(string)
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err != nil {
			time.Sleep(2 * time.Millisecond)
			return nil
		}
		c.conn, c.lines = conn, bufio.NewScanner(conn)
	}
	if _, err := fmt.Fprintf(c.conn, format+"\n", args...); err != nil || !c.lines.Scan() {
		c.conn.Close()
		c.conn = nil
		return nil
	}
	return strings.Fields(c.lines.Text())
}

// ledger is what clients know of the jobs.
type ledger struct {
	sync.Mutex
	texts  map[string]string // of the jobs that were accepted, by their numbers
	done   map[string]int    // the attempt whose ACK was answered with OK
	maybe  map[string]bool   // an ACK was sent and its answer lost
	leases int
	wrong  []string
}

func (l *ledger) accepted(id, text string) {
	l.Lock()
	defer l.Unlock()
	if old, ok := l.texts[id]; ok {
		l.wrong = append(l.wrong, fmt.Sprintf("job %s is %s, and then %s", id, old, text))
	}
	l.texts[id] = text
}

func (l *ledger) leased(id string, attempt int, text string) {
	l.Lock()
	defer l.Unlock()
	l.leases++
	if done, ok := l.done[id]; ok && attempt > done {
		l.wrong = append(l.wrong, fmt.Sprintf("job %s was done at attempt %d and leased at %d", id, done, attempt))
	}
	if known, ok := l.texts[id]; ok && known != text {
		l.wrong = append(l.wrong, fmt.Sprintf("job %s is %s, and was %s", id, text, known))
	}
}

func (l *ledger) acked(id string, attempt int) {
	l.Lock()
	defer l.Unlock()
	l.done[id] = attempt
}

func (l *ledger) unsure(id string) {
	l.Lock()
	defer l.Unlock()
	l.maybe[id] = true
}

// ahead is how many jobs are to be done still, but for those whose answers were lost.
func (l *ledger) ahead() int {
	l.Lock()
	defer l.Unlock()
	return len(l.texts) - len(l.done) - len(l.maybe)
}

// put puts jobs until it is told to stop.
func (l *ledger) put(c *queueClient, name int, stop *atomic.Bool) {
	for n := 0; !stop.Load(); n++ {
		if l.ahead() > 200 { // workers have their part of the machine
			time.Sleep(time.Millisecond)
			continue
		}
		text := fmt.Sprintf("job-%d-%d", name, n)
		if answer := c.ask("PUT work %s", text); len(answer) == 2 && answer[0] == "OK" {
			l.accepted(answer[1], text)
		}
	}
}

// work leases jobs and does most of them; some it gives back, some it forgets.
func (l *ledger) work(t *testing.T, c *queueClient, stop *atomic.Bool) {
	for !stop.Load() {
		answer := c.ask("LEASE work 300ms 50ms")
		if len(answer) < 4 || answer[0] != "JOB" {
			continue
		}
		switch dice := rand.IntN(20); dice {
		case 0: // forgotten
			l.leased(answer[1], number(t, answer[2]), answer[3])
		case 1:
			l.leased(answer[1], number(t, answer[2]), answer[3])
			c.ask("RETURN work %s %s", answer[1], answer[2])
		default:
			l.finish(t, c, answer)
		}
	}
}

// finish has a leased job done.
func (l *ledger) finish(t *testing.T, c *queueClient, job []string) {
	attempt := number(t, job[2])
	l.leased(job[1], attempt, job[3])
	for {
		switch answer := c.ask("ACK work %s %s", job[1], job[2]); {
		case answer == nil: // was it heard?
			l.unsure(job[1])
			continue
		case answer[0] == "OK":
			l.acked(job[1], attempt)
		}
		return
	}
}

func number(t *testing.T, word string) (n int) {
	_, err := fmt.Sscan(word, &n)
	assert.NoError(t, err)
	return n
}

// drain does what is left, until there is nothing.
func (l *ledger) drain(t *testing.T, c *queueClient) {
	var count []string
	for end := time.Now().Add(30 * time.Second); strings.Join(count, " ") != "COUNT 0 0 0"; {
		require.True(t, time.Now().Before(end), "the queue does not get empty: %v", count)
		if answer := c.ask("LEASE work 300ms"); len(answer) == 4 {
			l.finish(t, c, answer)
		} else {
			count = c.ask("COUNT work")
		}
	}
}

// However often the server is killed, no job is lost that it has accepted, and
// none is handed out after the OK of its ACK. Run it with -kills 200.
func TestQueueServerIsKilled(t *testing.T) {
	s := newQueueServer(t)
	l := &ledger{texts: map[string]string{}, done: map[string]int{}, maybe: map[string]bool{}}
	var stop atomic.Bool
	var clients sync.WaitGroup
	for i := range 4 {
		clients.Go(func() { l.put(&queueClient{server: s}, i, &stop) })
		clients.Go(func() { l.work(t, &queueClient{server: s}, &stop) })
	}
	early := 0
	for range *kills {
		if rand.IntN(4) == 0 { // it may not have read its journal yet
			early++
			time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
		} else {
			if s.address.Load() == "" {
				s.ready(t)
			}
			time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond)
		}
		s.kill()
		s.address.Store("")
		s.start(t)
	}
	if s.address.Load() == "" {
		s.ready(t)
	}
	stop.Store(true)
	clients.Wait()
	l.drain(t, &queueClient{server: s})

	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	require.True(t, s.lines.Scan())
	require.Equal(t, "stopped", s.lines.Text())
	require.NoError(t, s.cmd.Wait())
	s.start(t)
	s.ready(t)
	require.Equal(t, []string{"COUNT", "0", "0", "0"}, (&queueClient{server: s}).ask("COUNT work"))
	s.kill()

	require.Empty(t, l.wrong)
	unsure := 0
	for id, text := range l.texts {
		if _, ok := l.done[id]; !ok {
			require.True(t, l.maybe[id], "job %s, %s, was accepted and is lost", id, text)
			unsure++
		}
	}
	t.Logf("%d kills, %d of them early: %d jobs accepted, %d leases, %d acked, %d whose ACK has lost its answer",
		*kills, early, len(l.texts), l.leases, len(l.done), unsure)
}

// At a SIGTERM requests in hand are answered, also that of one who waits for a job.
func TestQueueServerStops(t *testing.T) {
	s := newQueueServer(t)
	c, waiting := &queueClient{server: s}, &queueClient{server: s}
	require.Equal(t, []string{"OK", "1"}, c.ask("PUT work one"))
	answer := make(chan []string)
	go func() { answer <- waiting.ask("LEASE other 1s 1h") }()
	require.Eventually(t, func() bool { return strings.Join(c.ask("COUNT other"), " ") == "COUNT 0 0 0" }, time.Minute, time.Millisecond)
	time.Sleep(20 * time.Millisecond)
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	require.Equal(t, []string{"NONE"}, <-answer)
	require.NoError(t, s.cmd.Wait())
}
