// Package zoo holds what bindgen can offer to scripts, and what it cannot.
package zoo

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"strings"
	"time"
)

// What a zoo is about.
const (
	Name    = "Zoo \"$\" \\" // with signs of its own
	Open    = 9 * time.Hour  // in the morning
	Tickets = math.MaxInt64
	Price   = 12.5
	Big     = math.MaxUint64
	Wide    = 1i
	Letter  = 'z'
	Free    = false
)

// ErrGone is a variable.
var ErrGone = errors.New("it is gone")

// Kind of an animal.
type Kind int

// Kinds.
const (
	Bird Kind = iota + 1
	Fish
)

// String becomes a function: a Kind is an int.
func (k Kind) String() string { return "kind" }

// Set changes its receiver.
func (k *Kind) Set(n int) { *k = Kind(n) }

// Animal is copied.
type Animal struct {
	Name  string
	Kind  Kind
	Age   time.Duration
	Home  *Place
	Likes map[string]struct{}
}

// Place where animals live.
type Place struct{ X, Y float64 }

// Distance becomes a function: its receiver is copied.
func (p Place) Distance() float64 { return math.Hypot(p.X, p.Y) }

// Cage holds animals.
type Cage struct{ animals []Animal }

// NewCage makes a cage.
func NewCage(names ...string) *Cage {
	c := &Cage{}
	for _, n := range names {
		c.Put(Animal{Name: n, Kind: Bird})
	}
	return c
}

// Put takes an animal in.
func (c *Cage) Put(a Animal) *Cage {
	c.animals = append(c.animals, a)
	return c
}

// Find returns the animal of a name, and its place.
func (c *Cage) Find(name string) (Animal, int, error) {
	for i, a := range c.animals {
		if a.Name == name {
			return a, i, nil
		}
	}
	return Animal{}, 0, ErrGone
}

// Each calls a function for all.
func (c *Cage) Each(f func(Animal) error) error {
	for _, a := range c.animals {
		if err := f(a); err != nil {
			return err
		}
	}
	return nil
}

// Wait waits.
func (c *Cage) Wait(ctx context.Context, d time.Duration) (int, error) {
	select {
	case <-time.After(d):
		return len(c.animals), nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// Add is variadic.
func (c *Cage) Add(as ...Animal) {}

// Dump needs an interface.
func (c *Cage) Dump(w io.Writer) {}

// Keeper and Door mention each other.
type Keeper struct{ door *Door }

// Door of a keeper.
func (k *Keeper) Door() *Door { return k.door }

// With gives the keeper a door.
func (k *Keeper) With(d *Door) *Keeper {
	k.door = d
	return k
}

// Name of the keeper.
func (k *Keeper) Name() string { return "joe" }

// Door and Keeper mention each other.
type Door struct{ keeper *Keeper }

// Keeper of a door.
func (d *Door) Keeper() *Keeper { return d.keeper }

// IsOpen tells whether it is.
func (d *Door) IsOpen() bool { return true }

// Match has a name that is a word of the language.
func Match(pattern, in string) bool { return strings.Contains(in, pattern) }

// Sleep may wait.
func Sleep(ctx context.Context, d time.Duration) error {
	_, err := (&Cage{}).Wait(ctx, d)
	return err
}

// Join is variadic.
func Join(sep string, parts ...string) string { return strings.Join(parts, sep) }

// Oldest of some.
func Oldest(as []Animal) *Animal {
	var oldest *Animal
	for i := range as {
		if oldest == nil || as[i].Age > oldest.Age {
			oldest = &as[i]
		}
	}
	return oldest
}

func Unnamed(int, string) bool { return true }

func First[T any](xs []T) T { return xs[0] }

func Pipe() chan int { return nil }

func File() *os.File { return nil }

func Walk(f func(string) bool) {}

func URL() string { return "" }
func Url() string { return "" }

// Tree contains itself.
type Tree []Tree

func Grow(t Tree) {}

// Alias is one.
type Alias = Place

// Feeder is an interface.
type Feeder interface{ Feed() }

// Box is generic.
type Box[T any] struct{ V T }
