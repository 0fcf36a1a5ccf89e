//go:build ignore

// Start-up only: what the timings of the other programs are reduced by.
package main

func main() {}
