import {
  type DiagnosticCollector,
  readPart,
  type SourceDocument,
  type TypedPart,
} from '../../unpack/diagnostics.js'
import {type GoTypes, readAs} from '../../unpack/go/go-types.js'
import {KUBERNETES_TYPES} from '../../unpack/go/kubernetes-types.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {XPKG_TYPES} from './xpkg-types.js'

const TYPES: GoTypes = {...KUBERNETES_TYPES, ...XPKG_TYPES}

/**
 * Reads a document as its Go type, and returns what the core and the crossplane CLI write of it: without unknown fields, with
 * those that Go always writes; and the places of wrong values.
 */
export function typedDocument(
  document: SourceDocument,
  value: JsonObject,
  type: string,
  collector: DiagnosticCollector,
): TypedPart {
  return readPart(document, [], value, {type, types: TYPES, scalars: 'exact'}, collector)
}

/** Returns a value as its Go type has it. */
export function typedValue(value: JsonObject, type: string): JsonObject {
  return readAs(type, TYPES, value, 'exact').value
}
