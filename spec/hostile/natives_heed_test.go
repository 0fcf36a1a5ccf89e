package hostile_test

import (
	"context"
	"errors"
	"flag"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// stopwatch ends what runs a moment after a script has called begin.
type stopwatch struct {
	asked atomic.Int64 // when it was asked to end: of the processors' time, as the machine does other things too
	ended time.Duration
	end   func()
}

// head start of a native before it is asked to end.
const headStart = 5 * time.Millisecond

func (s *stopwatch) module() *vm.Module {
	m := vm.NewModule("probe", `/// Ends what runs.

/// Begins the time that is left.
pub native fn begin()
/// A task is asked to end now.
pub native fn asked()
/// It has ended.
pub native fn ended()
`)
	m.Signatures = map[string]bytecode.Signature{"begin": "() unit", "asked": "() unit", "ended": "() unit"}
	m.Native("begin", func(c *vm.Call) {
		time.AfterFunc(headStart, func() {
			s.asked.Store(int64(linear.Used()))
			s.end()
		})
	})
	m.Native("asked", func(c *vm.Call) { s.asked.Store(int64(linear.Used())) })
	m.Native("ended", func(c *vm.Call) { s.ended = linear.Used() })
	return m
}

// late is how long after it was asked to end it has ended.
func (s *stopwatch) late() time.Duration {
	if s.asked.Load() == 0 {
		return 0
	}
	return s.ended - time.Duration(s.asked.Load())
}

const (
	stoppedValue     = "probe.begin()\nlet _got = $\nprobe.ended()\n"
	stoppedStatement = "probe.begin()\n$\nprobe.ended()\n"
	cancelledValue   = `let _t = spawn { let _got = $; () }
sleep(5ms)
probe.asked()
_t.cancel()
try { await _t } catch e { }
probe.ended()
`
	cancelledStatement = `let _t = spawn { $ }
sleep(5ms)
probe.asked()
_t.cancel()
try { await _t } catch e { }
probe.ended()
`
)

// largeDecls make what uses take as large as fits a small limit.
var largeDecls = strings.NewReplacer(
	`"né x\n".repeat(200)`, `"né x\n".repeat(1_000_000)`,
	`(0..500)`, `(0..400_000)`,
	`let strs = ints.map(|i| "text ${i}")`, `let strs = (0..100_000).to_list().map(|i| "text ${i}")`,
	`for i in ints { counts["text ${i}"] = i }`, `for i in 0..60_000 { counts["text ${i}"] = i }`,
	`linked(200)`, `linked(100_000)`,
	`combed(300)`, `combed(100_000)`,
)

var repeats = regexp.MustCompile(`\.repeat\((\d+)\)|pad_(left|right)\((\d+)`)

// enlarge multiplies the sizes that a use names itself.
func (u use) enlarge(by int) use {
	grow := func(s string) string {
		return repeats.ReplaceAllStringFunc(s, func(call string) string {
			return regexp.MustCompile(`\d+`).ReplaceAllStringFunc(call, func(n string) string {
				v, _ := strconv.Atoi(n)
				return strconv.Itoa(v * by)
			})
		})
	}
	u.setup, u.expr = grow(u.setup), grow(u.expr)
	return u
}

// heedful runs a program that is asked to end and gives how late it did.
func heedful(t *testing.T, u use, src string) (late time.Duration, err error) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := &stopwatch{end: cancel}
	opts := []runnel.Option{runnel.WithHost(grantedHost(t)), runnel.WithLimits(runnel.Limits{Memory: 256 << 20}), runnel.WithModules(s.module())}
	prog, err := runnel.MustNew(append(opts, runnel.WithModules(all.Modules()...))...).Compile(u.name+".rnl", src)
	if err != nil {
		return 0, err
	}
	in := prog.NewInstance()
	defer in.Close()
	err = in.Run(ctx)
	if s.ended == 0 {
		s.ended = linear.Used()
	}
	return s.late(), err
}

// everyNative has TestNativesHeedThatTheirTaskIsToEnd try all natives, which takes minutes.
var everyNative = flag.Bool("every-native", false, "all natives on large data are asked to end")

