package main

import (
	"sort"
	"strings"
	"text/template"
	"text/template/parse"
)

// sourceText is a file of templates. `within` are the subcharts in which it is: their values are below those names.
type sourceText struct {
	name, path, text string
	// source is the path with the names of charts instead of their aliases.
	source             string
	within             []string
	isNotes, isPartial bool
}

type parsedTemplate struct {
	Path      string        `json:"path"`
	Source    string        `json:"source,omitempty"`
	Fault     *fault        `json:"fault,omitempty"`
	Notes     bool          `json:"notes,omitempty"`
	Reads     []fieldRead   `json:"reads"`
	Functions []functionUse `json:"functions"`
	Branches  []branch      `json:"branches"`
	Defines   []namedPlace  `json:"defines"`
	Uses      []namedPlace  `json:"uses"`
	Dynamic   bool          `json:"dynamic"`
}

type fieldRead struct {
	Field []string `json:"field"`
	Line  int      `json:"line"`
	Whole bool     `json:"whole"`
}

type functionUse struct {
	Name     string `json:"name"`
	Line     int    `json:"line"`
	Rejected string `json:"rejected,omitempty"`
}

type branch struct {
	ID   int    `json:"id"`
	Line int    `json:"line"`
	Text string `json:"text"`
	Kind string `json:"kind"`
}

type namedPlace struct {
	Name string `json:"name"`
	Line int    `json:"line"`
}

// reader parses files of templates, and finds what they read without executing them.
type reader struct {
	functions []map[string]any
	files     map[string]*readFile
	defined   map[string]*parse.Tree
	reached   map[string]bool
}

type readFile struct {
	sourceText
	lines  lineStarts
	parsed *parsedTemplate
	trees  []*parse.Tree
}

// builtins are the functions of text/template, which the parser does not know by itself.
var builtins = map[string]any{
	"and": 0, "break": 0, "call": 0, "continue": 0, "eq": 0, "ge": 0, "gt": 0, "html": 0, "index": 0, "js": 0, "le": 0,
	"len": 0, "lt": 0, "ne": 0, "not": 0, "or": 0, "print": 0, "printf": 0, "println": 0, "slice": 0, "urlquery": 0,
}

func newReader(functions template.FuncMap) *reader {
	return &reader{
		functions: []map[string]any{functions, builtins},
		files:     map[string]*readFile{},
		defined:   map[string]*parse.Tree{},
		reached:   map[string]bool{},
	}
}

func (r *reader) add(source sourceText) {
	parsed := &parsedTemplate{
		Path: source.path, Notes: source.isNotes, Reads: []fieldRead{}, Functions: []functionUse{},
		Branches: []branch{}, Defines: []namedPlace{}, Uses: []namedPlace{},
	}
	if source.source != source.path {
		parsed.Source = source.source
	}
	file := &readFile{sourceText: source, lines: linesOf(source.text), parsed: parsed}
	r.files[source.name] = file
	trees, err := parse.Parse(source.name, source.text, "", "", r.functions...)
	if err != nil {
		parsed.Fault = templateFault(err, func(string) string { return source.path })
		return
	}
	for _, name := range sortedNames(trees) {
		tree := trees[name]
		file.trees = append(file.trees, tree)
		if name == source.name {
			continue
		}
		r.defined[name] = tree
		parsed.Defines = append(parsed.Defines, namedPlace{name, file.lines.lineAt(tree.Root.Position())})
	}
}

// read follows each file from its top, then the named templates that nothing has reached, whose data is then unknown.
func (r *reader) read() []*parsedTemplate {
	all := []*parsedTemplate{}
	for _, name := range sortedNames(r.files) {
		file := r.files[name]
		all = append(all, file.parsed)
		for _, tree := range file.trees {
			r.list(file, tree.Root)
			if tree.Name == name && !file.isPartial {
				r.follow(tree, &data{path: []string{}}, file.within, 0)
			}
		}
	}
	for _, name := range sortedNames(r.defined) {
		if !r.reached[name] {
			r.follow(r.defined[name], &data{path: []string{}, assumed: true}, r.files[r.defined[name].ParseName].within, 0)
		}
	}
	for _, each := range all {
		each.Reads = distinctReads(each.Reads)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Path < all[j].Path })
	return all
}

// list lists functions, branches and uses, which do not depend on data.
func (r *reader) list(file *readFile, list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		switch typed := node.(type) {
		case *parse.ActionNode:
			r.listPipe(file, typed.Pipe)
		case *parse.TemplateNode:
			file.parsed.Uses = append(file.parsed.Uses, namedPlace{typed.Name, file.lines.lineAt(typed.Pos)})
			r.listPipe(file, typed.Pipe)
		default:
			r.listBranches(file, node)
		}
	}
}

func (r *reader) listBranches(file *readFile, node parse.Node) {
	branches := branchesOf(node)
	if branches == nil {
		return
	}
	kind := map[parse.NodeType]string{parse.NodeIf: "if", parse.NodeWith: "with", parse.NodeRange: "range"}[node.Type()]
	line := file.lines.lineAt(branches.Pipe.Pos)
	add := func(isElse bool, line int, kind, text string) {
		file.parsed.Branches = append(file.parsed.Branches, branch{branchID(branches, isElse), line, text, kind})
	}
	add(false, line, kind, kind+" "+branches.Pipe.String())
	r.listPipe(file, branches.Pipe)
	r.list(file, branches.List)
	if branches.ElseList != nil {
		add(true, file.lines.lineAt(branches.ElseList.Pos), "else", "else")
		r.list(file, branches.ElseList)
	}
}

func (r *reader) listPipe(file *readFile, pipe *parse.PipeNode) {
	if pipe == nil {
		return
	}
	for _, command := range pipe.Cmds {
		for i, argument := range command.Args {
			switch typed := argument.(type) {
			case *parse.IdentifierNode:
				r.listFunction(file, command, i, typed)
			case *parse.PipeNode:
				r.listPipe(file, typed)
			case *parse.ChainNode:
				if inner, isPipe := typed.Node.(*parse.PipeNode); isPipe {
					r.listPipe(file, inner)
				}
			}
		}
	}
}

func (r *reader) listFunction(file *readFile, command *parse.CommandNode, at int, name *parse.IdentifierNode) {
	line := file.lines.lineAt(name.Pos)
	use := functionUse{Name: name.Ident, Line: line, Rejected: rejected[name.Ident]}
	file.parsed.Functions = append(file.parsed.Functions, use)
	if name.Ident == "tpl" {
		file.parsed.Dynamic = true
	}
	if name.Ident != "include" || at != 0 {
		return
	}
	if used, isConstant := constantAt(command, 1); isConstant {
		file.parsed.Uses = append(file.parsed.Uses, namedPlace{used, line})
	} else {
		file.parsed.Dynamic = true
	}
}

func constantAt(command *parse.CommandNode, at int) (string, bool) {
	if at >= len(command.Args) {
		return "", false
	}
	text, isText := command.Args[at].(*parse.StringNode)
	if !isText {
		return "", false
	}
	return text.Text, true
}

func distinctReads(reads []fieldRead) []fieldRead {
	key := func(read fieldRead) string { return strings.Join(read.Field, "\x00") }
	sort.SliceStable(reads, func(i, j int) bool {
		a, b := reads[i], reads[j]
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		if key(a) != key(b) {
			return key(a) < key(b)
		}
		return a.Whole && !b.Whole
	})
	kept := []fieldRead{}
	for i, read := range reads {
		if i == 0 || read.Line != reads[i-1].Line || key(read) != key(reads[i-1]) {
			kept = append(kept, read)
		}
	}
	return kept
}
