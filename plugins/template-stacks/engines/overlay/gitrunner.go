// This file replaces the program git: nothing is fetched.
package git

import (
	"fmt"
	"time"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

type gitRunner struct{ dir filesys.ConfirmedDir }

func newCmdRunner(time.Duration) (*gitRunner, error) {
	return nil, fmt.Errorf("security; it is a remote folder")
}

func (r gitRunner) run(...string) error { return nil }
