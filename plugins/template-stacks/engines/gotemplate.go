package main

import (
	"fmt"
	"strings"
	"text/template"
	"unicode/utf8"
)

// maxIncludes is the depth of partials within partials.
const maxIncludes = 100

type namedText struct {
	Key  string `json:"key,omitempty"`
	Name string `json:"name"`
	Text string `json:"text"`
	Path string `json:"path,omitempty"`
}

func (n namedText) path() string {
	switch {
	case n.Path != "":
		return n.Path
	case n.Key != "":
		return n.Key + "/" + n.Name
	}
	return n.Name
}

type goTemplateOutput struct {
	Engine   string             `json:"engine"`
	Results  []goTemplateResult `json:"results"`
	Branches []runBranch        `json:"branches,omitempty"`
}

type goTemplateResult struct {
	Name    string        `json:"name"`
	Text    *string       `json:"text,omitempty"`
	Sources []sourcePlace `json:"sources,omitempty"`
	Fault   *fault        `json:"fault,omitempty"`
}

// texts renders Go templates, each with definitions of its own, over the same variables.
type texts struct {
	variables map[string]any
	partials  map[[2]string]namedText
	tracer    *tracer
	depth     int
}

// renderGoTemplates renders each template on its own, so that an error in one does not stop the others.
func renderGoTemplates(r request) (any, error) {
	variables, err := readObject("variables", r.Variables)
	if err != nil {
		return nil, err
	}
	all := texts{variables, partialsOf(r.Partials), newTracer(r.Trace), 0}
	results := []goTemplateResult{}
	size := 0
	for _, each := range r.Templates {
		result := all.result(each)
		if result.Text != nil {
			size += len(*result.Text)
		}
		if size > r.MaxOutput {
			return nil, outputFault(r.MaxOutput)
		}
		results = append(results, result)
	}
	return goTemplateOutput{r.Engine, results, all.tracer.runBranches(same)}, nil
}

func same(path string) string { return path }

func partialsOf(all []namedText) map[[2]string]namedText {
	partials := map[[2]string]namedText{}
	for _, each := range all {
		partials[[2]string{each.Key, each.Name}] = each
	}
	return partials
}

func (t *texts) result(text namedText) goTemplateResult {
	t.tracer.unstable = ""
	printed, err := t.execute(text)
	if err == nil {
		err = t.tracer.addressFault(same)
	}
	if err == nil && !utf8.ValidString(printed) {
		err = &fault{Code: packageInvalid, Message: "it prints text that is not UTF-8", Path: text.path()}
	}
	if err != nil {
		return goTemplateResult{Name: text.Name, Fault: templateFault(err, same)}
	}
	sources := t.tracer.sources(text.path(), printed, same)
	return goTemplateResult{Name: text.Name, Text: &printed, Sources: sources}
}

func (t *texts) execute(text namedText) (string, error) {
	functions := textFunctions(t.include)
	t.tracer.Functions(functions)
	parsed, err := template.New(text.path()).Option("missingkey=zero").Funcs(functions).Parse(text.Text)
	if err != nil {
		return "", err
	}
	t.tracer.Parsed(text.path(), text.Text, parsed)
	var buffer strings.Builder
	t.tracer.Begin(text.path(), &buffer)
	err = parsed.Execute(&buffer, t.variables)
	return strings.ReplaceAll(buffer.String(), "<no value>", ""), err
}

// include prints a partial over the same variables.
func (t *texts) include(key, name string) (string, error) {
	partial, exists := t.partials[[2]string{key, name}]
	if !exists {
		return "", &fault{Code: packageInvalid, Message: fmt.Sprintf("the partial %q of %q does not exist", name, key)}
	}
	if t.depth == maxIncludes {
		return "", &fault{Code: limitExceeded, Message: fmt.Sprintf("partials include one another more than %d deep", maxIncludes)}
	}
	t.depth++
	t.tracer.Enter()
	defer func() { t.depth--; t.tracer.Leave() }()
	return t.execute(partial)
}

func required(message string, value any) (any, error) {
	if value == nil || value == "" {
		return nil, stopped(message)
	}
	return value, nil
}

// stopped is the error of a template that rejects its input.
func stopped(message string) error {
	return &fault{Code: inputInvalid, Message: message}
}
