package hostile_test

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

var (
	longTexts = flag.Int("longtexts", 1, "MiB of the long texts that the library reads in a test")
	longUnits = flag.Int("longunits", 1, "how many of the ten kinds of long texts each reader is given")
)

// readers are what the library makes of a text that it is given.
var readers = strings.Fields(`
	int(s) float(s) str(bytes(s)) s.parse<int>() s.parse<float>() s.parse_int() s.parse_int(16) s.parse_float() s.parse_duration()
	s.pad_left(3,s) "x".repeat(s.len()<<20) bytes(s)[..s.len()+1] assert(s=="x")
	json.decode<int>(s) json.decode<float>(s) json.decode<duration>(s) json.decode<str>(s) json.decode<bytes>(s) json.decode<E>(s)
	json.decode<[int]>(s) json.decode<S>(s) json.parse(s) json.parse("["+s) json.decode<duration>("\""+s+"\"") json.decode<E>("\""+s+"\"")
	json.decode<int>("\""+s+"\"") json.decode<float>("-"+s) json.decode<int>("1e"+s) json.decode<map<int,int>>("{\""+s+"\":1}")
	json.decode<S>("{\""+s+"\":1}") json.parse("{\""+s+"\":x}") json.decode<map<E,int>>("{\""+s+"\":1}") json.parse("\""+s)
	json.decode<bytes>("\""+s+"\"")
	json.items<int>([s].iter(),at:[s]).next() json.lines<int>([s].iter()).next()
	yaml.parse(s) yaml.decode<int>(s) yaml.decode<duration>(s) yaml.decode<E>(s) yaml.parse("a:~"+s) yaml.parse("!!int~"+s)
	toml.parse(s) toml.parse("a="+s) toml.parse("a=\""+s) toml.parse("["+s+"]") toml.decode<S>("a=\""+s+"\"")
	csv.parse(s) csv.parse("a",s) csv.decode<S>("a\n"+s) csv.decode<S>(s+"\n1") csv.decode<D>("d\n"+s) csv.decode<F>("f\n"+s) csv.decode<G>("e\n"+s)
	hex.decode(s) base64.decode(s) url.parse(s) url.parse("http://a:"+s) url.parse("http://"+s+"/") url.unescape(s) url.parse_query(s) uuid.parse(s) uuid.version(s)
	re.compile(s) re.compile("("+s) re.compile("["+s) re.find(s,"x") re.compile("a").replace("a",s)
	time.parse(s) time.parse("1",s) time.parse("%Y",s) time.parse(s,"%s") time.now().format(s) time.zone(s)
	template.parse(s) template.parse("{{~"+s+"~}}").render({"a":1}) template.parse("{{~a."+s+"~}}").render({"a":1}) template.parse("{{"+s)
	path.matches(s,"x") path.rel(s,"/x") path.rel("../x",s)
	text.pad("x",9,fill:s) text.words(s).len() text.normalize(s).len() log.parse_level(s)
	args.parse(S(1),"p",argv:["--a",s]) args.parse(D(1s),"p",argv:["--d",s]) args.parse(F(1.0),"p",argv:["--f",s]) args.parse(G(E.A),"p",argv:["--e",s]) args.parse(S(1),"p",argv:[s]) args.parse(S(1),"p",argv:["--"+s])
	args.parse(S(1),"p",help:{s:"x"},argv:[])
	crypto.check_password(s,s) crypto.check_password("x","$pbkdf2-sha256$"+s+"$AAAA$AAAA") crypto.sign(bytes(s),s) crypto.open(bytes(s),bytes(s)) crypto.seal(bytes(s),s)
	hash.new(hash.Algorithm.Sha256).update(s) fs.read(s) fs.open(s) fs.open("x",s) fs.glob(s) fs.rename(s,s) net.connect(s) net.connect(s+":1") net.split_address("a:"+s) net.lookup(s) net.listen(s)
	http.get(s) http.get("http://"+s+"/") process.run(s) sys.env(s) sys.signals([s]) sql.open(s) sql.open("sqlite::memory:"+s) sql.open("sqlite::memory:").exec(s)
	math.gcd(s.len(),1) actor.find<int>(s)`)

// The library reads no number, and quotes nothing in a message, that is as long as a
// script can make it: what it cannot read costs little beyond the text.
func TestLongTextsAreReadWithinTheLimits(t *testing.T) {
	size := *longTexts << 20
	limit := int64(2 * size)
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	var heads strings.Builder
	for _, m := range strings.Fields("json yaml toml csv hex base64 url uuid re time template path text log args crypto hash fs net http process sys sql math rand actor") {
		fmt.Fprintf(&heads, "import %s\n", m)
	}
	heads.WriteString("enum E { A, B }\nstruct S { a: int }\nstruct D { d: duration }\nstruct F { f: float }\nstruct G { e: E }\n")
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(grantedHost(t)))
	ran := 0
	units := []string{"1", "a", `"`, "(", "[{", "1s", "%", "\\", "é\n", "a: "}
	for i, reader := range longtest.Sample(readers, 8) {
		src := heads.String() + "pub fn read(s: str) -> int { try { let _v = " + strings.ReplaceAll(reader, "~", " ") + "; -1 } catch e { e.message().len() } }\n"
		p, err := rt.Compile("r.rnl", src)
		if !assert.NoError(t, err, reader) {
			continue
		}
		for k := range min(*longUnits, len(units)) {
			unit := units[(i+k*3)%len(units)]
			in, err := p.With(runnel.WithLimits(runnel.Limits{Memory: limit})).Start(t.Context())
			require.NoError(t, err)
			read, err := runnel.Bind1[string, int](in, "read")
			require.NoError(t, err)
			long := strings.Repeat(unit, size/len(unit))
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			var n int
			began := time.Now()
			grown := heapGrowth(func() { n, err = read(ctx, long) })
			took := time.Since(began)
			cancel()
			ran++
			assert.Less(t, n, 4<<10, "the message of %s of %q", reader, unit)
			if err != nil {
				assert.Less(t, len(err.Error()), 8<<10, "the error of %s of %q", reader, unit)
			}
			assert.Less(t, grown, (limit+int64(size))*11/10+8<<20, "%s of %q takes %d MiB", reader, unit, grown>>20)
			if took > time.Second {
				t.Logf("%s of %q took %s: %v", reader, unit, took, err)
			}
			in.Close()
		}
	}
	assert.GreaterOrEqual(t, ran, 10**longUnits) // with -run all, some of the readers without
}

// heapGrowth is how much larger the heap was at most while f ran.
func heapGrowth(f func()) int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	heap := func() int64 {
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	runtime.GC()
	before := heap()
	most := make(chan int64)
	stop := make(chan struct{})
	go func() {
		top := before
		for {
			select {
			case <-stop:
				most <- max(top, heap())
				return
			case <-time.After(200 * time.Microsecond):
				top = max(top, heap())
			}
		}
	}()
	f()
	close(stop)
	return <-most - before
}
