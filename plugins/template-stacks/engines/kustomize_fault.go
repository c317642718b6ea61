package main

import (
	"path"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// Kustomize reads each resource as a file, then as a folder, and tells both errors; one of them is of no interest.
var (
	triedAsFile = regexp.MustCompile(
		`^accumulating resources: accumulation err='accumulating resources from '[^']*': '[^']*' must resolve to a file': `)
	triedAsFolder  = regexp.MustCompile(`(?s)^accumulating resources: accumulation err='(.*)': must build at directory: .*$`)
	triedAsAddress = regexp.MustCompile(
		`(?s)^accumulating resources: accumulation err='accumulating resources from '([^']*)': .*': security; it is a remote folder$`)
	inFolder  = regexp.MustCompile(`^(?:recursed accumulation of path|couldn't make target for path) '/?([^']*)': `)
	inFile    = regexp.MustCompile(`^(?:accumulating resources: )?(?:accumulating|merging) resources from '([^']*)': `)
	atLine    = regexp.MustCompile(`^MalformedYAMLError: yaml: line (\d+): (.*) in File: \S+$`)
	missing   = regexp.MustCompile(`^accumulating resources from '([^']*)': '[^']*' doesn't exist$`)
	remote    = regexp.MustCompile(`^accumulating resources from '[^']*': (security; \S+ is a remote file)$`)
	generator = regexp.MustCompile(`merging from generator &\{.*?\}: `)
)

// fileNames are those that a kustomization can have.
var fileNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// kustomizeFault finds the innermost kustomization that an error names.
func kustomizeFault(err error, files filesys.FileSystem) *fault {
	result := faultOf(err)
	if result.Code != packageInvalid {
		return result
	}
	folder := result.shorten()
	for _, name := range fileNames {
		if file := path.Join(folder, name); result.Path == "" && folder != "" && files.Exists("/"+file) {
			result.Path = file
		}
	}
	if at := inFile.FindStringSubmatch(result.Message); at != nil && files.Exists(path.Join("/", folder, at[1])) {
		result.Path, result.Message = path.Join(folder, at[1]), result.Message[len(at[0]):]
	}
	if at := atLine.FindStringSubmatch(result.Message); at != nil {
		result.locate(result.Path, at[1])
		result.Message = "invalid YAML: " + at[2]
	}
	result.explain()
	return result
}

// shorten removes what surrounds the cause, and returns the folder in which it is.
func (f *fault) shorten() string {
	folder := ""
	text := generator.ReplaceAllString(f.Message, "")
	for {
		before := text
		text = triedAsFile.ReplaceAllString(text, "")
		if at := inFolder.FindStringSubmatch(text); at != nil {
			folder, text = at[1], text[len(at[0]):]
		}
		if text == before {
			break
		}
	}
	text = triedAsFolder.ReplaceAllString(text, "$1")
	text = missing.ReplaceAllString(text, "$1 does not exist in the package")
	text = remote.ReplaceAllString(text, "$1")
	f.Message = triedAsAddress.ReplaceAllString(text, "$1 is a remote folder")
	return folder
}

// explain names what a package cannot have.
func (f *fault) explain() {
	for _, sign := range []string{"security;", "is not in or below", "cannot be absolute", "is a remote"} {
		if strings.Contains(f.Message, sign) {
			f.Code = sourceUnsafe
		}
	}
	f.Message = strings.ReplaceAll(f.Message, "security; ", "")
	if strings.HasSuffix(f.Message, "must specify --enable-helm") {
		f.Code = unsupported
		f.Message = "charts in a kustomization are not rendered: add the output of helm template to its resources"
	}
	if plugin, isPlugin := strings.CutPrefix(f.Message, "external plugins disabled; unable to load external plugin "); isPlugin {
		f.Code = unsupported
		f.Message = "plugins that are programs or images are not run: " + strings.Trim(plugin, "'")
	}
}
