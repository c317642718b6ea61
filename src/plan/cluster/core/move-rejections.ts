import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {nameOf, objectText} from '../../../kubernetes/object-key.js'
import {requestName} from '../../../reference/named.js'
import {canonicalName} from '../../../reference/repository-name.js'
import {escaped, listNames, listSome, plural, shellWord} from '../../../text.js'
import {isSince, SINCE} from '../../../xpkg/core-release.js'
import {derivedName, nameProblem} from '../../../xpkg/package-name.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import {kubectlGet} from '../objects/object-reasons.js'
import {type CoreRequest, type CoreState, isPaused, resumeCommand} from '../state/core-state.js'
import {isMoving} from '../state/move-state.js'
import {duplicateRepositories} from './lock/lock-problems.js'
import {type OwnedObject, ownerUids} from './lock/lost-objects.js'
import {requestText} from './lock/problem-texts.js'
import {requirementsOf} from './recorded-requires.js'

/** A package of a cluster, and what it moves to. */
export interface MovedPackage {
  readonly from: CoreRequest
  readonly to: {
    readonly name: string
    readonly repository: string
    readonly kind: string
    /** The objects of the package, as `KIND/NAME`. */
    readonly objects: readonly string[]
    /** The repositories that the package requires. */
    readonly requires: readonly string[]
  }
}

/** What decides about a move besides the packages. */
export interface MoveCluster {
  readonly core: CoreState
  /** The version of Crossplane, if it is known. */
  readonly coreVersion?: string
  /** The objects that packages bring. */
  readonly owned: readonly OwnedObject[]
  readonly usages: readonly KubernetesObject[]
  /** Says why a request is not healthy. */
  readonly problemOf: (request: CoreRequest) => string | undefined
}

/** Returns why packages cannot move as they are, whatever they move to. */
export function earlyRejections(
  requests: readonly CoreRequest[],
  cluster: MoveCluster,
): readonly Diagnostic[] {
  return [
    ...versionRejections(cluster),
    ...lockRejections(cluster.core),
    ...stoppedRejections(requests, cluster.core),
    ...requests.flatMap(from => [
      ...kindRejections(from),
      ...healthRejections(from, cluster),
      ...usageRejections(from, cluster.usages),
    ]),
  ]
}

/** Returns why packages cannot move to what they are to move to: after the first change, none of these reasons may come up. */
export function moveRejections(all: readonly MovedPackage[], cluster: MoveCluster): readonly Diagnostic[] {
  return [
    ...all.flatMap(one => [
      ...otherKindRejections(one),
      ...nameRejections(one, all, cluster.core),
      ...requirerRejections(one, all, cluster.core),
      ...requirementRejections(one, all, cluster.core),
      ...ownerRejections(one, cluster),
    ]),
  ]
}

/** Creates an error of a rule. */
export function rejection(rule: string, message: string, suggestions: readonly string[] = []): Diagnostic {
  return {severity: 'error', rule, message, ...(suggestions.length === 0 ? {} : {suggestions})}
}

function versionRejections({coreVersion}: MoveCluster): readonly Diagnostic[] {
  if (coreVersion === undefined)
    return [
      rejection(
        'xpkg-move-unsupported',
        'the version of Crossplane is not known, and a move needs v2.3 or later',
        ['Pass the version of Crossplane in the cluster: --core-version VERSION'],
      ),
    ]
  if (isSince(coreVersion, SINCE.newRules)) return []
  const message = `Crossplane ${escaped(coreVersion)} rejects a second owner of CRDs: a move needs v2.3 or later`
  return [rejection('xpkg-move-unsupported', message, ['Upgrade Crossplane to v2.3 or later.'])]
}

/** Returns why the Lock stops a move: without the entries of the package that moves. */
export function lockRejections(core: CoreState, needsResolution = true): readonly Diagnostic[] {
  const duplicates = duplicateRepositories(core)
  const others = duplicates.filter(
    repository =>
      !isMoving(
        core.lock.entries.filter(one => one.repository === repository),
        core,
      ),
  )
  const doctor = ['kubectl crossplane doctor']
  if (others.length > 0) {
    const message = `the Lock of Crossplane has ${listNames(others)} several times, which stops all packages`
    return [rejection('core-lock', message, doctor)]
  }
  if (core.lock.problem === undefined || duplicates.length > 0 || !needsResolution) return []
  const message = `Crossplane cannot resolve the dependencies of packages: ${escaped(core.lock.problem)}`
  return [rejection('core-lock', message, doctor)]
}

