import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {ClosurePackage} from '../../../render/xpkg/closure.js'
import {PAUSED} from '../../../render/xpkg/request-object.js'
import type {XpkgSetObject} from '../../../render/xpkg/xpkg-set.js'
import {escaped} from '../../../text.js'
import {asObject, asObjects, asText} from '../../../yaml/json-value.js'
import {appliedSettings} from './applied-settings.js'
import {lockRejections} from './cluster-names.js'
import {
  type CoreRequest,
  type CoreState,
  isPackageRequest,
  type RequestKind,
  stateOf,
} from '../state/core-state.js'
import {isMadeByCore} from './judge-package-object.js'
import {byHand} from './lock/repair-by-hand.js'
import {movingRejections} from './move-continuation.js'
import {coreReference} from './read-core-object.js'
import {appliesPause} from './paused-requests.js'
import {withRequires} from './recorded-requires.js'
import {isOurs, REQUESTED_AS, requestedAs} from './requested-as.js'
import {resolverCommandIn} from './resolver-change.js'

/** A rendered set as it is applied to a cluster, and what keeps it from being applied. */
export interface DesiredPackages {
  readonly objects: readonly XpkgSetObject[]
  readonly rejections: readonly Diagnostic[]
}

/** What a set was rendered from. */
export interface RequestedSet {
  /** The tag, digest or constraint of the requested packages, by repository. */
  readonly roots: ReadonlyMap<string, string>
  /** The packages whose settings the command decides, also if it gives none: all others keep theirs. */
  readonly configured: ReadonlySet<string>
  /** The packages with an entry in a declaration, which alone decides whether they are paused. */
  readonly entries?: ReadonlySet<string>
  /** The packages of the set, with what they require. */
  readonly packages: readonly Pick<ClosurePackage, 'repository' | 'dependencies'>[]
  /** The packages whose names a declaration says. */
  readonly declared?: ReadonlySet<string>
  /** Whether what other programs requested in the same version is taken over, so that the content of its tag is fixed as well. */
  readonly adopts?: boolean
}

/**
 * Adapts a rendered set to a cluster: requests keep the settings of other commands, and those that other programs manage in
 * the same version stay theirs. A package that the Lock requires under another name cannot be upgraded: for a moment, it would be
 * missing in the Lock, and the core would install it once more.
 */
export function desiredPackages(
  objects: readonly XpkgSetObject[],
  core: Pick<CoreState, 'requests' | 'lock'>,
  {roots, configured, entries = new Set(), packages, declared = new Set(), adopts = false}: RequestedSet,
): DesiredPackages {
  const requested = objects.flatMap(({object: {apiVersion, kind, metadata}}) =>
    isPackageRequest({apiVersion, kind}) ? [{kind: kind as RequestKind, name: metadata.name}] : [],
  )
  const rejections: Diagnostic[] = [...movingRejections(requested, core)]
  const left = new Set<string>()
  const required = new Map(packages.map(({repository, dependencies}) => [repository, dependencies]))
  const adapted = objects.flatMap((staged): readonly XpkgSetObject[] => {
    const reference = referenceOf(staged.object)
    if (reference === undefined) return [staged]
    const {repository} = coreReference(reference)
    const {live, same, other} = liveRequests(staged.object, repository, core)
    rejections.push(...nameRejections(staged.object, reference, {declared, core}))
    const isOthers =
      !adopts && live.some(request => request.reference === reference && !isChangeable(request))
    if (isOthers) left.add(reference)
    if (same === undefined && other !== undefined) return []
    const kept = withPause(withKept(staged.object, same, configured), same, entries)
    const object = withRequires(kept, required.get(repository) ?? [])
    return [{...staged, object: withRequestedAs(object, roots.get(repository), same)}]
  })
  return {objects: adapted.filter(({object}) => !left.has(pinnedBy(object) ?? '')), rejections}
}

/** The requests for a package: the one with the name of an object, and another one. */
function liveRequests(
  {kind, metadata: {name}}: KubernetesObject,
  repository: string,
  {requests}: Pick<CoreState, 'requests'>,
) {
  const live = requests.filter(request => request.repository === repository)
  const same = live.find(request => request.kind === kind && request.name === name)
  return {live, same, other: live.find(request => request !== same)}
}

interface NameQuery {
  readonly declared: ReadonlySet<string>
  readonly core: Pick<CoreState, 'requests' | 'lock'>
}

