package types

import (
	"slices"
	"strings"
	"sync"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// ways say, by kind of value, what is written here for a method of other languages, where
// that is not a method of another name: `$` stands for the value. A name of several words is
// written as one, `is_power_of_two` as `ispoweroftwo`.
var ways = sync.OnceValue(func() map[string]map[string]string {
	return map[string]map[string]string{
		"str": waysByName(`
		at,get = $.chars()[i] | isalnum = $.chars().all(|c| c.is_alpha() || c.is_digit())
		isdecimal = $.is_digit() | isascii,asciionly = $.codes().all(|n| n < 128) | istitle = text.title($) == $
		isidentifier,isprintable = re.matches(pattern, $)
		partition,cut = $.split_once(separator) | rpartition = $.rfind(separator) | splitn,splitafter = $.split(separator)
		maketrans,translate,map,tr = $.chars().map(|c| f(c)).join() | expandtabs = $.replace("\t", "    ")
		formatmap = "${x}" | localecompare,cmp = $.compare(other) | matchall,scan,rmatches = re.find_all(pattern, $)
		normalize = text.normalize($) | search,indexany,indexfunc = re.find(pattern, $) | tolocalelowercase = $.lower()
		tolocaleuppercase,totitle = $.upper() | valueof,tos,clone = $ | equalfold,eqignoreasciicase = $.lower() == other.lower()
		fieldsfunc = re.split(pattern, $) | indexbyte = $.find(part) | join = list.join($) | lastindex = $.rfind(part)
		title = text.title($) | trimfunc,trimspace = $.trim() | bytesize,capacity = $.len() | charindices = $.chars().enumerate()
		makeasciilowercase = $.lower() | pop,chop = $[..$.len() - 1] | push,insert,insertstr = $ + "x" | remove,delete,squeeze,retain,drain = $.replace(part, "")
		truncate = $[..n] | clear = s = "" | ischarboundary = $.chars() | intobytes,eachbyte,unpack = $.bytes() | chr = $[..1]
		codepoints = $.codes() | eachline = $.lines() | next,succ,upto = ($.code() + 1).char() | inspect = "${$:?}" | intern = $
		hex,oct = int("0x" + $) | tor = $.parse_float()`),
		"task": waysByName(`
		join,wait,get,result,await,unwrap,value,done = await $ | then = f(await $)`),
		"list": waysByName(`
		at = $[i] | copywithin,entries,items,eachentry,eachindex = for i, x in $ { ... }
		keys = 0..$.len() | values = $ | findlast = $.filter(f).last() | reduceright = $.copy().reverse().fold(initial, f)
		eachwithobject = $.fold(initial, f) | reverseeach = $.copy().reverse().each(f)
		toreversed,reversed = $.copy().reverse() | tosorted,sorted = $.copy().sort() | tospliced = $.copy() | clip,grow,withcapacity = $.reserve(n)
		compact,dedup,cluster = $.unique() | deletefunc = $.retain(|x| !f(x)) | equal = $ == other | indexfunc = $.find_index(f)
		maxfunc = $.max_by(key) | minfunc = $.min_by(key) | sortfunc = $.sort_with(less) | chunksexact = $.chunks(n)
		drain,splitoff = $.slice(i, $.len()) | endswith = $.take_last(n) == other | extendfromslice = $.extend(other)
		firstmut = $.first() | getmut = $.get(i) | lastmut = $.last() | partitionpoint = $.find_index(f)
		rotate,rotateleft = $.skip(n) + $.take(n) | rotateright = $.take_last(n) + $.take($.len() - n)
		rsplit,split,splitat = ($.take(i), $.skip(i)) | splitfirst = ($[0], $.skip(1)) | splitlast = ($.last(), $.take($.len() - 1))
		swapremove = $.remove(i) | assoc = $.find(f) | collect,toa,tolist,tovec,toarray,list = $
		combination = iter.combinations($, n) | permutation = iter.permutations($) | cycle = iter.cycle($.iter())
		difference = $.filter(|x| !other.contains(x)) | intersect,intersection = $.filter(|x| other.contains(x))
		union = ($ + other).unique() | drop = $.skip(n) | dropwhile = $.skip_while(f) | keepif = $.retain(f) | minmax = ($.min(), $.max())
		none = !$.any(f) | one = $.count(f) == 1 | sample,choice = rand.pick($) | shuffle = rand.shuffle($)
		flatten = $ | toh,todict,tomap = $.map(|x| (key, x)).to_map() | transpose = (0..n).map(|j| $.map(|row| row[j]))
		valuesat = indexes.map(|i| $[i]) | concat = $ + other`),
		"set": waysByName(`
		differenceupdate = for x in other { $.remove(x) } | intersectionupdate = $.intersect(other)
		symmetricdifferenceupdate = $.union(other).diff($.intersect(other)) | symmetricdifference = $.diff(other).union(other.diff($))
		isdisjoint,isdisjointfrom = $.intersect(other).is_empty() | issubsetof = $.is_subset(other) | issupersetof = $.is_superset(other)
		pop = $.to_list().first() | entries,keys,values,intoiter = $.to_list() | iter = $.to_list().iter() | drain = $.clear()
		extend = $.update(other) | get = $.has(x) | retain = $.filter(f) | append = $.add(x) | member = $.has(x)`),
		"int": waysByName(`
		asintegerratio,conjugate,integer,toi,round,floor,ceil,truncate,magnitude,valueof,numerator = $ | nonzero = $ != 0
		tobytes,swapbytes = [$].to_bytes() | toexponential,toprecision = "${float($):e}" | absdiff = ($ - other).abs() | cmp = $ - other
		countzeros = 64 - $.bit_count() | diveuclid,fdiv,div = $ / other | remeuclid,modulo = $.mod(other) | remainder = $ % other
		isnegative,negative = $ < 0 | ispositive,positive = $ > 0 | zero,iszero = $ == 0 | ispoweroftwo = $.bit_count() == 1
		isqrt = math.isqrt($) | sqrt = math.sqrt(float($)) | nextpoweroftwo = 1 << (64 - $.leading_zeros()) | pow = $ ** n
		overflowingadd,saturatingadd = $.checked_add(other) | saturatingsub = $.checked_sub(other)
		wrappingadd = $ + other | wrappingmul = $ * other | wrappingsub = $ - other | rotateleft = $ << n | size = 64
		between = $ >= low && $ <= high | clamp = math.clamp($, low, high) | coerce,tof = float($) | tos = str($) | tor,toc = decimal.of($)
		digits = str($).chars().map(|c| int(c)) | divmod = ($ / n, $ % n) | downto = ($..=0).reverse() | upto,step = for i in $..=n { ... }
		even,iseven = $ % 2 == 0 | odd,isodd = $ % 2 != 0 | gcd = math.gcd($, other) | lcm = math.lcm($, other) | next,succ = $ + 1 | pred = $ - 1
		ord,chr = $.char() | hex = "${$:x}" | max = max($, other) | min = min($, other)`),
		"float": waysByName(`
		asintegerratio,tor = decimal.parse(str($)) | hex = $.bits() | isinteger = $ == $.floor() | toexponential,toprecision = "${$:e}"
		acos = math.acos($) | asin = math.asin($) | atan = math.atan($) | atan2 = math.atan2($, x) | cbrt = math.cbrt($) | cos = math.cos($)
		copysign = math.copysign($, other) | exp = math.exp($) | exp2 = math.exp2($) | hypot = math.hypot($, other) | sin = math.sin($)
		isnegative,issignnegative,negative = $ < 0.0 | positive,ispositive = $ > 0.0 | zero,iszero = $ == 0.0 | ln,log = math.log($)
		log10 = math.log10($) | log2 = math.log2($) | muladd = math.fma($, a, b) | pow,powf,powi = $ ** n | recip = 1.0 / $ | sqrt = math.sqrt($)
		tan = math.tan($) | todegrees = math.degrees($) | toradians = math.radians($) | totalcmp,cmp = $ < other | clamp = math.clamp($, low, high)
		remeuclid,modulo = $ % other | divmod = (($ / n).floor(), $ % n) | fdiv = $ / n | finite = $.is_finite() | nan = $.is_nan()
		tof = $ | toi = int($) | tos = str($) | truncate = $.trunc() | signum = $.sign() | max = max($, other) | min = min($, other)`),
		"range": waysByName(`
		step = $.step_by(n) | start,first,begin,startbound = $.start | stop,end,excludeend = $.end | last = $.to_list().last() | bsearch,index = $.find(f) | cover,member = $.contains(x)
		min,minmax = $.to_list().min() | max = $.to_list().max() | reverseeach = $.reverse().each(f)
		cycle = iter.cycle($.iter()) | entries = $.to_list().enumerate() | none = !$.any(f) | nth = $.to_list()[n]
		sample,choice = rand.pick($.to_list()) | shuffle = rand.shuffle($.to_list())`),
		"map": waysByName(`
		transformvalues = $.map_values(f) | sort,sorted = $.entries().sort() | invert = $.map(|k, v| (v, k)).to_map()
		sortby = $.entries().sort_by(|e| e.1) | putifabsent = $.get_or_insert(key, || value) | tolist,toa = $.entries()`),
		"atomicint": waysByName(`
		get,value = $.load() | set = $.store(n) | inc,increment,incrementandget,incr = $.add(1) | dec,decrement,decr = $.add(-1)
		fetchadd,getandadd,addandget = $.add(n)`),
		"atomicbool": waysByName(`get,value = $.load() | set = $.store(true)`),
		"iterator": waysByName(`
		byref,cloned,copied,fuse,lazy,eager,iter,intoiter = $ | cycle = iter.cycle($) | sizehint,size,len = $.count()
		dedup = iter.dedup($) | peek,peekable = iter.peekable($) | scan,accumulate = iter.scan($, initial, f) | rewind = xs.iter()
		nth = iter.nth($, n) | sum = iter.sum($) | product = $.fold(1, |a, x| a * x)
		dropwhile = $.skip_while(f) | drop = $.skip(n) | withindex = $.enumerate()
		withobject,tryfold = $.fold(initial, f) | mapwhile,findmap = $.filter_map(f)
		flatten = iter.flatten($) | eachslice,batched = $.chunks(n) | eachcons,pairwise = $.windows(n)
		position,rposition,findindex = $.to_list().find_index(f) | islice = $.take(n) | groupby = iter.group_by($, key)
		hasnext,nextback = while let x = $.next() { ... } | unzip = iter.unzip($) | inspect = iter.tap($, f) | uniq,unique = iter.unique($)
		lt,cmp,eq,issorted = $.to_list() | close = break | send = channel.send(x) | minby = $.to_list().min_by(key) | maxby,maxbykey = $.to_list().max_by(key)
		entries = $.enumerate() | include,contains = $.any(|x| x == y)`),
	}
})

// waysByName reads lines of `name,name = what to write | ...`.
func waysByName(table string) map[string]string {
	out := map[string]string{}
	for _, line := range strings.Split(table, "\n") {
		for _, row := range strings.Split(line, " | ") {
			names, way, found := strings.Cut(row, " = ")
			if !found {
				continue
			}
			for _, name := range strings.Split(strings.TrimSpace(names), ",") {
				out[oneWord(name)] = strings.TrimSpace(way)
			}
		}
	}
	return out
}

func oneWord(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// wayKind is the name under which ways has a type.
func wayKind(t Type) string {
	switch t := t.(type) {
	case *Basic:
		return t.String()
	case *Named:
		if t.Decl.Module.Std {
			return strings.ToLower(t.Decl.Name) // the range and the Iterator of the prelude
		}
	case *App:
		switch t.Ctor {
		case CList:
			return "list"
		case CMap:
			return "map"
		case CSet:
			return "set"
		case CTask:
			return "task"
		}
	}
	return ""
}

// inPlaceElsewhere are methods that give a new list elsewhere, with those that change it here.
var inPlaceElsewhere = map[string]string{"sorted": "sort", "reversed": "reverse", "sortedBy": "sort_by", "sorted_by": "sort_by", "toSorted": "sort", "toReversed": "reverse"}

// ofCopy mends xs.sorted(), which gives a new list elsewhere.
func (c *checker) ofCopy(d report, e *syntax.Member, t Type) bool {
	own := inPlaceElsewhere[e.Name.Text]
	if own == "" || !isList(t) {
		return false
	}
	d.help("`%s` changes the list itself", own)
	d.fix("write `copy()."+own+"`", diag.Edit{Span: e.Name.Sp, New: "copy()." + own})
	return true
}

// methodChain returns what replaces the name of a method, where the way is to call others on
// the value, without arguments.
func methodChain(way string) (chain string, ok bool) {
	chain, ok = strings.CutPrefix(way, "$.")
	if !ok || !strings.HasSuffix(chain, "()") || strings.ContainsAny(chain, " $[|,") {
		return "", false
	}
	return strings.TrimSuffix(chain, "()"), true
}

// anotherWay tells how what a method of another language does is written here, and, of what
// is not a list but becomes one, that a list has the method.
func (c *checker) anotherWay(d report, e *syntax.Member, t Type, call *syntax.Call) bool {
	name, x := e.Name.Text, c.short(e.X)
	if x == "this" {
		x = "x"
	}
	own := slices.ContainsFunc(c.methodNames(t), func(own string) bool { return own != name && diag.SameWord(own, name) })
	if way, ok := ways()[wayKind(t)][oneWord(name)]; ok && !own {
		if chain, ok := methodChain(way); ok && call != nil && len(call.Args) == 0 {
			d.fix("write `"+strings.ReplaceAll(way, "$", x)+"`", diag.Edit{Span: e.Name.Sp, New: chain})
			return true
		}
		d.help("write `%s`", strings.ReplaceAll(way, "$", x))
		if module, _, ok := strings.Cut(way, "."); ok && slices.Contains([]string{"text", "re", "math", "iter", "rand", "decimal"}, module) && c.mod.find(module) == nil {
			d.help("import it: `import %s`", module)
		}
		return true
	}
	toList, _ := c.methodOf(t, "to_list")
	if toList == nil || call == nil {
		return false
	}
	list := &App{Ctor: CList, Args: []Type{Invalid}}
	for _, own := range append([]string{name}, otherNames()[name]...) {
		if m, _ := c.methodOf(list, own); m != nil {
			d.fix("a list has it: write `.to_list()."+own+"`", diag.Edit{Span: e.Name.Sp, New: "to_list()." + own})
			return true
		}
	}
	return false
}
