package types_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/types"
)

// methodsElsewhere are the methods that Python, JavaScript, Go's packages, Rust and Ruby have
// for what the kinds of values here stand for.
var methodsElsewhere = []struct{ kind, value, names string }{
	{"str", `"ab"`, `capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha
		isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip
		maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines
		startswith strip swapcase title translate upper zfill
		at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf length localeCompare match matchAll
		normalize padEnd padStart repeat replaceAll search slice startsWith substr substring toLocaleLowerCase toLowerCase
		toString toUpperCase trim trimEnd trimLeft trimRight trimStart valueOf
		Compare Contains ContainsAny ContainsRune Count Cut CutPrefix CutSuffix EqualFold Fields FieldsFunc HasPrefix HasSuffix
		Index IndexAny IndexByte IndexFunc Join LastIndex Map Repeat Replace ReplaceAll Split SplitAfter SplitN Title ToLower
		ToTitle ToUpper Trim TrimFunc TrimLeft TrimPrefix TrimRight TrimSpace TrimSuffix
		as_bytes as_str bytes capacity char_indices chars clear clone contains drain ends_with eq_ignore_ascii_case get
		insert insert_str into_bytes is_char_boundary is_empty len lines make_ascii_lowercase matches parse pop push push_str
		remove replacen retain rmatches rsplit_once rsplitn split_at split_off split_once split_whitespace splitn starts_with
		strip_prefix strip_suffix to_ascii_lowercase to_ascii_uppercase to_lowercase to_owned to_string to_uppercase
		trim_end trim_end_matches trim_matches trim_start trim_start_matches truncate
		ascii_only? bytesize chomp chop chr codepoints delete downcase each_byte each_char each_line each_with_index empty
		gsub hex include inspect intern lstrip next oct ord prepend reverse rstrip scan size squeeze sub succ sum swapcase
		to_a to_f to_i to_r to_s to_sym tr unpack upcase upto`},
	{"list", `[1, 2]`, `append clear copy count extend index insert pop remove reverse sort
		at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes
		indexOf join keys lastIndexOf length map push reduce reduceRight shift slice some splice toReversed toSorted toSpliced
		toString unshift values with
		BinarySearch Chunk Clip Clone Compact Concat Contains ContainsFunc Delete DeleteFunc Equal Grow Index IndexFunc Insert
		IsSorted Max MaxFunc Min MinFunc Repeat Replace Reverse Sort SortFunc Values
		append binary_search chunks chunks_exact clone concat contains dedup drain ends_with extend_from_slice first
		first_mut get get_mut into_iter is_empty is_sorted iter iter_mut last last_mut len partition_point pop
		reserve resize retain rev rotate_left rotate_right rsplit sort_by sort_by_key sort_unstable split split_at split_first
		split_last split_off splice starts_with swap swap_remove to_vec truncate windows with_capacity
		all any assoc collect combination compact count cycle delete delete_at delete_if detect difference dig drop drop_while each
		each_cons each_entry each_index each_slice each_with_index each_with_object empty fetch filter_map find_all find_index
		flat_map flatten group_by include inject intersect intersection keep_if max max_by min min_by minmax none one partition
		permutation product reject reverse_each rotate sample select shuffle size sort sum take take_while tally
		to_a to_h to_set to_list transpose union uniq unshift values_at zip sorted reversed enumerate items len join`},
	{"map", `{"a": 1}`, `clear copy fromkeys get items keys pop popitem setdefault update values
		delete entries forEach has set size
		Clone Collect Copy DeleteFunc Equal Insert Keys Values All
		and_modify capacity contains_key contains drain entry extend get_key_value get_mut get_or_insert_with into_iter insert
		into_keys into_values is_empty iter iter_mut keys len or_insert remove remove_entry retain
		all any compact count delete_if dig each each_key each_pair each_value each_with_index empty fetch filter filter_map
		find find_all group_by has_key has_value include inject invert key keep_if length map map_values max_by member merge
		min_by none partition reduce reject select slice sort_by store sum to_a to_h transform_keys
		transform_values values_at first last sort to_list enumerate put containsKey containsValue getOrDefault putIfAbsent keySet entrySet`},
	{"set", `set([1, 2])`, `add clear copy difference difference_update discard intersection intersection_update isdisjoint
		issubset issuperset pop remove symmetric_difference symmetric_difference_update union update
		delete entries forEach has keys size values isDisjointFrom isSubsetOf isSupersetOf symmetricDifference
		contains drain extend get insert into_iter is_disjoint is_empty is_subset is_superset iter len replace retain take
		all any count each empty filter find first group_by include inject length map max member min partition reduce reject
		select sort sort_by subset sum superset to_a to_list append push join flat_map filter_map index last sorted`},
	{"int", `(5)`, `as_integer_ratio bit_count bit_length conjugate to_bytes
		toExponential toFixed toLocaleString toPrecision toString valueOf
		abs abs_diff checked_add checked_div checked_mul checked_sub clamp cmp count_ones count_zeros div_euclid
		is_negative is_positive is_power_of_two isqrt leading_zeros max min next_power_of_two overflowing_add pow
		rem_euclid rotate_left saturating_add saturating_sub signum swap_bytes to_string trailing_zeros wrapping_add wrapping_mul
		between ceil chr coerce digits div divmod downto even fdiv floor gcd integer lcm magnitude modulo
		negative next nonzero odd ord positive pred remainder round size step succ times to_c to_f to_i to_s truncate upto zero
		sqrt hex is_even is_odd format`},
	{"float", `(1.5)`, `as_integer_ratio hex is_integer toExponential toFixed toLocaleString toPrecision toString
		abs acos asin atan atan2 cbrt ceil clamp copysign cos exp exp2 floor fract hypot is_finite is_infinite is_nan
		is_negative is_sign_negative ln log log10 log2 max min mul_add powf powi pow recip rem_euclid round signum sin sqrt tan
		to_bits to_degrees to_radians to_string total_cmp trunc
		divmod fdiv finite infinite modulo nan negative positive to_f to_i to_s truncate zero sign isNaN isFinite`},
	{"range", `(0..5)`, `count index start stop step
		contains end is_empty start_bound
		step_by rev
		all any begin bsearch chunk collect cover cycle each each_cons each_slice each_with_index entries exclude_end filter filter_map
		find find_all find_index first flat_map group_by include inject last len map max max_by member min min_by minmax none
		partition product reduce reject reverse reverse_each select size skip sort_by sum take take_while tally to_a to_list to_set zip
		chunks windows enumerate for_each forEach fold nth skip_while iter into_iter join shuffle sample slice length reversed`},
	{"iterator", `[1, 2].iter()`, `all any by_ref chain chunks cloned cmp collect copied count cycle dedup enumerate eq filter filter_map find
		find_map flat_map flatten fold for_each fuse inspect is_sorted last lt map map_while max max_by max_by_key min min_by
		next next_back nth partition peekable position product reduce rev rposition scan size_hint skip skip_while step_by sum
		take take_while try_fold unzip zip
		drop flatMap forEach some every reduce toArray find
		each each_cons each_slice each_with_index eager entries first group_by include inject lazy next peek rewind select size
		sort sort_by tally to_a to_list to_set to_h uniq with_index with_object zip
		close send join islice accumulate pairwise has_next hasNext len contains sorted reverse reversed`},
}