/** What the name of a request would lead to: a second request for its package, or one in place of that of another package. */
function nameRejections(
  object: KubernetesObject,
  reference: string,
  {declared, core}: NameQuery,
): readonly Diagnostic[] {
  const {kind, metadata} = object
  const {name} = metadata
  const {repository} = coreReference(reference)
  const {same, other} = liveRequests(object, repository, core)
  const occupied = core.requests.find(one => one !== same && one.kind === kind && one.name === name)
  const others = occupied === undefined ? [] : [otherPackage(object, occupied)]
  if (other === undefined) {
    const isChanged = same?.reference !== reference
    const requested = {kind: kind as RequestKind, name, repository}
    return isChanged ? [...lockRejections(requested, core), ...others] : others
  }
  if (same === undefined && declared.has(repository)) return [renamed(object, other), ...others]
  return same === undefined && other.reference === reference
    ? others
    : [otherName(object, other, core), ...others]
}

function referenceOf({spec}: KubernetesObject): string | undefined {
  const {package: reference} = asObject(spec)
  return reference === undefined ? undefined : asText(reference)
}

/** The reference that an ImageConfig is for. */
function pinnedBy({kind, spec}: KubernetesObject): string | undefined {
  if (kind !== 'ImageConfig') return undefined
  return asText(asObjects(asObject(spec).matchImages)[0]?.prefix)
}

function isChangeable({object}: CoreRequest): boolean {
  return isOurs(object) || isMadeByCore(object)
}

function withRequestedAs(
  object: KubernetesObject,
  text: string | undefined,
  live: CoreRequest | undefined,
): KubernetesObject {
  const value = text ?? (live && requestedAs(live))
  if (value === undefined) return object
  const annotations = {...object.metadata.annotations, [REQUESTED_AS]: value}
  return {...object, metadata: {...object.metadata, annotations}}
}

/** Settings that an earlier command gave to a package which is only required now. */
function withKept(
  object: KubernetesObject,
  live: CoreRequest | undefined,
  configured: ReadonlySet<string>,
): KubernetesObject {
  if (live === undefined || configured.has(live.repository)) return object
  return {...object, spec: {...appliedSettings(live.object), ...asObject(object.spec)}}
}

/** No flag pauses a package: a command without the declaration cannot have decided that it is resumed. */
function withPause(
  object: KubernetesObject,
  live: CoreRequest | undefined,
  entries: ReadonlySet<string>,
): KubernetesObject {
  if (live === undefined || entries.has(live.repository) || !appliesPause(live.object)) return object
  const annotations = {...object.metadata.annotations, [PAUSED]: 'true'}
  return {...object, metadata: {...object.metadata, annotations}}
}

function otherName(
  {kind, metadata: {name}}: KubernetesObject,
  other: CoreRequest,
  core: Pick<CoreState, 'requests'>,
): Diagnostic {
  const of = escaped(other.repository)
  return {
    severity: 'error',
    rule: 'xpkg-other-name',
    message: `${of} ${stateOf(other)} as ${other.kind} ${escaped(other.name)}, but Crossplane names it ${kind} ${name}: a change of its version would make Crossplane install it twice`,
    suggestions: [
      resolverCommandIn(core, 'off'),
      ...byHand({kind: 'name', request: other, derived: name}),
      'Keep the installed version until then.',
    ],
  }
}

/** A request cannot be renamed: a second one stops all packages, and deleting the first deletes its CRDs. */
function renamed({kind, metadata: {name}}: KubernetesObject, other: CoreRequest): Diagnostic {
  const of = escaped(other.repository)
  return {
    severity: 'error',
    rule: 'xpkg-renamed',
    message: `${of} ${stateOf(other)} as ${other.kind} ${escaped(other.name)}, and it is requested as ${kind} ${name}: Crossplane would install it twice`,
    suggestions: [
      `Set name: ${escaped(other.name)} in the entry of ${of}.`,
      'Without a declaration, leave out NAME: the package keeps its name.',
    ],
  }
}

function otherPackage({kind, metadata: {name}}: KubernetesObject, {repository}: CoreRequest): Diagnostic {
  return {
    severity: 'error',
    rule: 'xpkg-name-conflict',
    message: `${kind} ${name} is a request for another package, ${escaped(repository)}`,
    suggestions: ['Uninstall that package first.'],
  }
}
