// Lists tar archives as Go's archive/tar reads them, so that tests can compare. Standard input is a sequence of
// archives, each after its length in four bytes, big endian; standard output gets a line of JSON for each.
package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"os"
	"strings"
)

// Name and LinkName are bytes, which JSON holds as base64.
type entry struct {
	Name     []byte `json:"name"`
	LinkName []byte `json:"linkName"`
	Type     string `json:"type"`
	IsSparse bool   `json:"isSparse"`
	Content  string `json:"content,omitempty"`
}

type listing struct {
	Entries []entry `json:"entries"`
	Error   string  `json:"error,omitempty"`
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for {
		var size uint32
		if err := binary.Read(in, binary.BigEndian, &size); err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		archive := make([]byte, size)
		if _, err := io.ReadFull(in, archive); err != nil {
			log.Fatal(err)
		}
		if err := out.Encode(list(archive)); err != nil {
			log.Fatal(err)
		}
	}
}

func list(archive []byte) listing {
	found := listing{Entries: []entry{}}
	// Not a bytes.Reader, which can seek: layers are streams.
	reader := tar.NewReader(io.MultiReader(bytes.NewReader(archive)))
	for {
		header, err := reader.Next()
		if err == io.EOF {
			return found
		}
		if err != nil {
			found.Error = err.Error()
			return found
		}
		next := entry{
			Name:     []byte(header.Name),
			LinkName: []byte(header.Linkname),
			Type:     string(rune(header.Typeflag)),
			IsSparse: header.Typeflag == tar.TypeGNUSparse || hasSparseRecord(header),
		}
		if header.Typeflag == tar.TypeReg && !next.IsSparse {
			hash := sha256.New()
			if _, err := io.Copy(hash, reader); err != nil {
				found.Error = err.Error()
				return found
			}
			next.Content = hex.EncodeToString(hash.Sum(nil))
		}
		found.Entries = append(found.Entries, next)
	}
}

func hasSparseRecord(header *tar.Header) bool {
	for key := range header.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}
