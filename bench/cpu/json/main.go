//go:build ignore

// JSON: encodes and decodes a list of n records, three times.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
)

type position struct {
	X    int    `json:"x"`
	Name string `json:"name"`
}

type item struct {
	ID     int      `json:"id"`
	Name   string   `json:"name"`
	Price  float64  `json:"price"`
	Active bool     `json:"active"`
	Tags   []string `json:"tags"`
	Pos    position `json:"pos"`
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var items []item
	for i := range n {
		items = append(items, item{
			ID:     i,
			Name:   "item number " + strconv.Itoa(i),
			Price:  float64(i) + 0.25,
			Active: i%2 == 0,
			Tags:   []string{"alpha", "beta", `gamma "quoted"`},
			Pos:    position{X: i * 2, Name: "nested"},
		})
	}
	sum := 0
	for range 3 {
		text, err := json.Marshal(items)
		if err != nil {
			panic(err)
		}
		var decoded []item
		if err := json.Unmarshal(text, &decoded); err != nil {
			panic(err)
		}
		for _, item := range decoded {
			sum += item.ID + len(item.Tags)
		}
	}
	fmt.Println(sum)
}
