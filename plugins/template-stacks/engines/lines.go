package main

import (
	"sort"
	"text/template/parse"
)

// lineStarts are the places of a text at which its lines begin.
type lineStarts []int

func linesOf(text string) lineStarts {
	starts := lineStarts{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// lineAt counts from 1.
func (l lineStarts) lineAt(position parse.Pos) int {
	return sort.SearchInts(l, int(position)+1)
}
