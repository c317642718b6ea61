package main

import (
	"fmt"
	"sort"
	"strings"
	"text/template"
	"text/template/parse"
)

// markName is the function that a traced template calls before each of its nodes.
const markName = "kubectlCrossplaneTraceMark"

type runBranch struct {
	Path string `json:"path"`
	ID   int    `json:"id"`
}

type sourcePlace struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

// tracer records which branches of templates run, and where the text that they print is from. For that it puts a node
// before each node of a parsed template: an `if` without content, which prints nothing and sets nothing.
type tracer struct {
	enabled bool
	marks   []mark
	seen    map[*parse.Tree]bool
	ran     map[runBranch]bool
	printed map[string][]printedMark
	file    string
	output  *strings.Builder
	depth   int
	// addresses is what fmt has counted before the present file; unstable is a file that printed some.
	addresses int
	unstable  string
}

type mark struct {
	sourcePlace
	branch int
	isText bool
}

// printedMark is the number of a mark with the size that the output had when it was reached.
type printedMark struct {
	number, offset int
}

func newTracer(enabled bool) *tracer {
	return &tracer{
		enabled: enabled,
		seen:    map[*parse.Tree]bool{},
		ran:     map[runBranch]bool{},
		printed: map[string][]printedMark{},

		addresses: fmt.Addresses,
	}
}

func (t *tracer) Functions(functions template.FuncMap) {
	if t.enabled {
		functions[markName] = t.reach
	}
}

func (t *tracer) Begin(file string, output *strings.Builder) {
	if t.depth == 0 {
		t.noteAddresses()
		t.file, t.output = file, output
	}
}

func (t *tracer) noteAddresses() {
	if fmt.Addresses != t.addresses {
		t.addresses, t.unstable = fmt.Addresses, t.file
	}
}

// addressFault is about a file that printed where a value is in memory, which is elsewhere in the next process.
func (t *tracer) addressFault(pathOf func(string) string) error {
	t.noteAddresses()
	if t.unstable == "" {
		return nil
	}
	return &fault{Code: packageInvalid, Path: pathOf(t.unstable), Message: "it prints the address of a value, which is another " +
		"at each call: as printf \"%p\" does, or printing .Chart.Maintainers as a whole"}
}

func (t *tracer) Enter() { t.depth++ }
func (t *tracer) Leave() { t.depth-- }

// Parsed puts marks into what a file defines.
func (t *tracer) Parsed(file, text string, parsed *template.Template) {
	if !t.enabled {
		return
	}
	for _, each := range parsed.Templates() {
		if each.Tree != nil && each.Tree.ParseName == file && !t.seen[each.Tree] {
			t.seen[each.Tree] = true
			marker{t, file, linesOf(text)}.markList(each.Tree.Root, noBranch)
		}
	}
}

const noBranch = -1

// marker puts marks into the templates of one file.
type marker struct {
	*tracer
	file  string
	lines lineStarts
}

func (m marker) markList(list *parse.ListNode, branch int) {
	if list == nil {
		return
	}
	nodes := make([]parse.Node, 0, 2*len(list.Nodes)+1)
	if branch != noBranch {
		nodes = append(nodes, m.newMark(list, branch))
	}
	for _, node := range list.Nodes {
		nodes = append(nodes, m.newMark(node, noBranch), node)
		if branches := branchesOf(node); branches != nil {
			m.markList(branches.List, branchID(branches, false))
			m.markList(branches.ElseList, branchID(branches, true))
		}
	}
	list.Nodes = nodes
}

func (m marker) newMark(node parse.Node, branch int) parse.Node {
	_, isText := node.(*parse.TextNode)
	m.marks = append(m.marks, mark{sourcePlace{m.file, m.lines.lineAt(node.Position())}, branch, isText})
	number := len(m.marks) - 1
	call := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: node.Position(), Args: []parse.Node{
		parse.NewIdentifier(markName).SetPos(node.Position()),
		&parse.NumberNode{NodeType: parse.NodeNumber, Pos: node.Position(), IsInt: true, Int64: int64(number), Text: "mark"},
	}}
	pipe := &parse.PipeNode{NodeType: parse.NodePipe, Pos: node.Position(), Cmds: []*parse.CommandNode{call}}
	empty := &parse.ListNode{NodeType: parse.NodeList, Pos: node.Position()}
	return &parse.IfNode{BranchNode: parse.BranchNode{NodeType: parse.NodeIf, Pos: node.Position(), Pipe: pipe, List: empty}}
}

func (t *tracer) reach(number int) bool {
	reached := t.marks[number]
	if reached.branch != noBranch {
		t.ran[runBranch{reached.Path, reached.branch}] = true
	}
	if t.depth == 0 && t.output != nil {
		t.print(printedMark{number, t.output.Len()})
	}
	return false
}

// print keeps a mark instead of the one before it, if no line begins between them: there are never more marks than lines.
func (t *tracer) print(reached printedMark) {
	all := t.printed[t.file]
	if last := len(all) - 1; last >= 0 && !beginsLine(t.output.String(), all[last].offset, reached.offset) {
		all[last] = reached
		return
	}
	t.printed[t.file] = append(all, reached)
}

// beginsLine tells if a line of a text begins at a place from `start` on, but before `end`.
func beginsLine(text string, start, end int) bool {
	if start == end {
		return false
	}
	return start == 0 || strings.IndexByte(text[start-1:end-1], '\n') >= 0
}

func (t *tracer) runBranches(pathOf func(string) string) []runBranch {
	branches := make([]runBranch, 0, len(t.ran))
	for each := range t.ran {
		branches = append(branches, runBranch{pathOf(each.Path), each.ID})
	}
	sort.Slice(branches, func(i, j int) bool {
		a, b := branches[i], branches[j]
		return a.Path < b.Path || a.Path == b.Path && a.ID < b.ID
	})
	return branches
}

// sources returns for each line of a text the place of the node that printed its first character.
func (t *tracer) sources(file, text string, pathOf func(string) string) []sourcePlace {
	marks := t.printed[file]
	if len(marks) == 0 {
		return nil
	}
	places := make([]sourcePlace, 0, 1+strings.Count(text, "\n"))
	paths := map[string]string{}
	for offset, next, line := 0, 0, 0; offset < len(text); line++ {
		for next+1 < len(marks) && marks[next+1].offset <= offset {
			next++
			line = 0
			if marks[next].offset < offset {
				line = 1
			}
		}
		found := t.marks[marks[next].number]
		if _, isKnown := paths[found.Path]; !isKnown {
			paths[found.Path] = pathOf(found.Path)
		}
		place := sourcePlace{paths[found.Path], found.Line}
		if found.isText {
			place.Line += line
		}
		places = append(places, place)
		end := strings.IndexByte(text[offset:], '\n')
		if end < 0 {
			break
		}
		offset += end + 1
	}
	return places
}

// branchesOf returns the branches of an `if`, `with` or `range`.
func branchesOf(node parse.Node) *parse.BranchNode {
	switch typed := node.(type) {
	case *parse.IfNode:
		return &typed.BranchNode
	case *parse.WithNode:
		return &typed.BranchNode
	case *parse.RangeNode:
		return &typed.BranchNode
	}
	return nil
}

// branchID is unique within a file: twice the place of the node, and one more for its `else`.
func branchID(branches *parse.BranchNode, isElse bool) int {
	id := 2 * int(branches.Pos)
	if isElse {
		id++
	}
	return id
}
