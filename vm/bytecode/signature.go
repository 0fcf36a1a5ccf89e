package bytecode

// Signature is being written.
type Signature string

func (v *verifier) natives(signature func(string) (Signature, bool)) {
	for i := range v.p.Natives {
		n := &v.p.Natives[i]
		for _, id := range n.TypeArgs {
			v.id(n.Name, id)
		}
		for _, id := range n.Params {
			v.id(n.Name, id)
		}
		v.id(n.Name, n.Result)
	}
}
