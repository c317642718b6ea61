import {undescribed} from '../crd/undescribed.js'
import {ownVersions} from '../crd/convert/convert-crd.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asObject, asText, type JsonObject} from '../yaml/json-value.js'

/** What users of a package depend on: its schemas, and facts of its metadata and install. */
export interface PackageSurface {
  readonly crds: readonly CrdSurface[]
  readonly facts: SurfaceFacts
  /** What could not be read, with the reason. */
  readonly unread: readonly UnreadPart[]
}

/** How much is read. */
export interface SurfaceOptions {
  /** Whether schemas keep their descriptions, most of the text of a CRD. */
  readonly isDescribed: boolean
}

/** Texts that a package has or lacks, by their kind. */
type SurfaceFacts = Readonly<Record<FactKind, readonly string[]>>

/** The kinds of facts, in the order of reports. */
export const FACT_KINDS = [
  ...['permission', 'image', 'capability', 'dependency', 'function', 'composition'],
] as readonly FactKind[]

/** A kind of facts. `function` is one that a Composition or an operation calls. */
export type FactKind = 'permission' | 'image' | 'capability' | 'dependency' | 'function' | 'composition'

/** A part of a package that could not be read. */
export interface UnreadPart {
  readonly name: string
  readonly reason: string
}

/** A CRD that a cluster has if the package is installed, or the input of a function, which Compositions have. */
export interface CrdSurface {
  /** `PLURAL.GROUP` */
  readonly name: string
  readonly kind: string
  readonly source: CrdSource
  /** As in v1. */
  readonly spec: JsonObject
  readonly connectionKeys: readonly string[]
  /** Whether a ManagedResourceDefinition is inactive as the package has it. */
  readonly isInactive: boolean
}

/** What a CRD comes from: claims have one of their own. */
export type CrdSource = 'crd' | 'mrd' | 'xrd' | 'claim' | 'function-input'

/** Returns what users depend on of a CRD in v1; without descriptions, unless the options keep them. */
export function crdSurface(
  {metadata, spec}: KubernetesObject,
  source: CrdSource,
  {isDescribed = false, ...more}: CrdOptions = {},
): CrdSurface {
  const own = asObject(spec)
  return {
    name: metadata.name,
    kind: asText(asObject(own.names).kind),
    source,
    spec: {...own, versions: isDescribed ? ownVersions(own) : ownVersions(own).map(withoutTexts)},
    connectionKeys: [],
    isInactive: false,
    ...more,
  }
}

type CrdOptions = Partial<SurfaceOptions & Pick<CrdSurface, 'connectionKeys' | 'isInactive'>>

function withoutTexts({schema, ...version}: JsonObject): JsonObject {
  const {openAPIV3Schema} = asObject(schema)
  return {...version, schema: {openAPIV3Schema: undescribed(asObject(openAPIV3Schema))}}
}