// heavy are uses that take long: each on data that is bad for it.
const heavy = `
list.sort :: let xs = ints.map(|x| x * 7919 % 400_009); for _ in 0..2 { xs.extend(xs) } :: do xs.sort()
list.sort :: let xs = strs.map(|s| "a".repeat(300) + s).repeat(3) :: do xs.sort()
list.sort :: let xs = ints.map(|x| (x * 7919 % 1009, "x")) :: do xs.sort()
core.sort_by_keys :: let xs = ints.map(|x| x * 7919 % 400_009) :: do xs.sort_by(|x| -x)
list.unique :: let xs = strs.repeat(8) :: xs.unique()
list.to_set :: let xs = ints.map(|x| x * 7919) :: xs.to_set()
list.join :: let xs = words.repeat(1_000_000) :: xs.join(", ")
list.contains :: let xs = strs.repeat(10) :: xs.contains("no")
list.max :: let xs = strs.repeat(20) :: xs.max()
set.update :: let s = set<int>() :: do s.update(numbers)
set.intersect :: numbers.intersect(numbers)
map.merge :: counts.merge(counts)
str.replace :: let s = "a".repeat(8_000_000) :: s.replace("a", "b")
str.split :: let s = "a,".repeat(2_000_000) :: s.split(",")
str.lines :: let s = "a\n".repeat(2_000_000) :: s.lines()
str.fields :: let s = "a ".repeat(2_000_000) :: s.fields()
str.chars :: let s = "a".repeat(4_000_000) :: s.chars()
str.trim :: let s = "\u{3000}".repeat(8_000_000) :: s.trim()
str.upper :: let s = "é".repeat(10_000_000) :: s.upper()
str.reverse :: let s = "é".repeat(10_000_000) :: s.reverse()
str.is_lower :: let s = "é".repeat(10_000_000) :: s.is_lower()
str.char_count :: let s = "é".repeat(20_000_000) :: s.char_count()
str.count :: let s = "ab".repeat(20_000_000) :: s.count("aba")
str.find :: let s = "a".repeat(40_000_000) :: s.find("a".repeat(1000) + "b")
str.quote :: let s = "\x01".repeat(4_000_000) :: s.quote()
bytes.to_list :: let b = b"a".repeat(4_000_000) :: b.to_list()
op.text of a buffer :: let b = buffer(); b.write_bytes(b"\xff".repeat(8_000_000)) :: str(b)
op.format of a list :: let xs = ints.repeat(4) :: "${xs}"
op.equality of deep data :: let a = ints.map(|i| [i]); let b = ints.map(|i| [i]) :: a == b
json.decode_as :: let s = "[" + "1,".repeat(3_000_000) + "1]" :: json.decode<[int]>(s)
json.decode_as :: let s = "[" + "{\"a\":[]},".repeat(300_000) + "1]" :: json.parse(s)
json.is_valid :: let s = "[" + "[],".repeat(6_000_000) + "1]" :: json.is_valid(s)
json.encode :: let xs = ints.repeat(8) :: json.encode(xs)
yaml.decode_as :: let s = "- [1, 2, a]\n".repeat(60_000) :: yaml.parse(s)
yaml.decode_as :: let s = "[" + "a, ".repeat(100_000) + "]" :: yaml.parse(s)
yaml.encode :: yaml.encode(strs)
toml.decode_as :: let s = "a = [" + "1,".repeat(60_000) + "]" :: toml.parse(s)
toml.decode_as :: let s = "[[a]]\nb = 1\n".repeat(3_000) :: toml.parse(s)
toml.decode_as :: let s = "[a.b.c]\n" + (0..30_000).to_list().map(|i| "k${i} = [1, 2, {a=1}]\n").join("") :: toml.parse(s)
toml.encode :: toml.encode(counts)
csv.all_rows :: let s = "a,b,c\n".repeat(300_000) :: csv.parse(s)
csv.text_of :: let rows = ["a", "b"].repeat(100_000).map(|s| [s, s]) :: csv.encode(rows)
re.Regex.matches :: let p = re.compile("(?:x?){500}(?:y?){500}z"); let s = "x".repeat(3_000_000) :: p.matches(s)
re.Regex.find_all :: let p = re.compile("\\b"); let s = "a ".repeat(200_000) :: p.find_all(s).len()
re.Regex.count :: let p = re.compile("(?s)a.*b|a"); let s = "a".repeat(100_000) :: p.count(s)
re.Regex.replace :: let p = re.compile("a"); let s = "a".repeat(2_000_000) :: p.replace(s, "b")
re.Regex.find :: let p = re.compile("needle"); let s = "needl".repeat(10_000_000) :: p.find(s)
re.compile :: let s = "x{999}".repeat(24) :: re.compile(s)
re.compile :: let s = "\\pL".repeat(700) :: re.compile(s)
hash.sum :: let s = "x".repeat(30_000_000) :: hash.sha3_512(s)
crypto.code_of :: let s = "x".repeat(30_000_000) :: crypto.hmac(b"k", s)
crypto.seal_data :: let s = b"x".repeat(20_000_000); let key = crypto.derive_key("secret", b"salt", 10) :: crypto.seal(key, s)
crypto.sign_data :: let s = "x".repeat(20_000_000); let key = crypto.signing_key(crypto.derive_key("secret", b"salt", 10)) :: crypto.sign(key.private, s)
crypto.random_bytes :: crypto.random_bytes(30_000_000)
base64.encode_data :: let s = "x".repeat(20_000_000) :: base64.encode(s)
hex.dump :: let s = b"x".repeat(4_000_000) :: hex.dump(s)
text.graphemes :: let s = "é".repeat(1_000_000) :: text.graphemes(s)
text.normal :: let s = "e\u{301}".repeat(1_000_000) :: text.normalize(s)
text.normal :: let s = "\u{301}".repeat(1_000_000) :: text.normalize(s)
text.strip_marks :: let s = "é".repeat(1_000_000) :: text.strip_marks(s)
text.width :: let s = "é".repeat(5_000_000) :: text.width(s)
text.fold :: let s = "É".repeat(1_000_000) :: text.fold(s)
text.escape_html :: let s = "<".repeat(3_000_000) :: text.escape_html(s)
text.unescape_html :: let s = "&lt;".repeat(1_000_000) :: text.unescape_html(s)
url.escape :: let s = "é".repeat(5_000_000) :: url.escape(s)
url.unescape :: let s = "%C3%A9".repeat(2_000_000) :: url.unescape(s)
path.matches_name :: let p = "*a".repeat(20_000); let s = "a".repeat(100_000) + "b" :: path.matches(p, s)
path.clean :: let s = "a/../".repeat(4_000_000) :: path.clean(s)
str.parse_float :: let s = "1".repeat(30_000_000) :: s.parse_float()
`

