import {isAppliedBy} from '../../../cluster/claims.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {nameOf} from '../../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {requestName} from '../../../reference/named.js'
import type {ClosurePackage} from '../../../render/xpkg/closure.js'
import type {XpkgSetObject} from '../../../render/xpkg/xpkg-set.js'
import {escaped, listNames, shellWord} from '../../../text.js'
import type {XpkgResolver} from '../../../xpkg/pins.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import {writeJson} from '../../../yaml/write-yaml.js'
import type {Operation} from '../../plan.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import {uidOf} from '../state/ownership.js'
import {
  activationCommand,
  CORE_LOCK,
  type CoreRequest,
  type CoreRevision,
  type CoreState,
  isPackageRequest,
  type LockEntry,
} from './core-state.js'
import {coreReference} from './read-core-object.js'
import {duplicateRepositories} from './lock/lock-problems.js'
import {requestText} from './lock/problem-texts.js'

/** Has all packages of a cluster skip the resolver of the core, or leaves them to it again. */
export function resolverCommand(resolver: XpkgResolver): string {
  return resolver === 'off'
    ? 'kubectl crossplane package upgrade --resolver=off'
    : 'kubectl crossplane package upgrade --resolver=on'
}

/** Owns the state of a revision that left the Lock, until Crossplane or a user activates it again. */
const RESOLVER_MANAGER = 'kubectl-crossplane-resolver'

/** A package in the Lock that requires others. */
interface LockedDependent {
  readonly entry: LockEntry
  readonly revision: CoreRevision
  readonly request: CoreRequest
}

/** Returns the packages in the Lock that require others: while they are there, the core installs what it misses for them. */
function lockedDependents({requests, revisions, lock}: CoreState): readonly LockedDependent[] {
  return lock.entries.flatMap((entry): readonly LockedDependent[] => {
    if (entry.dependencies.every(({repository}) => repository === entry.repository)) return []
    const revision = revisions.find(({kind, name}) => kind === entry.kind && name === entry.name)
    const request = requests.find(({kind, name}) => kind === revision?.kind && name === revision.request)
    return revision === undefined || request === undefined ? [] : [{entry, revision, request}]
  })
}

/**
 * Names the packages for which the core installs what it misses, beside packages that skip its resolver: those that use it and require such
 * a one, and those that are in the Lock still.
 */
export function resolverWarnings(core: CoreState): readonly Diagnostic[] {
  const skipping = core.requests.filter(({isResolved}) => !isResolved)
  return lockedDependents(core).flatMap(({entry, revision, request}): readonly Diagnostic[] => {
    const required = skipping.find(one =>
      entry.dependencies.some(({repository}) => repository === one.repository),
    )
    if (required === undefined) return []
    const copy = core.requests.find(
      one => one.repository === required.repository && one !== required && one.isByCore,
    )
    const how = request.isResolved ? 'uses the resolver of Crossplane' : 'is still in the Lock of Crossplane'
    const then =
      copy === undefined
        ? `which requests it a second time${request.isResolved ? '' : ' if its version changes'}`
        : `which requested it a second time, as ${requestText(copy)}`
    return [
      {
        severity: 'warning',
        rule: 'xpkg-mixed-resolver',
        message: `${requestText(request)} requires ${escaped(required.repository)}, which skips the resolver, and ${how}, ${then}`,
        subject: {package: request.repository},
        suggestions: copy === undefined ? [resolverCommand('off')] : withoutCopy(request, revision, copy),
      },
    ]
  })
}

/** A second request comes back as long as the Lock has what requires it. */
function withoutCopy(request: CoreRequest, revision: CoreRevision, copy: CoreRequest): readonly string[] {
  const name = shellWord(requestName(request))
  const own = shellWord(requestName({kind: `${request.kind}Revision`, name: revision.name}))
  return [
    ...(request.isResolved
      ? [`kubectl patch ${name} --type merge --patch '{"spec":{"skipDependencyResolution":true}}'`]
      : []),
    `kubectl patch ${own} --type merge --patch '{"spec":{"desiredState":"Inactive"}}'`,
    ...(isManual(request) ? [activationCommand(request.kind, revision.name)] : []),
    `kubectl delete ${shellWord(requestName(copy))}`,
  ]
}

