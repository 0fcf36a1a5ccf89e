package main

import (
	"fmt"
	"math"
)

// World is the game's own. Scripts see its entities as handles.
type World struct{ entities []*Entity }

// Entity of the world.
type Entity struct {
	kind, name string
	x, y       float64
	health     int
}

// Create puts an entity into the world.
func (w *World) Create(kind, name string, x, y float64) *Entity {
	e := &Entity{kind, name, x, y, 100}
	w.entities = append(w.entities, e)
	return e
}

// Entities are those that live.
func (w *World) Entities() []*Entity {
	var alive []*Entity
	for _, e := range w.entities {
		if e.Alive() {
			alive = append(alive, e)
		}
	}
	return alive
}

// The methods below are those that a script can call.

func (e *Entity) Kind() string                { return e.kind }
func (e *Entity) Name() string                { return e.name }
func (e *Entity) X() float64                  { return e.x }
func (e *Entity) Y() float64                  { return e.y }
func (e *Entity) Alive() bool                 { return e.health > 0 }
func (e *Entity) Distance(to *Entity) float64 { return math.Hypot(to.x-e.x, to.y-e.y) }
func (e *Entity) Hurt(points int)             { e.health -= points }

// Towards moves the entity by a distance, away from the other when it is negative.
func (e *Entity) Towards(to *Entity, by float64) {
	if d := e.Distance(to); d > 0 {
		by = min(by, d)
		e.x += (to.x - e.x) / d * by
		e.y += (to.y - e.y) / d * by
	}
}

// String is not for scripts: Methods leaves it out.
func (e *Entity) String() string {
	return fmt.Sprintf("%-5s %-6s at %4.1f, %4.1f", e.kind, e.name, e.x, e.y)
}
