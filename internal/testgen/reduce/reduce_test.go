package reduce

import (
	"strings"
	"testing"
)

func TestProgram(t *testing.T) {
	src := "a\nif x {\n  b(c, need(1, [2]), d)\n}\ne\n"
	got := Program(src, func(s string) bool { return strings.Contains(s, "need") })
	if strings.TrimSpace(got) != "need" {
		t.Fatalf("%q", got)
	}
}
