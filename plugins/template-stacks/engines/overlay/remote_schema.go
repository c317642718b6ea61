package chartutil

import "errors"

// RemoteSchema is part of the error of a schema that refers to another address.
const RemoteSchema = "only references within values.schema.json are followed"

type remoteSchema struct{}

func (remoteSchema) Load(string) (any, error) { return nil, errors.New(RemoteSchema) }
