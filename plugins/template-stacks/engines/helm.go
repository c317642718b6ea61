package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/ignore"
	"helm.sh/helm/v3/pkg/releaseutil"
	"sigs.k8s.io/yaml"
)

// maxReleaseName is the length of a release's name that Helm allows.
const maxReleaseName = 53

type helmOutput struct {
	Engine       string             `json:"engine"`
	Templates    []renderedTemplate `json:"templates"`
	InstallOrder []string           `json:"installOrder"`
	CRDs         []string           `json:"crds"`
	Chart        chartName          `json:"chart"`
	Branches     []runBranch        `json:"branches,omitempty"`
}

type chartName struct {
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Subcharts []string `json:"subcharts"`
}

type renderedTemplate struct {
	Path      string             `json:"path"`
	Text      string             `json:"text"`
	Documents []renderedDocument `json:"documents"`
	Sources   []sourcePlace      `json:"sources,omitempty"`
}

// renderHelm does what `helm template` does, up to the sorting of objects.
func renderHelm(r request, files []file) (any, error) {
	c, err := loadChart(files)
	if err != nil {
		return nil, err
	}
	values, err := renderValues(c, r)
	if err != nil {
		return nil, err
	}
	tracer := newTracer(r.Trace)
	engine.Customize = restrict
	engine.Observe = tracer
	rendered, err := engine.Render(c, values)
	if err != nil {
		return nil, templateFault(err, below(c))
	}
	if err := tracer.addressFault(below(c)); err != nil {
		return nil, err
	}
	templates, err := renderedTemplates(c, rendered, tracer, r.MaxOutput)
	if err != nil {
		return nil, err
	}
	return helmOutput{
		Engine:       r.Engine,
		Templates:    templates,
		InstallOrder: releaseutil.InstallOrder,
		CRDs:         crdsOf(c),
		Chart:        chartName{c.Name(), c.Metadata.Version, subchartsOf(c)},
		Branches:     tracer.runBranches(below(c)),
	}, nil
}

// loadChart reads a chart as Helm reads a folder: without the files that .helmignore names.
func loadChart(files []file) (*chart.Chart, error) {
	rules := ignore.Empty()
	for _, each := range files {
		if each.path == ignore.HelmIgnore {
			parsed, err := ignore.Parse(bytes.NewReader(each.data))
			if err != nil {
				return nil, &fault{Code: packageInvalid, Message: err.Error(), Path: each.path}
			}
			rules = parsed
		}
	}
	rules.AddDefaults()
	kept := []*loader.BufferedFile{}
	for _, each := range files {
		if !isIgnored(rules, each.path) {
			data := bytes.TrimPrefix(each.data, []byte("\xEF\xBB\xBF"))
			kept = append(kept, &loader.BufferedFile{Name: each.path, Data: data})
		}
	}
	return loader.LoadFiles(kept)
}

func isIgnored(rules *ignore.Rules, name string) bool {
	for i, letter := range name {
		if letter == '/' && rules.Ignore(name[:i], entry{path.Base(name[:i]), true}) {
			return true
		}
	}
	return rules.Ignore(name, entry{path.Base(name), false})
}

// entry is a file or folder as the rules of .helmignore see it.
type entry struct {
	name  string
	isDir bool
}

func (e entry) Name() string       { return e.name }
func (e entry) Size() int64        { return 0 }
func (e entry) Mode() fs.FileMode  { return 0 }
func (e entry) ModTime() time.Time { return time.Time{} }
func (e entry) IsDir() bool        { return e.isDir }
func (e entry) Sys() any           { return nil }

// renderValues checks what Helm checks before it renders.
func renderValues(c *chart.Chart, r request) (chartutil.Values, error) {
	if isLibrary(c) {
		return nil, &fault{Code: packageInvalid, Message: "a library chart renders nothing by itself", Path: chartFile}
	}
	if missing := missingDependencies(c); len(missing) > 0 {
		return nil, &fault{
			Code:    packageInvalid,
			Message: "the folder charts/ lacks dependencies that the chart names: " + strings.Join(missing, ", "),
			Path:    chartFile,
		}
	}
	if len(r.Release.Name) > maxReleaseName {
		return nil, &fault{Code: inputInvalid, Message: fmt.Sprintf(
			"the name %s is the name of a Helm release, which has at most %d characters", r.Release.Name, maxReleaseName)}
	}
	capabilities, err := capabilitiesOf(c, r)
	if err != nil {
		return nil, err
	}
	given, err := readObject("spec", r.Values)
	if err != nil {
		return nil, err
	}
	if err := chartutil.ProcessDependenciesWithMerge(c, given); err != nil {
		return nil, err
	}
	options := chartutil.ReleaseOptions{
		Name: r.Release.Name, Namespace: r.Release.Namespace, Revision: 1, IsInstall: true,
	}
	values, err := chartutil.ToRenderValues(c, given, options, capabilities)
	if err != nil {
		return nil, schemaFault(err)
	}
	return values, nil
}

