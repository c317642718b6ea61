import {schemaOf} from '../kubernetes/crd-kind.js'
import {undescribed} from '../crd/undescribed.js'
import {ownVersions} from '../crd/convert/convert-crd.js'
import {listAll} from '../text.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {groupOf} from '../kubernetes/object-key.js'
import type {ClosurePackage} from '../render/xpkg/closure.js'
import {type ComposedUse, composedUses, type UnreadStep} from '../xpkg/content/composed-kinds.js'
import type {CompositionChoice} from '../xpkg/content/xrd-crds.js'
import {asObject, asText, type FieldPath, type JsonObject} from '../yaml/json-value.js'

/** What users of a package depend on: its schemas, and facts of its metadata and install. */
export interface PackageSurface {
  readonly crds: readonly CrdSurface[]
  readonly facts: SurfaceFacts
  /** What could not be read, with the reason. */
  readonly unread: readonly UnreadPart[]
  /** Absent for a package of Crossplane v0.12, whose kinds are always active. */
  readonly activation?: SurfaceActivation
  /** The Compositions as Crossplane decodes them; absent unless they are requested, and of packages without any. */
  readonly compositions?: readonly JsonObject[]
}

/** What decides which managed resources are active, and what uses them. */
interface SurfaceActivation extends Pick<ClosurePackage, 'kind' | 'capabilities' | 'objects'> {
  /** The ManagedResourceActivationPolicies of the package. */
  readonly policies: readonly KubernetesObject[]
  readonly compositions: readonly ComposingObject[]
}

/** A Composition or an operation, with the kinds that it composes. */
export interface ComposingObject {
  readonly kind: string
  readonly name: string
  readonly file: string
  /** The kind of the composite resources that a Composition is for, in any version. */
  readonly of?: {readonly group: string; readonly kind: string}
  readonly uses: readonly (Omit<ComposedUse, 'place'> & {readonly line: number})[]
  readonly unread: readonly (Omit<UnreadStep, 'place'> & {readonly line: number})[]
}

/** Port: what was read of packages before. What fails or is missing is read again. */
export interface SurfaceCache {
  surface(key: string): Promise<JsonObject | undefined>
  rememberSurface(key: string, surface: JsonObject): Promise<void>
}

/** How much is read. */
export interface SurfaceOptions {
  /** Whether schemas keep their descriptions, most of the text of a CRD. */
  readonly isDescribed: boolean
  /** Whether Compositions are read as a whole, and not only what they compose. */
  readonly hasCompositions: boolean
  /** What was read before. */
  readonly cache?: SurfaceCache | undefined
  /** The specs that the cache had for other packages of the same run. */
  readonly specs?: KnownSpecs
}

/** Specs of CRDs by their texts. */
export type KnownSpecs = Map<string, JsonObject>

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
  /** How composite resources and claims select their Composition. */
  readonly choice?: CompositionChoice
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

/**
 * Returns the keys that connection details no longer have. An XRD without a list publishes all keys, so that its removal loses none, and a new list
 * loses what is not in it.
 */
export function lostConnectionKeys(before: NamedKeys, after: NamedKeys): readonly string[] {
  const [old, now] = [before.connectionKeys, after.connectionKeys]
  const isFilter = after.source === 'xrd' || after.source === 'claim'
  if (isFilter && now.length === 0) return []
  if (isFilter && old.length === 0) return [`keys other than ${listAll(now)}`]
  return old.filter(key => !now.includes(key))
}

type NamedKeys = Pick<CrdSurface, 'source' | 'connectionKeys'>

type CrdOptions = Partial<
  Pick<SurfaceOptions, 'isDescribed'> & Pick<CrdSurface, 'connectionKeys' | 'isInactive' | 'choice'>
>

function withoutTexts(version: JsonObject): JsonObject {
  return {...version, schema: {openAPIV3Schema: undescribed(schemaOf(version))}}
}

/** Returns what a Composition or an operation composes, with the lines of its file. */
export function composingObject(
  object: JsonObject,
  file: string,
  lineOf: (path: FieldPath) => number,
): ComposingObject {
  const {uses, unread} = composedUses(object)
  const type = asObject(asObject(object.spec).compositeTypeRef)
  const kind = asText(type.kind)
  return {
    ...{kind: asText(object.kind), name: asText(asObject(object.metadata).name), file},
    ...(kind === '' ? {} : {of: {group: groupOf(asText(type.apiVersion)), kind}}),
    uses: uses.map(({place, ...use}) => ({...use, line: lineOf(place)})),
    unread: unread.map(({place, ...step}) => ({...step, line: lineOf(place)})),
  }
}
