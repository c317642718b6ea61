import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../../src/yaml/json-value.js'
import type {FrozenEdits} from './frozen-edits.js'

const API = 'pkg.crossplane.io/v1'
const PKG = `/apis/${API}`
/** The path of the Lock. */
export const LOCK = '/apis/pkg.crossplane.io/v1beta1/locks/lock'

/** A move that a cluster accepts. */
export interface GoodMove {
  readonly name: 'same' | 'build' | 'name' | 'family'
  readonly args: readonly string[]
  /** The packages that move: from where, to where, and a CRD of each. */
  readonly packages: readonly {
    readonly from: string
    readonly to: string
    readonly repository: string
    readonly place: string
    readonly crd: string
  }[]
}

/** What a defect needs to break a cluster. */
export interface Broken {
  readonly edits: FrozenEdits
  readonly move: GoodMove
  /** One of the packages that move. */
  readonly one: GoodMove['packages'][number]
  readonly random: () => number
  /** `HOST/PREFIX/PATH` */
  readonly at: (path: string) => string
}

/** What is wrong with a cluster, or with what is to move there, and what the program says of it. */
export interface Defect {
  readonly moves?: readonly GoodMove['name'][]
  readonly says: RegExp
  /** The exit code, if it can be another one besides 5. */
  readonly status?: number
  readonly args?: (args: readonly string[], at: Broken['at']) => readonly string[]
  readonly breaks?: (broken: Broken) => Promise<void>
}

/** The path of the request of a provider. */
export const providerPath = (name: string) => `${PKG}/providers/${name}`
/** The path of a revision of a provider. */
export const revisionPath = (name: string) => `${PKG}/providerrevisions/${name}`

/** The active revision of one package that moves. */
export async function revisionOf({edits, one}: Broken): Promise<string> {
  return asText(asObject((await edits.read(providerPath(one.from))).status).currentRevision)
}

/** Merges metadata, spec and status into an object. */
export function merged(more: {readonly [section in 'metadata' | 'spec' | 'status']?: JsonObject}) {
  return (object: JsonObject): JsonObject => ({
    ...object,
    metadata: {...asObject(object.metadata), ...more.metadata},
    spec: {...asObject(object.spec), ...more.spec},
    ...(object.status === undefined ? {} : {status: {...asObject(object.status), ...more.status}}),
  })
}

/** Adds annotations to an object. */
export function annotated(annotations: JsonObject) {
  return (object: JsonObject): JsonObject => {
    const {annotations: own} = asObject(object.metadata)
    return merged({metadata: {annotations: {...asObject(own), ...annotations}}})(object)
  }
}

/** Replaces a condition of an object. */
export function withCondition(type: string, status: string, message: string) {
  return (object: JsonObject): JsonObject => {
    const all = asObjects(asObject(object.status).conditions)
    const own = {...all.find(condition => condition.type === type), type, status, message, reason: 'Broken'}
    const others = all.filter(condition => condition.type !== type)
    const lastTransitionTime = '2026-01-01T00:00:00Z'
    return {
      ...object,
      status: {...asObject(object.status), conditions: [...others, {lastTransitionTime, ...own}]},
    }
  }
}

/** Edits the packages of the Lock. */
export function withPackages(edited: (packages: readonly JsonObject[]) => readonly JsonValue[]) {
  return (lock: JsonObject): JsonObject => ({...lock, packages: [...edited(asObjects(lock.packages))]})
}

/** A request that a user has applied. */
export function provider(name: string, reference: string, metadata: JsonObject = {}): JsonObject {
  return {apiVersion: API, kind: 'Provider', metadata: {name, ...metadata}, spec: {package: reference}}
}

/** Has images read from somewhere else. */
export function imageConfig(prefix: string, rewritten: string): JsonObject {
  const spec = {matchImages: [{type: 'Prefix', prefix}], rewriteImage: {prefix: rewritten}}
  return {apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'ImageConfig', metadata: {name: 'rewrites'}, spec}
}

/** Has entries of the Lock require a repository. */
export async function requires(
  edits: FrozenEdits,
  names: readonly string[],
  repository: string,
): Promise<void> {
  const needed = {apiVersion: API, kind: 'Provider', package: repository, constraints: '>=v1.0.0'}
  await edits.change(
    LOCK,
    withPackages(all =>
      all.map(entry =>
        names.some(name => asText(entry.name).startsWith(name))
          ? {...entry, dependencies: [...asObjects(entry.dependencies), needed]}
          : entry,
      ),
    ),
  )
}