/** Crossplane does nothing with what is paused, and removes what is being deleted. */
function stoppedRejections(requests: readonly CoreRequest[], core: CoreState): readonly Diagnostic[] {
  return requests.flatMap(request => [
    ...pausedRejections(request, core),
    ...(request.isTerminating ? [terminating(request)] : []),
  ])
}

/** Says what Crossplane ignores, and how it looks at it again. */
export function pausedRejections(request: CoreRequest, core: CoreState): readonly Diagnostic[] {
  const revisions = core.revisions.filter(
    ({kind, request: name}) => kind === request.kind && name === request.name,
  )
  const paused = [
    ...(isPaused(request) ? [request] : []),
    ...revisions.filter(isPaused).map(({kind, name}) => ({kind: `${kind}Revision`, name})),
  ]
  return paused.map(one =>
    rejection(
      'xpkg-paused',
      `${one.kind.toLowerCase()}/${escaped(one.name)} is paused, so that Crossplane would not hand over its objects`,
      [resumeCommand(one)],
    ),
  )
}

/** Says that a request is being deleted. */
export function terminating(request: CoreRequest): Diagnostic {
  return rejection('xpkg-terminating', `${requestText(request)} is being deleted`, [
    `kubectl wait --for=delete ${shellWord(requestName(request))}`,
  ])
}

function kindRejections(from: CoreRequest): readonly Diagnostic[] {
  if (from.kind !== 'Provider')
    return [
      rejection(
        'xpkg-move-unsupported',
        `${requestText(from)} is a ${from.kind}, and only Providers can move: what a ${from.kind} does while two requests have it is not known`,
      ),
    ]
  if (from.isResolved && from.tag !== undefined) return []
  const how = from.tag === undefined ? 'by its digest' : 'without the resolver of Crossplane'
  return [
    rejection(
      'xpkg-move-unsupported',
      `${requestText(from)} is requested ${how}, and what Crossplane does then in a move is not known`,
      from.tag === undefined ? [] : ['kubectl crossplane package upgrade --resolver=on'],
    ),
  ]
}

function otherKindRejections({from, to}: MovedPackage): readonly Diagnostic[] {
  if (to.kind === from.kind) return []
  return [rejection('xpkg-move-unsupported', `${escaped(to.repository)} is a ${to.kind}, not a ${from.kind}`)]
}

function healthRejections(from: CoreRequest, {core, problemOf}: MoveCluster): readonly Diagnostic[] {
  const problem = problemOf(from)
  const active = core.revisions.filter(
    ({kind, request, isActive}) => kind === from.kind && request === from.name && isActive,
  )
  const status = [`kubectl crossplane package status ${shellWord(requestName(from))}`]
  if (problem !== undefined)
    return [rejection('xpkg-not-healthy', `${requestText(from)} is not healthy: ${problem}`, status)]
  if (active.length === 1) return []
  const message = `${requestText(from)} has ${active.length} active revisions, and one has to control its objects`
  return [rejection('xpkg-not-healthy', message, status)]
}

function nameRejections(
  {from, to}: MovedPackage,
  all: readonly MovedPackage[],
  core: CoreState,
): readonly Diagnostic[] {
  const problem = nameProblem(to.name)
  if (problem !== undefined)
    return [rejection('xpkg-other-name', `${escaped(to.name)} cannot be the name of a request: ${problem}`)]
  const existing = core.requests.find(({kind, name}) => kind === from.kind && name === to.name)
  if (existing !== undefined)
    return [
      rejection('xpkg-move-exists', `${requestText(existing)} exists`, ['Pass another name: --name NAME']),
    ]
  const second = core.requests.find(
    one => canonicalName(one.repository) === canonicalName(to.repository) && one.name !== from.name,
  )
  if (second !== undefined)
    return [
      rejection('xpkg-move-exists', `${escaped(to.repository)} is installed, as ${requestText(second)}`, [
        `kubectl crossplane package status ${shellWord(requestName(second))}`,
      ]),
    ]
  const isRequired =
    requirersOf(to.repository, core).length > 0 || all.some(one => one.to.requires.includes(to.repository))
  const derived = derivedName(to.repository)
  if (!isRequired || to.name === derived) return []
  return [
    rejection(
      'xpkg-other-name',
      `another package requires ${escaped(to.repository)}: under a name other than ${derived}, Crossplane would install it twice at its next upgrade`,
      ['Leave out --name.'],
    ),
  ]
}

