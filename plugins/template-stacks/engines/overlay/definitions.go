package openapi

import (
	"strings"
	"sync"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/openapi/kubernetesapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// definition is the schema of a kind of Kubernetes, or of a part of some. It is read when a kustomization first needs it.
type definition func() *spec.Schema

type kubernetesDefinitions struct {
	byName map[string]definition
	byKind map[yaml.TypeMeta]definition
}

var kubernetes = sync.OnceValue(func() kubernetesDefinitions {
	read := kubernetesDefinitions{map[string]definition{}, map[yaml.TypeMeta]definition{}}
	text := string(kubernetesapi.OpenAPIMustAsset[kubernetesOpenAPIDefaultVersion](""))
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(line, "\t")
		kinds, schema, _ := strings.Cut(rest, "\t")
		read.byName[name] = sync.OnceValue(func() *spec.Schema { return parsed(schema) })
		for _, kind := range strings.Fields(kinds) {
			at := strings.LastIndex(kind, "/")
			read.byKind[yaml.TypeMeta{APIVersion: kind[:at], Kind: kind[at+1:]}] = read.byName[name]
		}
	}
	return read
})

func parsed(text string) *spec.Schema {
	var schema spec.Schema
	if err := schema.UnmarshalJSON([]byte(text)); err != nil {
		panic(err)
	}
	return &schema
}

// useKubernetes takes Kubernetes' definitions in place of all of their names and kinds that there were before.
func useKubernetes() {
	globalSchema.usesKubernetes = true
	for name := range globalSchema.schema.Definitions {
		if _, found := kubernetes().byName[name]; found {
			delete(globalSchema.schema.Definitions, name)
		}
	}
	for kind := range globalSchema.schemaByResourceType {
		if _, found := kubernetes().byKind[kind]; found {
			delete(globalSchema.schemaByResourceType, kind)
		}
	}
}

// schemaOf returns the schema of a kind: that which was added for it, or Kubernetes' own.
func schemaOf(kind yaml.TypeMeta) (*spec.Schema, bool) {
	if schema, found := globalSchema.schemaByResourceType[kind]; found || !globalSchema.usesKubernetes {
		return schema, found
	}
	definition, found := kubernetes().byKind[kind]
	if !found {
		return nil, false
	}
	return definition(), true
}

// addReferenced adds the definition of Kubernetes that a reference names, unless there is one of that name.
func addReferenced(ref *spec.Ref) {
	name, found := strings.CutPrefix(ref.String(), "#/definitions/")
	if !found || !globalSchema.usesKubernetes {
		return
	}
	if _, found := globalSchema.schema.Definitions[name]; found {
		return
	}
	if definition, found := kubernetes().byName[name]; found {
		globalSchema.schema.Definitions[name] = *definition()
	}
}
