package vm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// readers are the natives of collections that change none and of which the
// kinds of their arguments tell what they read.
var readers = strings.Fields(`
	core.joined list.copy list.sum list.product list.join list.to_bytes list.to_set list.unique
	buffer.to_bytes buffer.to_str
	map.len map.has map.get map.keys map.values map.copy map.merge
	set.len set.has set.copy set.to_list set.union set.intersect set.diff set.is_subset`)

// A native of a collection that is not known here might change it unseen.
func TestTheAccessesOfAllNativesOfCollectionsAreKnown(t *testing.T) {
	known := map[string]bool{"buffer.new": true}
	for _, name := range readers {
		known[name] = true
		require.NotContains(t, nativeAccesses, name)
	}
	for name := range nativeAccesses {
		known[name] = true
	}
	for name := range natives {
		if of, _, _ := strings.Cut(name, "."); of == "list" || of == "map" || of == "set" || of == "buffer" {
			require.True(t, known[name], "what does %s read and write? See nativeAccesses", name)
		}
	}
}
