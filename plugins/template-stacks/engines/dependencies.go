package main

import (
	"fmt"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
)

// enabled are the subcharts of a chart as if each was enabled.
type enabled struct {
	// reads are the values that decide about subcharts, or that a chart takes from them.
	reads [][]string
	// names are those of charts with an alias, by the aliases on the way to them.
	names map[string]string
}

// enableAll gives every subchart its alias and the values that it exports, whatever the values say about it.
func enableAll(c *chart.Chart) (enabled, error) {
	all := enabled{[][]string{}, map[string]string{}}
	all.collect(c, nil)
	withoutConditions(c)
	return all, chartutil.ProcessDependenciesWithMerge(c, map[string]any{})
}

func withoutConditions(c *chart.Chart) {
	for _, each := range c.Metadata.Dependencies {
		if each != nil {
			each.Condition, each.Tags = "", nil
		}
	}
	for _, each := range c.Dependencies() {
		withoutConditions(each)
	}
}

func (e *enabled) collect(c *chart.Chart, within []string) {
	below := map[string][]string{}
	for _, each := range c.Metadata.Dependencies {
		if each == nil {
			continue
		}
		name := each.Name
		if each.Alias != "" {
			name = each.Alias
			e.names[strings.Join(inside(within, name), "/")] = each.Name
		}
		e.collectReads(each, within, name)
		below[each.Name] = append(below[each.Name], name)
	}
	for _, each := range c.Dependencies() {
		names := below[each.Name()]
		if len(names) == 0 {
			names = []string{each.Name()}
		}
		for _, name := range names {
			e.collect(each, inside(within, name))
		}
	}
}

func (e *enabled) collectReads(dependency *chart.Dependency, within []string, name string) {
	for _, condition := range strings.Split(dependency.Condition, ",") {
		if path := strings.TrimSpace(condition); path != "" {
			e.reads = append(e.reads, inside(within, strings.Split(path, ".")...))
		}
	}
	for _, tag := range dependency.Tags {
		e.reads = append(e.reads, []string{"tags", tag})
	}
	for _, imported := range dependency.ImportValues {
		child := fmt.Sprintf("exports.%v", imported)
		if table, isTable := imported.(map[string]any); isTable {
			child = fmt.Sprint(table["child"])
		}
		e.reads = append(e.reads, inside(within, append([]string{name}, strings.Split(child, ".")...)...))
	}
}

// sourceOf returns the path of a template with the names of charts instead of their aliases.
func (e *enabled) sourceOf(path string, within []string) string {
	for i, alias := range within {
		if name, isAlias := e.names[strings.Join(within[:i+1], "/")]; isAlias {
			parts := strings.Split(path, "/")
			if at := 2*i + 1; at < len(parts) && parts[at] == alias {
				parts[at] = name
				path = strings.Join(parts, "/")
			}
		}
	}
	return path
}

func inside(within []string, names ...string) []string {
	return append(append([]string{}, within...), names...)
}
