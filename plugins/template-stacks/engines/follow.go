package main

import "text/template/parse"

// maxFollowed is how deep named templates within named templates are followed.
const maxFollowed = 20

// data is what is known of a value in a template: a place below the root, or a map with known keys, or nothing.
type data struct {
	path []string
	keys map[string]*data
	// assumed data may be another: only what all templates have is below its path.
	assumed bool
}

func (d *data) at(names []string) *data {
	for _, name := range names {
		switch {
		case d == nil:
			return nil
		case d.keys != nil:
			d = d.keys[name]
		default:
			d = &data{path: append(append([]string{}, d.path...), name), assumed: d.assumed}
		}
	}
	return d
}

// walk follows one template over its data, and records the fields that it reads.
type walk struct {
	*reader
	file      *readFile
	within    []string
	depth     int
	variables map[string]*data
}

// roots are the names that the data of a template has: those of Helm, and those of named templates.
var roots = map[string]bool{
	"Values": true, "Release": true, "Chart": true, "Files": true, "Capabilities": true, "Template": true, "Subcharts": true,
	"spec": true, "status": true, "metadata": true, "errors": true,
}

func (r *reader) follow(tree *parse.Tree, dot *data, within []string, depth int) {
	r.reached[tree.Name] = true
	file := r.files[tree.ParseName]
	if depth > maxFollowed || file == nil {
		return
	}
	walk{r, file, within, depth, map[string]*data{"$": dot}}.list(tree.Root, dot)
}

func (w walk) list(list *parse.ListNode, dot *data) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		switch typed := node.(type) {
		case *parse.ActionNode:
			value := w.pipe(typed.Pipe, dot)
			if len(typed.Pipe.Decl) == 0 {
				w.record(value, typed.Pos, true)
			}
			w.declare(typed.Pipe, value)
		case *parse.TemplateNode:
			w.enter(typed.Name, w.optional(typed.Pipe, dot))
		default:
			w.branches(node, dot)
		}
	}
}

func (w walk) optional(pipe *parse.PipeNode, dot *data) *data {
	if pipe == nil {
		return nil
	}
	return w.pipe(pipe, dot)
}

func (w walk) branches(node parse.Node, dot *data) {
	branches := branchesOf(node)
	if branches == nil {
		return
	}
	value := w.pipe(branches.Pipe, dot)
	inner := dot
	switch node.Type() {
	case parse.NodeIf:
		w.record(value, branches.Pipe.Pos, true)
		w.declare(branches.Pipe, value)
	case parse.NodeWith:
		w.record(value, branches.Pipe.Pos, false)
		w.declare(branches.Pipe, value)
		inner = value
	case parse.NodeRange:
		w.record(value, branches.Pipe.Pos, true)
		w.declare(branches.Pipe, nil)
		inner = nil
	}
	w.list(branches.List, inner)
	w.list(branches.ElseList, dot)
}

func (w walk) declare(pipe *parse.PipeNode, value *data) {
	for _, variable := range pipe.Decl {
		w.variables[variable.Ident[0]] = value
	}
}

func (w walk) enter(name string, dot *data) {
	if tree := w.defined[name]; tree != nil {
		w.follow(tree, dot, w.within, w.depth+1)
	}
}

// pipe returns what is known of the value of a pipeline, and records what its functions take.
func (w walk) pipe(pipe *parse.PipeNode, dot *data) *data {
	var value *data
	for i, command := range pipe.Cmds {
		if i > 0 {
			w.record(value, pipe.Pos, true)
		}
		value = w.command(command, dot)
	}
	return value
}

func (w walk) command(command *parse.CommandNode, dot *data) *data {
	name, isFunction := command.Args[0].(*parse.IdentifierNode)
	if !isFunction {
		return w.value(command.Args[0], dot)
	}
	arguments := command.Args[1:]
	switch name.Ident {
	case "include":
		if used, isConstant := constantAt(command, 1); isConstant && len(arguments) == 2 {
			w.enter(used, w.value(arguments[1], dot))
			return nil
		}
	case "dict":
		return w.dict(arguments, dot)
	case "index", "get":
		if value := w.indexed(command, dot); value != nil {
			return value
		}
	}
	for _, argument := range arguments {
		w.record(w.value(argument, dot), argument.Position(), true)
	}
	return nil
}

func (w walk) dict(arguments []parse.Node, dot *data) *data {
	keys := map[string]*data{}
	for i := 0; i+1 < len(arguments); i += 2 {
		value := w.value(arguments[i+1], dot)
		if key, isText := arguments[i].(*parse.StringNode); isText {
			keys[key.Text] = value
		}
		if value != nil && len(value.path) > 1 {
			w.record(value, arguments[i+1].Position(), true)
		}
	}
	return &data{keys: keys}
}

// indexed is the value below constant keys.
func (w walk) indexed(command *parse.CommandNode, dot *data) *data {
	value := w.value(command.Args[1], dot)
	for i := 2; i < len(command.Args); i++ {
		key, isConstant := constantAt(command, i)
		if !isConstant {
			w.record(value, command.Pos, true)
			return nil
		}
		value = value.at([]string{key})
	}
	return value
}

func (w walk) value(node parse.Node, dot *data) *data {
	switch typed := node.(type) {
	case *parse.DotNode:
		return dot
	case *parse.FieldNode:
		return dot.at(typed.Ident)
	case *parse.VariableNode:
		return w.variables[typed.Ident[0]].at(typed.Ident[1:])
	case *parse.ChainNode:
		return w.value(typed.Node, dot).at(typed.Field)
	case *parse.PipeNode:
		return w.pipe(typed, dot)
	}
	return nil
}

// record notes a read; the values of a subchart are below its name in those of the chart, but for the global ones.
func (w walk) record(value *data, position parse.Pos, whole bool) {
	if value == nil || value.keys != nil || len(value.path) == 0 {
		return
	}
	field := value.path
	if value.assumed && !roots[field[0]] {
		return
	}
	if field[0] == "Values" && (len(field) == 1 || field[1] != "global") {
		field = append(append([]string{"Values"}, w.within...), field[1:]...)
	}
	read := fieldRead{Field: field, Line: w.file.lines.lineAt(position), Whole: whole}
	w.file.parsed.Reads = append(w.file.parsed.Reads, read)
}
