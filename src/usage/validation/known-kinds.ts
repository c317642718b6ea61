import {schemaOf} from '../../kubernetes/crd-kind.js'
import {ownVersions} from '../../crd/convert/convert-crd.js'
import type {Schema} from '../../crd/schema-node.js'
import {groupOf, versionOf} from '../../kubernetes/object-key.js'
import {crdOfMrd, crdsOfXrd} from '../../xpkg/content/xrd-crds.js'
import {asObject, asObjects, asText, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import type {SurfacePackage} from '../compare-sets.js'
import type {UsedObject} from '../objects/used-object.js'
import {kindKey, setKinds} from '../set-kinds.js'

/** A kind in a version that an API server serves. */
export interface KnownKind {
  readonly schema: Schema
  readonly isNamespaced: boolean
  /** Whether the status is a subresource, so that the status of what users write is ignored. */
  readonly hasStatus: boolean
  /** Whether the version is the one that is stored; of an XRD, the one that is referenceable. */
  readonly isStored: boolean
}

/** Reports whether a composite resource is one of Crossplane v2: only these get a Secret that is a composed resource. */
export function isModern({schema}: KnownKind): boolean {
  const {spec} = asObject(schema.properties)
  return asObject(asObject(spec).properties).crossplane !== undefined
}

/** The kinds of a set of packages, and of definitions among the objects. */
export interface KnownKinds {
  /** Returns a kind, or the reason why there is none; undefined where no definition has it. */
  of(apiVersion: string, kind: string): KnownKind | string | undefined
  /** Returns the schema of an input of a function. */
  inputOf(apiVersion: string, kind: string): Schema | undefined
}

/** Collects kinds; definitions among the objects replace those of packages, as they do when they are applied. */
export function knownKinds(packages: readonly SurfacePackage[], objects: readonly UsedObject[]): KnownKinds {
  const kinds = new Map([...setKinds(packages)].map(([key, {crd}]): [string, DefinedSpec] => [key, crd]))
  const inputs = setKinds(packages, 'functions')
  for (const {value} of objects)
    for (const spec of definedBy(value))
      kinds.set(kindKey(asText(spec.group), asText(asObject(spec.names).kind)), {spec, isInactive: false})
  const cached = new Map<string, KnownKind | string | undefined>()
  return {
    of: (apiVersion, kind) => {
      const key = `${apiVersion} ${kind}`
      if (!cached.has(key)) cached.set(key, definedKind(kinds.get(keyOf(apiVersion, kind)), apiVersion))
      return cached.get(key)
    },
    inputOf: (apiVersion, kind) => {
      const input = definedKind(inputs.get(keyOf(apiVersion, kind))?.crd, apiVersion)
      return typeof input === 'object' ? input.schema : undefined
    },
  }
}

function keyOf(apiVersion: string, kind: string): string {
  return kindKey(groupOf(apiVersion), kind)
}

interface DefinedSpec {
  readonly spec: JsonObject
  readonly isInactive: boolean
}

function definedKind(
  definition: DefinedSpec | undefined,
  apiVersion: string,
): KnownKind | string | undefined {
  if (definition === undefined) return undefined
  const {spec, isInactive} = definition
  if (isInactive) return 'no ManagedResourceActivationPolicy activates it'
  const version = ownVersions(spec).find(({name}) => name === versionOf(apiVersion))
  if (version?.served !== true) return `version ${versionOf(apiVersion)} is not served`
  return {
    schema: schemaOf(version),
    isNamespaced: spec.scope !== 'Cluster',
    hasStatus: isJsonObject(asObject(version.subresources).status),
    isStored: version.storage === true,
  }
}

/** Returns the specs of the CRDs that a definition leads to. */
function definedBy(value: JsonObject): readonly JsonObject[] {
  const apiVersion = asText(value.apiVersion)
  if (apiVersion === 'apiextensions.k8s.io/v1' && value.kind === 'CustomResourceDefinition')
    return [asObject(value.spec)]
  if (groupOf(apiVersion) !== 'apiextensions.crossplane.io') return []
  if (value.kind === 'CompositeResourceDefinition')
    return crdsOfXrd(withSchemas(value)).map(({spec}) => asObject(spec))
  return value.kind === 'ManagedResourceDefinition' ? [asObject(crdOfMrd(value).spec)] : []
}

/** An XRD can have a version without a schema. */
function withSchemas(xrd: JsonObject): JsonObject {
  const spec = asObject(xrd.spec)
  const versions = asObjects(spec.versions).map(version => ({
    ...version,
    schema: {openAPIV3Schema: schemaOf(version)},
  }))
  return {...xrd, spec: {...spec, versions}}
}
