//go:build !race

package soak

const underRace = false
