package reactor

// Successor is the process that the step has asked to be upgraded to. Who wraps
// processes wraps this one too.
func (o *StepOutput) Successor() *Process { return &o.successor.process }
