package types

// fewNames is up to how many names one is found by looking at each.
const fewNames = 16

// places finds the first place of each name in a list, of which a long one gets an
// index.
type places struct {
	n     int
	name  func(i int) string
	index map[string]int
}

// of returns the place of a name, -1 if there is none.
func (p *places) of(name string) int {
	if p.n <= fewNames {
		for i := range p.n {
			if p.name(i) == name {
				return i
			}
		}
		return -1
	}
	if p.index == nil {
		p.index = make(map[string]int, p.n)
		for i := range p.n {
			if _, ok := p.index[p.name(i)]; !ok {
				p.index[p.name(i)] = i
			}
		}
	}
	if i, ok := p.index[name]; ok {
		return i
	}
	return -1
}

func fieldPlaces(fields []*Field) places {
	return places{n: len(fields), name: func(i int) string { return fields[i].Name }}
}

// field finds a field of a struct, or nil.
func (d *TypeDecl) field(name string) *Field {
	if d.fieldPlaces.n != len(d.Fields) {
		d.fieldPlaces = fieldPlaces(d.Fields)
	}
	if i := d.fieldPlaces.of(name); i >= 0 {
		return d.Fields[i]
	}
	return nil
}

// variant finds a variant of an enum, or nil.
func (d *TypeDecl) variant(name string) *VariantDecl {
	if d.variantPlaces.n != len(d.Variant) {
		d.variantPlaces = places{n: len(d.Variant), name: func(i int) string { return d.Variant[i].Name }}
	}
	if i := d.variantPlaces.of(name); i >= 0 {
		return d.Variant[i]
	}
	return nil
}
