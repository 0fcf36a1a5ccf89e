//go:build ignore

// Floating point in structs: the energy of the outer solar system after n steps.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

const (
	solarMass   = 4.0 * 3.141592653589793 * 3.141592653589793
	daysPerYear = 365.24
)

type body struct{ x, y, z, vx, vy, vz, mass float64 }

// planet takes the velocity per day and the mass in suns.
func planet(x, y, z, vx, vy, vz, mass float64) *body {
	return &body{x, y, z, vx * daysPerYear, vy * daysPerYear, vz * daysPerYear, mass * solarMass}
}

func solarSystem() []*body {
	return []*body{
		planet(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
		planet(4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01,
			1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05, 9.54791938424326609e-04),
		planet(8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01,
			-2.76742510726411899e-03, 4.99852801234917238e-03, 2.30417297573763929e-05, 2.85885980666130812e-04),
		planet(1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01,
			2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05, 4.36624404335156298e-05),
		planet(1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01,
			2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05, 5.15138902046611451e-05),
	}
}

func advance(bodies []*body, dt float64) {
	for i, a := range bodies {
		for _, b := range bodies[i+1:] {
			dx := a.x - b.x
			dy := a.y - b.y
			dz := a.z - b.z
			distance2 := dx*dx + dy*dy + dz*dz
			mag := dt / (distance2 * math.Sqrt(distance2))
			a.vx -= dx * b.mass * mag
			a.vy -= dy * b.mass * mag
			a.vz -= dz * b.mass * mag
			b.vx += dx * a.mass * mag
			b.vy += dy * a.mass * mag
			b.vz += dz * a.mass * mag
		}
	}
	for _, b := range bodies {
		b.x += dt * b.vx
		b.y += dt * b.vy
		b.z += dt * b.vz
	}
}

func energy(bodies []*body) float64 {
	e := 0.0
	for i, a := range bodies {
		e += 0.5 * a.mass * (a.vx*a.vx + a.vy*a.vy + a.vz*a.vz)
		for _, b := range bodies[i+1:] {
			dx := a.x - b.x
			dy := a.y - b.y
			dz := a.z - b.z
			e -= a.mass * b.mass / math.Sqrt(dx*dx+dy*dy+dz*dz)
		}
	}
	return e
}

// offsetMomentum gives the sun the momentum that keeps the whole system in place.
func offsetMomentum(bodies []*body) {
	px, py, pz := 0.0, 0.0, 0.0
	for _, b := range bodies {
		px += b.vx * b.mass
		py += b.vy * b.mass
		pz += b.vz * b.mass
	}
	sun := bodies[0]
	sun.vx = -px / solarMass
	sun.vy = -py / solarMass
	sun.vz = -pz / solarMass
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	bodies := solarSystem()
	offsetMomentum(bodies)
	for range n {
		advance(bodies, 0.01)
	}
	fmt.Println(int(math.Floor(energy(bodies) * 1e9)))
}
