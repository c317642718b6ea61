import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {isDigest} from '../../../reference/image-name.js'
import {asObject, asText, type JsonValue} from '../../../yaml/json-value.js'
import {parsedJson} from '../../../yaml/parsed-json.js'
import type {CoreRequest, CoreState, LockDependency} from '../state/core-state.js'
import {isOurs} from './requested-as.js'

/**
 * The annotation on requests that skip the resolver of the core, with what their packages require: the Lock does not have it.
 * Only what is applied to a cluster has it.
 */
export const REQUIRES = 'kubectl-crossplane/requires'

/** Characters. All annotations of an object have 256 KiB. */
const MAX_LENGTH = 32 * 1024

/** A package, and what it requires. */
export interface Requirer {
  readonly repository: string
  readonly dependencies: readonly Pick<LockDependency, 'repository' | 'constraint'>[]
}

/** Which package of a cluster requires which. */
export interface Requirements {
  readonly requirers: readonly Requirer[]
  /** Requests of which nothing in the cluster says what they require. */
  readonly unknown: readonly CoreRequest[]
}

/** Returns what the Lock says and, of packages that the core does not resolve, what their requests record. */
export function requirementsOf({requests, lock}: Pick<CoreState, 'requests' | 'lock'>): Requirements {
  const skipping = requests.filter(({isResolved}) => !isResolved)
  const recorded = skipping.flatMap(request => recordedRequires(request) ?? [])
  const names = new Set(recorded.map(({repository}) => repository))
  // The entry of a package that the core resolved before stays in the Lock.
  const requirers = [...lock.entries.filter(({repository}) => !names.has(repository)), ...recorded]
  const all = new Set(requirers.map(({repository}) => repository))
  return {requirers, unknown: skipping.filter(({repository}) => !all.has(repository))}
}

/** Reports of requests in a cluster whether the package of one requires that of another one. */
export function requiring(
  core: Pick<CoreState, 'requests' | 'lock'>,
): (one: Pick<CoreRequest, 'repository'>, other: Pick<CoreRequest, 'repository'>) => boolean {
  const {requirers} = requirementsOf(core)
  return (one, other) =>
    requirers.some(
      ({repository, dependencies}) =>
        repository === one.repository && dependencies.some(entry => entry.repository === other.repository),
    )
}

/** Returns the packages that are requested by digest alone, and that others require by version: no digest satisfies a constraint. */
export function requestedByDigest(core: Pick<CoreState, 'requests' | 'lock'>): readonly string[] {
  const required = new Set(
    requirementsOf(core)
      .requirers.flatMap(({dependencies}) => dependencies)
      .filter(({constraint}) => !isDigest(constraint))
      .map(({repository}) => repository),
  )
  return core.requests
    .filter(
      ({repository, tag, digest}) => tag === undefined && digest !== undefined && required.has(repository),
    )
    .map(({repository}) => repository)
}

/** Records what a package requires in its request, if the core does not resolve that. A text that would be too long is left out. */
export function withRequires(
  object: KubernetesObject,
  dependencies: readonly {readonly package: string; readonly version: string}[],
): KubernetesObject {
  const {package: reference, skipDependencyResolution} = asObject(object.spec)
  if (skipDependencyResolution !== true) return object
  const requires = dependencies.map(({package: repository, version}) => `${repository} ${version}`)
  const text = JSON.stringify({package: asText(reference), requires})
  if (text.length > MAX_LENGTH) return object
  const annotations = {...object.metadata.annotations, [REQUIRES]: text}
  return {...object, metadata: {...object.metadata, annotations}}
}

/** Anyone who may change a request can write the text. One for another version of the package does not count. */
function recordedRequires({object, repository, reference}: CoreRequest): Requirer | undefined {
  const text = isOurs(object) ? object.metadata.annotations?.[REQUIRES] : undefined
  if (text === undefined || text.length > MAX_LENGTH) return undefined
  const {package: recorded, requires} = asObject(parsedJson(text))
  if (recorded !== reference || !Array.isArray(requires)) return undefined
  const dependencies = (requires as readonly JsonValue[]).map(entry => dependencyOf(asText(entry)))
  return dependencies.some(one => one.repository === '') ? undefined : {repository, dependencies}
}

function dependencyOf(text: string): Requirer['dependencies'][number] {
  const [repository = '', ...rest] = text.split(' ')
  return {repository, constraint: rest.join(' ')}
}