const chartFile = "Chart.yaml"

func schemaFault(err error) error {
	known := faultOf(err)
	if known.Code != packageInvalid || !strings.Contains(err.Error(), "values don't meet the specifications") {
		return known
	}
	known.Code = inputInvalid
	if strings.Contains(known.Message, chartutil.RemoteSchema) {
		known.Code = sourceUnsafe
	}
	return known
}

func capabilitiesOf(c *chart.Chart, r request) (*chartutil.Capabilities, error) {
	capabilities := chartutil.DefaultCapabilities.Copy()
	if r.KubeVersion != "" {
		version, err := chartutil.ParseKubeVersion(r.KubeVersion)
		if err != nil {
			return nil, &fault{Code: inputInvalid, Message: "the Kubernetes version " + r.KubeVersion + " is not a version"}
		}
		capabilities.KubeVersion = *version
	}
	capabilities.APIVersions = append(append(chartutil.VersionSet{}, capabilities.APIVersions...), r.APIVersions...)
	if wanted := c.Metadata.KubeVersion; wanted != "" && !chartutil.IsCompatibleRange(wanted, capabilities.KubeVersion.String()) {
		return nil, &fault{Code: packageInvalid, Path: chartFile, Message: fmt.Sprintf(
			"the chart requires Kubernetes %s, and it is rendered for %s", wanted, capabilities.KubeVersion.String())}
	}
	return capabilities, nil
}

func isLibrary(c *chart.Chart) bool { return strings.EqualFold(c.Metadata.Type, "library") }

func missingDependencies(c *chart.Chart) []string {
	present := map[string]bool{}
	missing := []string{}
	for _, each := range c.Dependencies() {
		present[each.Name()] = true
		missing = append(missing, missingDependencies(each)...)
	}
	for _, each := range c.Metadata.Dependencies {
		if each != nil && !present[each.Name] {
			missing = append(missing, each.Name)
		}
	}
	return missing
}

// below returns the path of a template within the chart, from the name that Helm gives it.
func below(c *chart.Chart) func(string) string {
	return func(name string) string { return strings.TrimPrefix(name, c.Name()+"/") }
}

func renderedTemplates(c *chart.Chart, rendered map[string]string, t *tracer, limit int) ([]renderedTemplate, error) {
	templates := []renderedTemplate{}
	size := 0
	for _, name := range sortedNames(rendered) {
		text := rendered[name]
		if size += len(text); size > limit {
			return nil, outputFault(limit)
		}
		path := below(c)(name)
		if !utf8.ValidString(text) {
			return nil, &fault{Code: packageInvalid, Message: "it prints text that is not UTF-8", Path: path}
		}
		templates = append(templates, renderedTemplate{path, text, documentsOf(text), t.sources(name, text, below(c))})
	}
	return templates, nil
}

func outputFault(limit int) error {
	return &fault{Code: limitExceeded, Message: fmt.Sprintf("the output is larger than %d MiB", limit>>20)}
}

func crdsOf(c *chart.Chart) []string {
	paths := []string{}
	for _, each := range c.CRDObjects() {
		paths = append(paths, below(c)(each.Filename))
	}
	return paths
}

func subchartsOf(c *chart.Chart) []string {
	names := []string{}
	for _, each := range c.Dependencies() {
		names = append(names, each.Name())
	}
	return names
}

type hook struct {
	Kind   string   `json:"kind"`
	Name   string   `json:"name"`
	Events []string `json:"events"`
}

// hookOf returns what a document says if Helm would run it as a hook.
func hookOf(document string) *hook {
	const annotation = "helm.sh/hook"
	if !strings.Contains(document, annotation) {
		return nil
	}
	var head releaseutil.SimpleHead
	if yaml.Unmarshal([]byte(document), &head) != nil || head.Metadata == nil {
		return nil
	}
	events, isHook := head.Metadata.Annotations[annotation]
	if !isHook {
		return nil
	}
	names := strings.Split(events, ",")
	for i, name := range names {
		names[i] = strings.ToLower(strings.TrimSpace(name))
	}
	return &hook{head.Kind, head.Metadata.Name, names}
}