/** Crossplane would install again what another package requires. */
function requirerRejections(
  {from, to}: MovedPackage,
  all: readonly MovedPackage[],
  core: CoreState,
): readonly Diagnostic[] {
  if (canonicalName(from.repository) === canonicalName(to.repository)) return []
  const moved = new Set(all.map(one => one.from.repository))
  const left = requirersOf(from.repository, core).filter(repository => !moved.has(repository))
  if (left.length === 0) return []
  return [
    requiredRejection(from.repository, left, [
      'Pass --family if these are the members of a family, to move them with it.',
      `Upgrade them first, to versions that do not require ${escaped(from.repository)}.`,
    ]),
  ]
}

/** Says that what others require would be installed again. */
export function requiredRejection(
  repository: string,
  requirers: readonly string[],
  suggestions: readonly string[],
): Diagnostic {
  const verb = plural(requirers.length, 'requires', 'require')
  const message = `${listNames(requirers)} ${verb} ${escaped(repository)}: Crossplane would install it again after the move`
  return rejection('xpkg-required', message, suggestions)
}

/** Returns the repositories of the packages that require one. */
export function requirersOf(repository: string, core: CoreState): readonly string[] {
  return requirementsOf(core)
    .requirers.filter(
      one => one.repository !== repository && one.dependencies.some(other => other.repository === repository),
    )
    .map(one => one.repository)
}

/** What the package requires in its new place must not be installed by the move. */
function requirementRejections(
  {to}: MovedPackage,
  all: readonly MovedPackage[],
  {requests}: CoreState,
): readonly Diagnostic[] {
  const existing = new Set([
    ...requests.map(({repository}) => canonicalName(repository)),
    ...all.map(one => canonicalName(one.to.repository)),
  ])
  const missing = to.requires.filter(repository => !existing.has(canonicalName(repository)))
  if (missing.length === 0) return []
  return [
    rejection(
      'xpkg-move-requires',
      `${escaped(to.repository)} requires ${listNames(missing)}, which is not installed: Crossplane would install it during the move`,
      [
        'If the package is a member of a family, move the family: kubectl crossplane package move OLD-FAMILY NEW-FAMILY --family',
        `Install it first: kubectl crossplane package install ${shellWord(missing[0] ?? '')}`,
      ],
    ),
  ]
}

/** Objects of the new package that exist must be those of the former one. */
function ownerRejections({from, to}: MovedPackage, {core, owned}: MoveCluster): readonly Diagnostic[] {
  const own = new Set(ownerUids(from, core.revisions))
  const names = new Set(to.objects)
  const foreign = owned.filter(
    ({kind, name, owners}) => names.has(`${kind}/${name}`) && !owners.some(uid => own.has(uid)),
  )
  // The CRD of a definition is owned by that.
  const definitions = new Set(
    owned.filter(({owners}) => owners.some(uid => own.has(uid))).map(({uid}) => uid),
  )
  const others = foreign.filter(({owners}) => !owners.some(uid => definitions.has(uid)))
  if (others.length === 0) return []
  const listed = listSome(others.map(({kind, name}) => `${kind} ${escaped(name)}`))
  return [
    rejection(
      'xpkg-move-owner',
      `${listed} of ${escaped(to.repository)} ${plural(others.length, 'is', 'are')} controlled by another owner`,
      ['kubectl crossplane package status'],
    ),
  ]
}

/** Says what protects a request, which cannot be deleted then. */
export function usageRejections(
  from: CoreRequest,
  usages: readonly KubernetesObject[],
): readonly Diagnostic[] {
  const using = usages.filter(({spec}) => {
    const {kind, apiVersion, resourceRef} = asObject(asObject(spec).of)
    const isGroup = asText(apiVersion).startsWith('pkg.crossplane.io/')
    return isGroup && kind === from.kind && asText(asObject(resourceRef).name) === from.name
  })
  if (using.length === 0) return []
  const names = listSome(using.map(usage => escaped(objectText(nameOf(usage)))))
  return [
    rejection(
      'usage-exists',
      `${names} ${plural(using.length, 'protects', 'protect')} ${requestText(from)}, which would be deleted`,
      [...using.slice(0, 1).map(usage => kubectlGet(nameOf(usage)))],
    ),
  ]
}

/** Returns what an object that is handed over still lacks; nothing for objects that go with the former request. */
export function notHandedOver(
  owned: readonly OwnedObject[],
  {from, revision}: {readonly from: readonly string[]; readonly revision: string | undefined},
): readonly OwnedObject[] {
  const own = new Set(from)
  return owned.filter(({owners, controller}) => owners.some(uid => own.has(uid)) && controller !== revision)
}
