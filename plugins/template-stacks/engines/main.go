// Command engines is the program of the template engines: Helm 3, kustomize and Go templates behind two functions
// that a host calls. It runs as a WebAssembly reactor: one instance answers many requests, one after the other.
package main

import (
	"encoding/binary"
	"encoding/json"
	"unsafe"
)

var input, output []byte

// reserve returns the place where the host writes a request of this size.
//
//go:wasmexport reserve
func reserve(size uint32) uint32 {
	output = nil
	input = make([]byte, size+1)[:size]
	return address(input)
}

// handle answers the request; the upper half of the result is the place of the response, the lower half its size.
//
//go:wasmexport handle
func handle() uint64 {
	output = respond(input)
	input = nil
	return uint64(address(output))<<32 | uint64(len(output))
}

func address(bytes []byte) uint32 {
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(bytes))))
}

// request is the header of a request; the contents of its files follow it, one after the other.
type request struct {
	Op          string       `json:"op"`
	Engine      string       `json:"engine"`
	MaxOutput   int          `json:"maxOutput"`
	Trace       bool         `json:"trace"`
	Files       []fileHeader `json:"files"`
	Release     release      `json:"release"`
	Values      string       `json:"values"`
	KubeVersion string       `json:"kubeVersion"`
	APIVersions []string     `json:"apiVersions"`
	Folder      string       `json:"folder"`
	Templates   []namedText  `json:"templates"`
	Partials    []namedText  `json:"partials"`
	Variables   string       `json:"variables"`
}

type release struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

type fileHeader struct {
	Path string `json:"path"`
	Size int    `json:"size"`
}

type file struct {
	path string
	data []byte
}

type response struct {
	Result any    `json:"result,omitempty"`
	Fault  *fault `json:"fault,omitempty"`
}

func respond(message []byte) []byte {
	size := binary.LittleEndian.Uint32(message)
	var r request
	if err := json.Unmarshal(message[4:4+size], &r); err != nil {
		return encode(response{Fault: &fault{Code: packageInvalid, Message: err.Error()}})
	}
	result, err := answer(r, filesOf(r.Files, message[4+size:]))
	if err != nil {
		return encode(response{Fault: faultOf(err)})
	}
	return encode(response{Result: result})
}

func filesOf(headers []fileHeader, contents []byte) []file {
	files := make([]file, len(headers))
	for i, header := range headers {
		files[i] = file{header.Path, contents[:header.Size:header.Size]}
		contents = contents[header.Size:]
	}
	return files
}

func answer(r request, files []file) (any, error) {
	switch r.Op + " " + r.Engine {
	case "render helm3":
		return renderHelm(r, files)
	case "render kustomize":
		return renderKustomize(r, files)
	case "render gotemplate":
		return renderGoTemplates(r)
	case "inspect helm3":
		return inspectChart(files)
	case "inspect gotemplate":
		return inspectTexts(r), nil
	}
	return nil, &fault{Code: unsupported, Message: "the engine " + r.Engine + " does not exist"}
}

func encode(r response) []byte {
	text, err := json.Marshal(r)
	if err != nil {
		text, _ = json.Marshal(response{Fault: &fault{Code: packageInvalid, Message: err.Error()}})
	}
	return text
}

func main() {}
