/** The media type that a request accepts to get metadata only; a server without support for it sends whole objects. */
export const METADATA_OF_OBJECT =
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;q=0.9'
/** The same of a list. */
export const METADATA_OF_LIST =
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;q=0.9'