/** Of a rendered set, keeps the requests, and what fixes their content: nothing else changes with the resolver. */
export function resolverObjects(
  objects: readonly XpkgSetObject[],
  {requests}: Pick<CoreState, 'requests'>,
  resolver: XpkgResolver,
): readonly XpkgSetObject[] {
  const own = objects.filter(({object}) => isPackageRequest(object) || object.kind === 'ImageConfig')
  if (resolver === 'off') return own
  // One after the other, what others require first; the core takes a field that is left out for one of other managers.
  return own.map((staged, index) => {
    const {object} = staged
    if (!isPackageRequest(object)) return staged
    const isSkipping = requests.some(one => isSame(one, object) && !one.isResolved)
    const spec = {...asObject(object.spec), ...(isSkipping ? {skipDependencyResolution: false} : {})}
    return {...staged, stage: index + 1, object: {...object, spec}}
  })
}

function isSame({kind, name}: Pick<CoreRequest, 'kind' | 'name'>, object: KubernetesObject): boolean {
  return kind === object.kind && name === object.metadata.name
}

/** Returns why packages cannot change the resolver as they are: only with the content that is installed, none of them is installed again. */
export function resolverRejections(
  objects: readonly KubernetesObject[],
  packages: readonly Pick<ClosurePackage, 'repository' | 'digest'>[],
  core: CoreState,
): readonly Diagnostic[] {
  const digests = new Map(packages.map(({repository, digest}) => [repository, digest]))
  const duplicates = duplicateRepositories(core)
  return [
    ...(duplicates.length === 0 ? [] : [poisoned(duplicates)]),
    ...objects.filter(isPackageRequest).flatMap(object => {
      const reference = asText(asObject(object.spec).package)
      const {repository} = coreReference(reference)
      const live = core.requests.find(one => one.repository === repository)
      if (live === undefined) return [missing(object)]
      if (!isSame(live, object)) return [otherName(live, object)]
      const isChanged = live.reference !== reference
      return isChanged || isMoved(live, digests.get(live.repository)) ? [otherContent(live)] : []
    }),
  ]
}

/** The name of a revision ends with the digest of its content, whatever its tag leads to now. */
function isMoved({revision}: CoreRequest, digest: string | undefined): boolean {
  return digest !== undefined && revision !== undefined && !revision.endsWith(`-${digest.slice(7, 19)}`)
}

function poisoned(repositories: readonly string[]): Diagnostic {
  return {
    severity: 'error',
    rule: 'core-lock',
    message: `the Lock of Crossplane has ${listNames(repositories)} several times, which stops all packages`,
    suggestions: ['kubectl crossplane doctor'],
  }
}

function missing({kind, metadata: {name}}: KubernetesObject): Diagnostic {
  return {
    severity: 'error',
    rule: 'xpkg-resolver-version',
    message: `${kind} ${name} is required and not installed, and nothing is installed while the resolver changes`,
    suggestions: ['Install what is missing first; list shows which package requires it.'],
  }
}

/** Only with the resolver does a name matter. */
function otherName(live: CoreRequest, {metadata: {name}}: KubernetesObject): Diagnostic {
  return {
    severity: 'error',
    rule: 'xpkg-other-name',
    message: `${requestText(live)} is required by another package: Crossplane would install it once more, as ${name}, when its version changes`,
    subject: {package: live.repository},
    suggestions: ['Keep xpkg.resolver: off, with which packages can have any names.'],
  }
}

function otherContent(live: CoreRequest): Diagnostic {
  return {
    severity: 'error',
    rule: 'xpkg-resolver-version',
    message: `${requestText(live)} would get other content than is installed, and versions do not change together with the resolver`,
    subject: {package: live.repository},
    suggestions: ['Upgrade the package first, or afterwards, with a command of its own.'],
  }
}

/**
 * Returns the operations that take dependents out of the Lock, one after the other: the revision of each is inactive for a moment, and does not come
 * back to the Lock since its request skips the resolver. A revision that the core does not activate is activated again.
 */
function flushOperations(dependents: readonly LockedDependent[]): readonly Operation[] {
  return dependents.flatMap(({revision, request}) => [
    stateOperation(revision, request, 'Inactive'),
    {...lockWait(revision.name, false), ...stateFields(revision, 'Inactive')},
    ...(isManual(request) ? [stateOperation(revision, request, 'Active')] : []),
    healthWait(request),
  ])
}

