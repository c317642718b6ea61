package main

import (
	"regexp"
	"sort"
	"strings"
)

type renderedDocument struct {
	Text string `json:"text"`
	Line int    `json:"line"`
	Hook *hook  `json:"hook,omitempty"`
}

// separator is the one of Helm's SplitManifests.
var separator = regexp.MustCompile(`(?:^|\s*\n)---\s*`)

// documentsOf splits a text as Helm does, and keeps the line at which each document begins.
func documentsOf(text string) []renderedDocument {
	documents := []renderedDocument{}
	whole := strings.TrimSpace(text)
	lead := strings.Index(text, whole)
	start, end := lead, lead+len(whole)
	counted, line := 0, 1
	add := func(from, to int) {
		part := text[from:to]
		trimmed := strings.TrimSpace(part)
		if trimmed == "" {
			return
		}
		from += strings.Index(part, trimmed)
		// Documents come in the order of their places.
		line += strings.Count(text[counted:from], "\n")
		counted = from
		documents = append(documents, renderedDocument{trimmed, line, hookOf(trimmed)})
	}
	for _, found := range separator.FindAllStringIndex(text[lead:end], -1) {
		add(start, lead+found[0])
		start = lead + found[1]
	}
	add(start, end)
	return documents
}

func sortedNames[V any](all map[string]V) []string {
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
