package diag

import "strings"

// Suggest finds the candidate that was probably meant by a misspelt name, or ""
// if none is near: for "did you mean". A third of the letters may differ; names
// of one or two letters are near only when they differ in case.
func Suggest(name string, candidates []string) string {
	best, limit := "", min(len(name)/3, 10)
	for _, c := range candidates {
		if max(len(name), len(c)) > maxWord {
			continue
		}
		d := 0
		if !SameWord(name, c) {
			d = distance(name, c, limit)
		}
		if c != name && d <= limit {
			best, limit = c, d-1
		}
	}
	return best
}

// maxWord is the length of names that nobody has misspelt.
const maxWord = 200

// SameWord reports whether two names differ only in case and underscores.
func SameWord(a, b string) bool {
	return strings.EqualFold(strings.ReplaceAll(a, "_", ""), strings.ReplaceAll(b, "_", ""))
}

// distance is how many letters must be inserted, deleted, replaced or swapped
// with their neighbor to turn a into b; limit+1 if more than limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	prev2, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, prev2[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
		prev2, prev, row = prev, row, prev2
	}
	return min(prev[len(b)], limit+1)
}
