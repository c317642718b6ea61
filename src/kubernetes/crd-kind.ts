import {asObject, type JsonObject} from '../yaml/json-value.js'

/** The kind of CRDs. */
export const CRD_KIND = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}

/** Reports whether an object, or the name of one, is that of a CRD; false for undefined. */
export function isCrd(object: {readonly kind: string} | undefined): boolean {
  return object?.kind === CRD_KIND.kind
}

/**
 * Returns the schema of a version of a CRD, XRD or MRD; empty without one. @param spec - has the schema of all versions where this one
 * has none, as only in v1beta1.
 */
export function schemaOf({schema}: JsonObject, spec: JsonObject = {}): JsonObject {
  return asObject(asObject(schema ?? spec.validation).openAPIV3Schema)
}
