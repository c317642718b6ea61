package main

import (
	"path"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

type kustomizeOutput struct {
	Engine string `json:"engine"`
	Text   string `json:"text"`
}

// renderKustomize builds a folder as `kustomize build` does, with the order of objects of v0.4.0's kustomize. Schemas that
// an earlier kustomization brought are none of its own.
func renderKustomize(r request, files []file) (any, error) {
	openapi.ResetOpenAPI()
	memory := filesys.MakeFsInMemory()
	for _, each := range files {
		if err := memory.WriteFile("/"+each.path, each.data); err != nil {
			return nil, &fault{Code: packageInvalid, Message: err.Error(), Path: each.path}
		}
	}
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionLegacy
	objects, err := krusty.MakeKustomizer(options).Run(memory, path.Join("/", r.Folder))
	if err != nil {
		return nil, kustomizeFault(err, memory)
	}
	text, err := objects.AsYaml()
	if err != nil {
		return nil, err
	}
	if len(text) > r.MaxOutput {
		return nil, outputFault(r.MaxOutput)
	}
	return kustomizeOutput{r.Engine, string(text)}, nil
}
