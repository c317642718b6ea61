// Validates objects as `crossplane resource validate` does: the objects of folders, by the CRDs of folders.
//
//	validator CRDS OBJECTS           prints the numbers of valid and of other objects
//	validator                        reads {"crds": [], "objects": []} from stdin again and again, and prints a result for each
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/crossplane/cli/v2/pkg/validate"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

type request struct {
	CRDs    []*extv1.CustomResourceDefinition `json:"crds"`
	Objects []*unstructured.Unstructured      `json:"objects"`
}

func main() {
	log.SetFlags(0)
	var err error
	if len(os.Args) == 3 {
		err = ofFolders(os.Args[1], os.Args[2])
	} else {
		err = ofStdin()
	}
	if err != nil {
		log.Fatal(err)
	}
}

func ofStdin() error {
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := json.NewEncoder(os.Stdout)
	for {
		var one request
		if err := in.Decode(&one); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		result, err := validate.SchemaValidate(context.Background(), one.Objects, one.CRDs)
		if err != nil {
			err = out.Encode(map[string]string{"error": err.Error()})
		} else {
			err = out.Encode(result)
		}
		if err != nil {
			return err
		}
	}
}

func ofFolders(crds, objects string) error {
	var all request
	if err := each(crds, func(content []byte) error {
		crd := &extv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(content, crd); err != nil {
			return err
		}
		if crd.Kind == "CustomResourceDefinition" {
			all.CRDs = append(all.CRDs, crd)
		}
		return nil
	}); err != nil {
		return err
	}
	if err := each(objects, func(content []byte) error {
		object := &unstructured.Unstructured{}
		all.Objects = append(all.Objects, object)
		return yaml.Unmarshal(content, &object.Object)
	}); err != nil {
		return err
	}
	result, err := validate.SchemaValidate(context.Background(), all.Objects, all.CRDs)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result.Summary)
}

// Every file of a folder has one document.
func each(folder string, read func([]byte) error) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return read(content)
	})
}
