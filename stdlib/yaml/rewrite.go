package yaml

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/vm"
)

// rewriter adds nodes to a document of package json, aliases replaced by what
// they stand for.
type rewriter struct {
	c       *vm.Call
	doc     *json.Document
	left    int // how many nodes may come still: aliases can name more than memory holds
	merging int
}

const maxMerges = 64 // merge keys within what merge keys name

func (r *rewriter) fail(n *yaml.Node, format string, args ...any) {
	r.c.Throw(vm.ErrValue, "yaml: "+format+" at %d:%d", append(args, n.Line, n.Column)...)
}

func (r *rewriter) value(n *yaml.Node) {
	r.c.Steps(1)
	if r.left--; r.left < 0 {
		r.fail(n, "aliases make the document too large")
	}
	switch n.Kind {
	case yaml.DocumentNode:
		r.value(n.Content[0])
	case yaml.AliasNode:
		r.value(n.Alias)
	case yaml.ScalarNode:
		r.scalar(n)
	case yaml.SequenceNode:
		r.doc.Open('[')
		for _, item := range n.Content {
			r.value(item)
		}
		r.doc.Close(']')
	case yaml.MappingNode:
		r.doc.Open('{')
		r.entries(n)
		r.doc.Close('}')
	default: // an empty text
		r.doc.Null()
	}
}

func (r *rewriter) scalar(n *yaml.Node) {
	var v any
	switch n.ShortTag() {
	case "!!null", "!!bool", "!!int", "!!float":
		if err := n.Decode(&v); err != nil {
			r.fail(n, "%s is no %s", vm.Quote(n.Value), strings.TrimPrefix(n.ShortTag(), "!!"))
		}
	case "!!binary":
		v = strings.Join(strings.Fields(n.Value), "")
	default:
		v = n.Value
	}
	switch v := v.(type) {
	case bool:
		r.doc.Bool(v)
	case int:
		r.doc.Int(int64(v))
	case int64: // where int has 32 bits
		r.doc.Int(v)
	case uint64:
		r.doc.Float(float64(v))
	case float64:
		r.doc.Float(v)
	case string:
		r.doc.Str(v)
	default:
		r.doc.Null()
	}
}

// entries writes those of a mapping. What merge keys bring comes first: of two
// equal keys the last one counts.
func (r *rewriter) entries(n *yaml.Node) {
	for i := 0; i < len(n.Content); i += 2 {
		if isMerge(n.Content[i]) {
			r.merge(n.Content[i+1])
		}
	}
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		key := target(n.Content[i])
		switch {
		case isMerge(key):
			continue
		case key.Kind != yaml.ScalarNode:
			r.fail(n.Content[i], "a key is no scalar")
		case seen[key.Value]:
			r.fail(n.Content[i], "the key %s is there twice", vm.Quote(key.Value))
		}
		seen[key.Value] = true
		r.doc.Key(key.Value)
		r.value(n.Content[i+1])
	}
}

// merge writes the entries of the mapping, or of all mappings of the sequence,
// that a merge key names. The first of a sequence counts most.
func (r *rewriter) merge(n *yaml.Node) {
	if r.left--; r.left < 0 {
		r.fail(n, "aliases make the document too large")
	}
	if r.merging++; r.merging > maxMerges {
		r.fail(n, "merge keys nest deeper than %d levels", maxMerges)
	}
	switch m := target(n); m.Kind {
	case yaml.MappingNode:
		r.entries(m)
	case yaml.SequenceNode:
		for _, item := range slices.Backward(m.Content) {
			r.merge(item)
		}
	default:
		r.fail(n, "only a mapping can be merged")
	}
	r.merging--
}

func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && key.ShortTag() == "!!merge"
}

// target of an alias, or the node itself.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// find returns the node at a path, as far as it can be followed.
func find(n *yaml.Node, path []json.Step) *yaml.Node {
	for _, step := range path {
		next := child(n, step, maxMerges)
		if next == nil {
			break
		}
		n = next
	}
	if n.Kind == yaml.DocumentNode {
		return n.Content[0]
	}
	return n
}

func child(n *yaml.Node, step json.Step, merges int) *yaml.Node {
	switch n = target(n); {
	case merges < 0:
	case n.Kind == yaml.DocumentNode:
		return child(n.Content[0], step, merges)
	case step.InArray && step.Index < len(n.Content):
		return n.Content[step.Index]
	case n.Kind == yaml.MappingNode:
		return entry(n, step, merges)
	}
	return nil
}

// entry finds what stands under a key of a mapping, or of those merged into it.
func entry(n *yaml.Node, step json.Step, merges int) *yaml.Node {
	for i := 0; i < len(n.Content); i += 2 {
		if target(n.Content[i]).Value == step.Key {
			return n.Content[i+1]
		}
	}
	for i := 0; i < len(n.Content); i += 2 {
		if !isMerge(n.Content[i]) {
			continue
		}
		from := []*yaml.Node{n.Content[i+1]}
		if list := target(from[0]); list.Kind == yaml.SequenceNode {
			from = list.Content
		}
		for _, m := range from {
			if found := child(m, step, merges-1); found != nil {
				return found
			}
		}
	}
	return nil
}
