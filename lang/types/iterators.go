package types

// A struct with a method `next() -> T?` is an iterator wherever one is expected, and has the
// methods of one that it does not declare itself.

// iteratorMethod finds a method of Iterator<T> for a value of such a struct.
func (c *checker) iteratorMethod(t Type, name string) (*FuncDecl, []Type) {
	elem := iteratorElem(t)
	if elem == nil {
		return nil, nil
	}
	iface, ok := c.preludeName("Iterator").(*TypeDecl)
	if !ok {
		return nil, nil
	}
	m := iface.Method(name)
	if m != nil && m.IsDefault() && c.unsatisfied(t, &Named{Decl: iface, Args: []Type{elem}}) == nil {
		return m, []Type{elem}
	}
	return nil, nil
}

// iteratorElem is T of a struct that declares `next() -> T?`, else nil.
func iteratorElem(t Type) Type {
	n, ok := Prune(t).(*Named)
	if !ok || n.Decl.Kind != KStruct {
		return nil
	}
	next := n.Decl.Method("next")
	if next == nil || len(next.Params) > 0 || len(next.TypeParams) > 0 {
		return nil
	}
	if elem, ok := optionalOf(methodSubst(next, n.Args, nil).Apply(next.Result)); ok {
		return elem
	}
	return nil
}

// iteratorMethods lists the methods of an iterator for tools.
func (c *checker) iteratorMethods(t Type) (list []Method) {
	iface, ok := c.preludeName("Iterator").(*TypeDecl)
	if !ok || iteratorElem(t) == nil {
		return nil
	}
	for _, m := range iface.Methods {
		if own, _ := c.methodOf(t, m.Name); own != nil {
			continue
		}
		if fn, recvArgs := c.iteratorMethod(t, m.Name); fn != nil {
			own := make([]Type, len(fn.TypeParams))
			for i, p := range fn.TypeParams {
				own[i] = p
			}
			list = append(list, Method{fn, funcType(fn, methodSubst(fn, recvArgs, own).Apply)})
		}
	}
	return list
}
