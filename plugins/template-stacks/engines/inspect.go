package main

import (
	"encoding/json"
	"path"
	"strings"
	"text/template"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// templateFacts has the fields of TemplateFacts in engine.ts.
type templateFacts struct {
	Templates []*parsedTemplate `json:"templates"`
	Defaults  string            `json:"defaults"`
	Schema    string            `json:"schema,omitempty"`
	Chart     *chartFacts       `json:"chart,omitempty"`
}

type chartFacts struct {
	Name                string   `json:"name"`
	Version             string   `json:"version"`
	APIVersion          string   `json:"apiVersion"`
	Library             bool     `json:"library"`
	KubeVersion         string   `json:"kubeVersion,omitempty"`
	Subcharts           []string `json:"subcharts"`
	MissingDependencies []string `json:"missingDependencies"`
	CRDs                []string `json:"crds"`
	// Files counts those of the chart and its subcharts, without the ones that .helmignore names.
	Files int `json:"files"`
	// Reads are values that Chart.yaml reads: conditions and tags of subcharts, and what it imports from them.
	Reads [][]string `json:"reads"`
}

// inspectChart parses the templates of a chart and of its subcharts.
func inspectChart(files []file) (any, error) {
	c, err := loadChart(files)
	if err != nil {
		return nil, err
	}
	facts := factsOf(c)
	dependencies, err := enableAll(c)
	if err != nil {
		return nil, err
	}
	facts.Reads = dependencies.reads
	functions := engine.Functions()
	restrict(functions)
	all := newReader(functions)
	addChart(all, c, nil, func(name string, within []string) (string, string) {
		path := below(c)(name)
		return path, dependencies.sourceOf(path, within)
	})
	values, err := chartutil.CoalesceValues(c, map[string]any{})
	if err != nil {
		return nil, err
	}
	defaults, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	return templateFacts{all.read(), string(defaults), string(c.Schema), facts}, nil
}

// addChart adds the templates of a chart; `within` names it and the charts in which it is, but for the first.
func addChart(all *reader, c *chart.Chart, within []string, pathOf func(name string, within []string) (path, source string)) {
	for _, each := range c.Templates {
		name := path.Join(c.ChartFullPath(), each.Name)
		place, source := pathOf(name, within)
		all.add(sourceText{
			name: name, path: place, source: source, text: string(each.Data), within: within,
			isNotes: strings.HasSuffix(name, "NOTES.txt"), isPartial: strings.HasPrefix(path.Base(name), "_"),
		})
	}
	for _, each := range c.Dependencies() {
		addChart(all, each, inside(within, each.Name()), pathOf)
	}
}

func factsOf(c *chart.Chart) *chartFacts {
	return &chartFacts{
		Name: c.Name(), Version: c.Metadata.Version, APIVersion: c.Metadata.APIVersion, Library: isLibrary(c),
		KubeVersion: c.Metadata.KubeVersion, Subcharts: subchartsOf(c),
		MissingDependencies: missingDependencies(c), CRDs: crdsOf(c), Files: countFiles(c),
	}
}

func countFiles(c *chart.Chart) int {
	count := len(c.Templates) + len(c.Files)
	for _, each := range c.Dependencies() {
		count += countFiles(each)
	}
	return count
}

// inspectTexts parses Go templates and their partials, each with definitions of its own.
func inspectTexts(r request) any {
	functions := textFunctions(func(string, string) (string, error) { return "", nil })
	parsed := []*parsedTemplate{}
	for _, each := range append(append([]namedText{}, r.Templates...), r.Partials...) {
		all := newReader(functions)
		all.add(sourceText{name: each.path(), path: each.path(), text: each.Text})
		parsed = append(parsed, all.read()...)
	}
	return templateFacts{Templates: parsed, Defaults: "{}"}
}

// textFunctions returns the functions of Go templates.
func textFunctions(include func(key, name string) (string, error)) template.FuncMap {
	functions := engine.Functions()
	restrict(functions)
	for _, bound := range []string{"tpl", "lookup"} {
		delete(functions, bound)
	}
	functions["include"] = include
	functions["required"] = required
	functions["fail"] = func(message string) (string, error) { return "", stopped(message) }
	return functions
}
