// Command definitions prints the schemas of Kubernetes' kinds that kyaml has, one a line: its name, the kinds that it is
// for, and the schema as JSON. The program reads those that a kustomization needs; all of them, from Protocol Buffers,
// would take most of the time and of the memory of a first build.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"reflect"
	"slices"
	"strings"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/openapi/kubernetesapi/v1_21_2"
)

func main() {
	definitions, err := read(v1_21_2.MustAsset("kubernetesapi/v1_21_2/swagger.pb"))
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(definitions)) {
		text, err := textOf(definitions[name])
		if err != nil {
			log.Fatal(name, ": ", err)
		}
		fmt.Printf("%s\t%s\t%s\n", name, strings.Join(kindsOf(definitions[name]), " "), text)
	}
}

func read(document []byte) (spec.Definitions, error) {
	var message openapi_v2.Document
	if err := proto.Unmarshal(document, &message); err != nil {
		return nil, err
	}
	var swagger spec.Swagger
	if _, err := swagger.FromGnostic(&message); err != nil {
		return nil, err
	}
	return swagger.Definitions, nil
}

// textOf returns a schema as JSON with sorted keys, from which the same schema is read.
func textOf(schema spec.Schema) ([]byte, error) {
	unsorted, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(unsorted, &value); err != nil {
		return nil, err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var again spec.Schema
	if err := again.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(again, schema) {
		return nil, fmt.Errorf("another schema is read from %s", text)
	}
	return text, nil
}

// kindsOf returns the kinds that a schema is for, such as apps/v1/Deployment and v1/Pod.
func kindsOf(schema spec.Schema) []string {
	listed, _ := schema.Extensions["x-kubernetes-group-version-kind"].([]any)
	kinds := make([]string, len(listed))
	for i, each := range listed {
		kind := each.(map[string]any)
		kinds[i] = strings.TrimPrefix(fmt.Sprintf("%s/%s/%s", kind["group"], kind["version"], kind["kind"]), "/")
	}
	return kinds
}
