package main

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

const (
	packageInvalid = "package-invalid"
	inputInvalid   = "input-invalid"
	sourceUnsafe   = "source-unsafe"
	limitExceeded  = "limit-exceeded"
	unsupported    = "unsupported"
)

// fault tells why a request failed. Its fields are those of EngineFault in engine.ts.
type fault struct {
	Code     string `json:"code"`
	Message  string `json:"message"`
	Path     string `json:"path,omitempty"`
	Line     int    `json:"line,omitempty"`
	Function string `json:"function,omitempty"`
}

func (f *fault) Error() string { return f.Message }

func faultOf(err error) *fault {
	var known *fault
	if errors.As(err, &known) {
		return known
	}
	return &fault{Code: packageInvalid, Message: strings.TrimSpace(err.Error())}
}

var (
	// Errors of text/template begin with `template: PATH:LINE:COLUMN: `, once for each template in which they are.
	place     = regexp.MustCompile(`template: ([^\n]*?):(\d+)(?::\d+)?: `)
	helmPlace = regexp.MustCompile(`^(?:parse|execution) error at \(([^\n]*?):(\d+)(?::\d+)?\): `)
	executing = regexp.MustCompile(`(?s)^executing ".*?" at `)
)

// templateFault finds the innermost place that the text of a template's error names.
func templateFault(err error, pathOf func(name string) string) *fault {
	result := &fault{Code: packageInvalid, Message: err.Error()}
	var known *fault
	if errors.As(err, &known) {
		*result = *known
	}
	text := err.Error()
	if at := helmPlace.FindStringSubmatch(text); at != nil {
		result.locate(pathOf(at[1]), at[2])
		result.Message = text[len(at[0]):]
		if strings.HasPrefix(text, "execution error") {
			result.Code = inputInvalid
		}
		return result
	}
	all := place.FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		return result
	}
	last := all[len(all)-1]
	result.locate(pathOf(text[last[2]:last[3]]), text[last[4]:last[5]])
	if known == nil {
		result.Message = executing.ReplaceAllString(text[last[1]:], "")
	}
	return result
}

func (f *fault) locate(path, line string) {
	f.Path = path
	f.Line, _ = strconv.Atoi(line)
}
