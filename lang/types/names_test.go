package types

// ExportsElsewhere is for the tests of what modules have.
var ExportsElsewhere = exportsElsewhere()