func TestMethodsOfOtherLanguagesAreToldTheirNameHere(t *testing.T) {
	for _, m := range methodsElsewhere {
		for _, name := range strings.Fields(m.names) {
			name = strings.TrimSuffix(name, "?")
			src := "let x = " + m.value + "\nlet y = x." + name + "(1)\nlet z = x." + name + "(|a| a)\n"
			for _, d := range check(t, src, nil).diags {
				if (d.Code == "E0210" || d.Code == "E0303") && len(d.Help) == 0 && len(d.Fixes) == 0 {
					t.Errorf("%s.%s: %s", m.kind, name, d.Message)
					break
				}
			}
		}
	}
}

// library reads the modules of the library that a program of the test imports.
func library(t *testing.T, names ...string) modules {
	out := modules{}
	for _, name := range names {
		text, err := os.ReadFile("../../stdlib/" + name + "/" + name + ".rnl")
		require.NoError(t, err)
		out[name] = string(text)
	}
	return out
}

// Whatever is said to be written instead has methods and functions that there are.
func TestWhatIsWrittenForMethodsOfOtherLanguagesIsThere(t *testing.T) {
	written := regexp.MustCompile("write `([^`]*)`$")
	told, library := 0, library(t, "text", "re", "math", "iter", "rand", "big", "decimal")
	for _, m := range methodsElsewhere {
		for _, name := range strings.Fields(m.names) {
			name = strings.TrimSuffix(name, "?")
			src := "let x = " + m.value + "\nprint(x." + name + "(1))\n"
			for _, d := range check(t, src, nil).diags {
				for _, h := range d.Help {
					way := written.FindStringSubmatch(h)
					if way == nil || d.Code != "E0210" && d.Code != "E0303" || way[1] == "break" {
						continue
					}
					told++
					instead := strings.Replace(src, "print(x."+name+"(1))", way[1], 1)
					if module, _, ok := strings.Cut(way[1], "."); ok && library[module] != "" {
						instead = "import " + module + "\n" + instead
					}
					for _, d := range check(t, instead, library).diags {
						if slices.Contains([]diag.Code{"E0210", "E0204", "E0101", "E0102", "E0303"}, d.Code) {
							t.Errorf("%s.%s: `%s` is %s", m.kind, name, way[1], d.Message)
						}
					}
				}
			}
		}
	}
	if told < 100 {
		t.Errorf("only %d methods are told of", told)
	}
}

func TestFunctionsOfModulesThatOtherLanguagesHaveToo(t *testing.T) {
	for name, own := range types.ExportsElsewhere {
		module, _, _ := strings.Cut(name, ".")
		lib := library(t, module)
		require.Regexp(t, "(?m)^pub (native )?fn "+own+"\\b", lib[module], name)
	}
}
