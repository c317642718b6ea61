import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {nameOf, objectText} from '../../../kubernetes/object-key.js'
import {requestName} from '../../../reference/named.js'
import {escaped, listNames, listSome, plural, shellWord} from '../../../text.js'
import {isSince, SINCE} from '../../../xpkg/core-release.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import {kubectlGet} from '../objects/object-reasons.js'
import {
  type CoreRequest,
  type CoreRevision,
  type CoreState,
  isPaused,
  resumeCommand,
} from '../state/core-state.js'
import {isMoving, type MovingPair} from '../state/move-state.js'
import {duplicateRepositories} from './lock/lock-problems.js'
import {type OwnedObject, ownerUids} from './lock/lost-objects.js'
import {requestText, unhealthyText} from './lock/problem-texts.js'
import {nameRejections} from './move-names.js'
import {type NewRequirer, requirementRejections, requirerRejections} from './move-requirers.js'
import {type MovedPackage, rejection} from './moved-package.js'

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
  requirers: readonly CoreRequest[] = [],
): readonly Diagnostic[] {
  return [
    ...versionRejections(cluster),
    ...lockRejections(cluster.core),
    ...unlockedRejections(cluster.core),
    ...stoppedRejections(requests, cluster.core),
    ...requests.flatMap(from => [
      ...kindRejections(from),
      ...healthRejections(from, cluster),
      ...usageRejections(from, cluster.usages),
    ]),
    ...stoppedRejections(requirers, cluster.core),
    ...requirers.flatMap(one => [...changeRejections(one), ...healthRejections(one, cluster)]),
  ]
}

/** Another version of it has to become active. */
function changeRejections(request: CoreRequest): readonly Diagnostic[] {
  const name = requestText(request)
  if (request.kind !== 'Configuration')
    return [
      rejection(
        'xpkg-move-unsupported',
        `${name} is a ${request.kind}, and only Configurations can change with a move`,
      ),
    ]
  if (!request.isResolved || request.tag === undefined || request.digest !== undefined)
    return [
      rejection(
        'xpkg-move-unsupported',
        `${name} is not requested by a tag that Crossplane resolves, and what it does then in a move is not known`,
      ),
    ]
  if (asObject(request.object.spec).revisionActivationPolicy !== 'Manual') return []
  return [
    rejection(
      'xpkg-move-unsupported',
      `${name} has the activation policy Manual, so that Crossplane would not activate its new version`,
    ),
  ]
}

/** Returns why packages cannot move to what they are to move to: after the first change, none of these reasons may come up. */
export function moveRejections(
  all: readonly MovedPackage[],
  cluster: MoveCluster,
  requirers: readonly NewRequirer[] = [],
): readonly Diagnostic[] {
  const set = {all, requirers, core: cluster.core}
  return [
    ...all.flatMap(one => [
      ...otherKindRejections(one),
      ...nameRejections(one, set),
      ...requirerRejections(one, set),
      ...requirementRejections(one.to, set),
      ...ownerRejections(one, cluster),
    ]),
    ...requirers.flatMap(one => requirementRejections(one, set)),
  ]
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
export function lockRejections(
  core: CoreState,
  needsResolution = true,
  pairs: readonly MovingPair[] = [],
): readonly Diagnostic[] {
  const duplicates = duplicateRepositories(core)
  const others = duplicates.filter(
    repository =>
      !isMoving(
        core.lock.entries.filter(one => one.repository === repository),
        core,
        pairs,
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

/** Only the Lock says what requires a package that moves: the members of its family, and others that Crossplane would install it again for. */
function unlockedRejections(core: CoreState): readonly Diagnostic[] {
  const names = new Set(core.lock.entries.map(({name}) => name))
  const left = core.requests.filter(
    request =>
      request.isResolved &&
      !request.isTerminating &&
      activeRevisions(request, core).some(({name}) => !names.has(name)),
  )
  const [first] = left
  if (first === undefined) return []
  const verb = plural(left.length, 'it requires', 'they require')
  const message = `the Lock of Crossplane does not have ${listNames(left.map(requestText))}, so that it is not known what ${verb}`
  return [
    rejection('core-lock', message, [`kubectl crossplane package status ${shellWord(requestName(first))}`]),
  ]
}

/** Crossplane does nothing with what is paused, and removes what is being deleted. */
function stoppedRejections(requests: readonly CoreRequest[], core: CoreState): readonly Diagnostic[] {
  return requests.flatMap(request => [
    ...pausedRejections(request, core),
    ...(request.isTerminating ? [terminating(request)] : []),
    // Its objects go with it, if it is their only owner.
    ...activeRevisions(request, core)
      .filter(({isTerminating}) => isTerminating)
      .map(({kind, name}) => terminating({kind: `${kind}Revision`, name})),
  ])
}

function activeRevisions({kind, name}: CoreRequest, {revisions}: CoreState): readonly CoreRevision[] {
  return revisions.filter(one => one.kind === kind && one.request === name && one.isActive)
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

/** Says that a request, or a revision, is being deleted. */
export function terminating(request: {readonly kind: string; readonly name: string}): Diagnostic {
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
  const active = activeRevisions(from, core)
  const status = [`kubectl crossplane package status ${shellWord(requestName(from))}`]
  if (problem !== undefined)
    return [rejection('xpkg-not-healthy', `${requestText(from)} ${unhealthyText(problem)}`, status)]
  if (active.length === 1) return []
  const message = `${requestText(from)} has ${active.length} active revisions, and one has to control its objects`
  return [rejection('xpkg-not-healthy', message, status)]
}

/** Objects of the new package that exist must be those of the former one, which controls them, or of the new request if that exists. */
export function ownerRejections(
  {from, to}: MovedPackage,
  {core, owned}: Pick<MoveCluster, 'core' | 'owned'>,
  existing: readonly CoreRequest[] = [],
): readonly Diagnostic[] {
  const own = new Set([from, ...existing].flatMap(one => ownerUids(one, core.revisions)))
  const names = new Set(to.objects)
  // The CRD of a definition is owned by that.
  const definitions = owned.filter(({owners}) => owners.some(uid => own.has(uid))).map(({uid}) => uid)
  const allowed = new Set([...own, ...definitions])
  const others = owned.filter(
    ({kind, name, owners, controller}) =>
      names.has(`${kind}/${name}`) &&
      !(controller === undefined ? owners.some(uid => allowed.has(uid)) : allowed.has(controller)),
  )
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
