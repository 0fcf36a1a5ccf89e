package vm

import "time"

// sendTurn says which worker is sending to a mailbox.
//
// Memory that two workers write alternately travels between their processors
// each time, which takes longer than a send. If they send without pause, each
// therefore gets the mailbox to itself for a moment: two of them are then as
// fast as one, instead of half as fast. If they do not, because each message
// takes work, nobody rests.
type sendTurn struct {
	of     uint16 // the worker
	sent   uint16 // messages, by all; may wrap
	passes uint8  // of the turn to another worker, since it was last looked how much is sent
}

const (
	turnRest   = 2 * time.Microsecond
	turnBusy   = 16 // messages sent while another worker rests from which on that is worth while
	turnPasses = 64 // passes until it is looked again
	turnTries  = 3  // rests while the turn goes to others
)

// takeTurn gives the turn to a worker, which may have to rest first. The lock is held, except while resting.
func (c *Chan) takeTurn(number uint16) {
	turn := &c.turn
	if turn.passes < turnPasses || c.mail.Load() == nil {
		turn.passes = min(turn.passes+1, turnPasses)
		turn.of = number
		return
	}
	for range turnTries {
		seen := *turn
		c.lock.Unlock()
		rest(turnRest)
		c.lock.Lock()
		if turn.of == seen.of {
			if turn.sent-seen.sent < turnBusy {
				turn.passes = 0
			}
			break
		}
	}
	turn.of = number
}

// rest passes a short time without giving up the processor or touching memory
// that others use.
func rest(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}