/** Activates what an interrupted run left inactive: before all others, which can wait for it. */
function activations(core: CoreState, dependents: readonly LockedDependent[]): readonly Operation[] {
  return deactivated(core)
    .filter(({revision}) => dependents.every(one => one.revision !== revision))
    .flatMap(({revision, request}) => [stateOperation(revision, request, 'Active'), healthWait(request)])
}

/** Returns the operations on requests, with what brings their packages out of the Lock afterwards, or back into it. */
export function resolverOperations(
  operations: readonly Operation[],
  core: CoreState,
  resolver: XpkgResolver,
): readonly Operation[] {
  if (resolver === 'on') return withLockWaits(operations, core)
  const dependents = lockedDependents(core)
  return [...activations(core, dependents), ...operations, ...flushOperations(dependents)]
}

/** After each wait for a request comes one until the Lock has it, and first for those that an interrupted run did not wait for. */
function withLockWaits(operations: readonly Operation[], core: CoreState): readonly Operation[] {
  const locked = new Set(core.lock.entries.map(({name}) => name))
  const left = core.revisions.filter(
    ({kind, name, isActive}) =>
      isActive &&
      !locked.has(name) &&
      core.requests.some(one => one.kind === kind && one.revision === name && one.isResolved),
  )
  return [
    ...left.map(({name}) => lockWait(name, true)),
    ...operations.flatMap(operation => {
      const {action, object} = operation
      const {revision} =
        core.requests.find(({kind, name}) => kind === object?.kind && name === object.name) ?? {}
      return action !== 'wait' || revision === undefined ? [operation] : [operation, lockWait(revision, true)]
    }),
  ]
}

function deactivated({
  requests,
  revisions,
}: Pick<CoreState, 'requests' | 'revisions'>): readonly Pick<LockedDependent, 'revision' | 'request'>[] {
  return requests.filter(isManual).flatMap(request => {
    const revision = revisions.find(({kind, name}) => kind === request.kind && name === request.revision)
    const isOurs = revision !== undefined && isAppliedBy(revision.object, RESOLVER_MANAGER)
    return isOurs && !revision.isActive ? [{revision, request}] : []
  })
}

function isManual({object}: CoreRequest): boolean {
  return asObject(object.spec).revisionActivationPolicy === 'Manual'
}

function stateOperation(
  {object}: CoreRevision,
  request: CoreRequest,
  desiredState: 'Active' | 'Inactive',
): Operation {
  const isStopped = desiredState === 'Inactive'
  const reason = isStopped
    ? `its package leaves the Lock of Crossplane, which then does not install again what ${requestText(request)} requires`
    : 'its activation policy is Manual, so that Crossplane does not activate it again'
  return {
    action: 'apply',
    target: CLUSTER_TARGET,
    object: nameOf(object),
    ...stateFields({object}, desiredState),
    reason,
    ...(isStopped && request.kind !== 'Configuration' ? {risks: [restarts(request)]} : {}),
    precondition: {uid: uidOf(object)},
  }
}

function stateFields(
  {object: {apiVersion, kind, metadata}}: Pick<CoreRevision, 'object'>,
  desiredState: 'Active' | 'Inactive',
): Pick<Operation, 'manager' | 'force' | 'content'> {
  const spec = {desiredState, skipDependencyResolution: true}
  const content = writeJson({apiVersion, kind, metadata: {name: metadata.name}, spec})
  return {manager: RESOLVER_MANAGER, force: true, content}
}

function restarts(request: CoreRequest): Diagnostic {
  const message = `${requestText(request)} restarts: Crossplane deletes its Deployment and creates it again`
  return {severity: 'warning', rule: 'xpkg-restart', message}
}

function lockWait(revision: string, locked: boolean): Operation {
  const reason = locked ? 'Crossplane adds it to its Lock' : 'Crossplane removes it from its Lock'
  return {
    action: 'wait',
    target: CLUSTER_TARGET,
    object: CORE_LOCK,
    reason: `${reason}: ${escaped(revision)}`,
    precondition: {revision, locked},
  }
}

function healthWait({object}: CoreRequest): Operation {
  const reason = 'the package must be installed and healthy'
  return {action: 'wait', target: CLUSTER_TARGET, object: nameOf(object), reason}
}
