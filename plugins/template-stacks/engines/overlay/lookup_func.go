// This file replaces Helm's access to clusters. It adds what the program of the engines needs to know of a rendering.
package engine

import (
	"strings"
	"text/template"
)

// ClientProvider is unused: there are no clusters.
type ClientProvider interface{}

type lookupFunc = func(apiVersion, resource, namespace, name string) (map[string]any, error)

func newLookupFunction(ClientProvider) lookupFunc {
	return func(string, string, string, string) (map[string]any, error) { return map[string]any{}, nil }
}

// Observer receives what happens while templates are rendered.
type Observer interface {
	// Functions adds the observer's own functions.
	Functions(template.FuncMap)
	// Parsed is called after each file.
	Parsed(file, text string, t *template.Template)
	// Begin is called before a file is executed; output grows while it is.
	Begin(file string, output *strings.Builder)
	// Enter and Leave surround what a template prints to a text other than its own.
	Enter()
	Leave()
}

var (
	// Customize changes the functions of templates.
	Customize = func(template.FuncMap) {}
	// Observe is called once for each rendering.
	Observe Observer
)

// Functions returns the functions of Helm's templates, without those that are bound to one rendering.
func Functions() template.FuncMap { return funcMap() }

func isNotes(file string) bool { return strings.HasSuffix(file, "NOTES.txt") }