// A native that works on much data heeds that its task is to end, because its
// time is over or it is cancelled.
func TestNativesHeedThatTheirTaskIsToEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	list := usesIn(t, "heavy", heavy)
	if !*everyNative { // some of them
		list = longtest.Some(list, 10)
	} else {
		for _, u := range uses(t) {
			if u.name != "sys.exit" {
				list = append(list, u.enlarge(500))
			}
		}
	}
	for _, u := range list {
		for how, forms := range map[string][2]string{"time": {stoppedValue, stoppedStatement}, "cancel": {cancelledValue, cancelledStatement}} {
			src := largeDecls.Replace(u.program(forms[0], forms[1]))
			late, err := heedful(t, u, src)
			for again := 0; again < 10 && late > mostLate; again++ { // the machine may have been busy with other things
				next, _ := heedful(t, u, src)
				late = min(late, next)
			}
			var e *runnel.Error
			if err != nil && (!errors.As(err, &e) || e.Limit == 0) {
				t.Errorf("%s: %s: %v", u.name, u.expr, err)
			}
			if late > mostLate {
				t.Errorf("%s: %s: %s: it ended %v late", how, u.name, u.expr, late.Round(time.Millisecond))
			}
		}
	}
}

// mostLate is how long a native may go on when its task is to end: 50 ms, and as
// much again and more for a machine that does other things too.
const mostLate = 120 * time.Millisecond
