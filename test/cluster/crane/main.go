// Serves a registry with the referrers API of OCI 1.1, which docker-registry does not have, in memory.
package main

import (
	"io"
	"log"
	"net/http"
	"os"

	"github.com/google/go-containerregistry/pkg/registry"
)

func main() {
	handler := registry.New(registry.WithReferrersSupport(true), registry.Logger(log.New(io.Discard, "", 0)))
	log.Fatal(http.ListenAndServe(os.Args[1], handler))
}
