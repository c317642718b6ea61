import type {Diagnostic} from '../../../diagnostic.js'
import {nameOf} from '../../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {present} from '../../../present.js'
import {requestName} from '../../../reference/named.js'
import type {XpkgSetObject} from '../../../render/xpkg/xpkg-set.js'
import {escaped, listNames, shellWord} from '../../../text.js'
import type {XpkgResolver} from '../../../xpkg/pins.js'
import {asObject, asObjects, asText} from '../../../yaml/json-value.js'
import {writeJson} from '../../../yaml/write-yaml.js'
import type {Operation} from '../../plan.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import {uidOf} from '../state/ownership.js'
import {
  activationCommand,
  type CoreRequest,
  type CoreRevision,
  type CoreState,
  deactivationCommand,
  isPackageRequest,
  type LockEntry,
} from '../state/core-state.js'
import {healthWait, lockWait} from './core-waits.js'
import {isChangeable} from './judge-package-object.js'
import {coreReference} from './read-core-object.js'
import {requestText} from './lock/problem-texts.js'
import {byHand} from './lock/repair-by-hand.js'

/** Has all packages of a cluster skip the resolver of the core, or leaves them to it again. */
export function resolverCommand(resolver: XpkgResolver): string {
  return resolver === 'off'
    ? 'kubectl crossplane package upgrade --resolver=off'
    : 'kubectl crossplane package upgrade --resolver=on'
}

/** Returns the same with the flags that a cluster needs: of its requests that change, other programs can have applied some. */
export function resolverCommandIn({requests}: Pick<CoreState, 'requests'>, resolver: XpkgResolver): string {
  const changing = requests.filter(({isResolved}) => isResolved === (resolver === 'off'))
  const isOurs = changing.every(({object}) => isChangeable(object, {adopt: false}))
  return `${resolverCommand(resolver)}${isOurs ? '' : ' --adopt --force-conflicts'}`
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
export function lockedDependents(core: CoreState): readonly LockedDependent[] {
  return dependentEntries(core).flatMap(({entry, revision, request}) =>
    revision === undefined || request === undefined ? [] : [{entry, revision, request}],
  )
}

/** A package in the Lock that requires others, with its revision and request as far as they exist. */
type DependentEntry = Pick<LockedDependent, 'entry'> & Partial<LockedDependent>

/** Returns the entries of the Lock that require others, also those of revisions and requests that are gone. */
export function dependentEntries({requests, revisions, lock}: CoreState): readonly DependentEntry[] {
  return lock.entries
    .filter(({repository, dependencies}) => dependencies.some(one => one.repository !== repository))
    .map(entry => {
      const revision = revisions.find(({kind, name}) => kind === entry.kind && name === entry.name)
      const request = requests.find(({kind, name}) => kind === revision?.kind && name === revision.request)
      return {entry, ...present({revision, request})}
    })
}

/**
 * Names the packages for which the core installs what it misses, beside packages that skip its resolver: those that use it and require such
 * a one, and those that are in the Lock still, also without a revision or a request.
 */
export function resolverWarnings(core: CoreState): readonly Diagnostic[] {
  const skipping = core.requests.filter(({isResolved}) => !isResolved)
  return dependentEntries(core).flatMap(({entry, revision, request}): readonly Diagnostic[] => {
    const required = skipping.find(one =>
      entry.dependencies.some(({repository}) => repository === one.repository),
    )
    if (required === undefined) return []
    if (revision === undefined || request === undefined)
      return [{...lostEntry(entry, revision), severity: 'warning'}]
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
        suggestions:
          copy === undefined ? [resolverCommandIn(core, 'off')] : withoutCopy(request, revision, copy),
      },
    ]
  })
}

/** Says that an entry of the Lock has no revision or request any more, and how it leaves the Lock. */
export function lostEntry(entry: LockEntry, revision: CoreRevision | undefined): Diagnostic {
  const {name, repository, dependencies} = entry
  const gone = revision === undefined ? 'does not exist' : 'nothing requests'
  const required = listNames(dependencies.map(one => one.repository))
  const suggestions =
    revision === undefined
      ? byHand({kind: 'leftover', repository, entries: [entry]})
      : [deactivationCommand(revision)]
  return {
    severity: 'error',
    rule: 'core-lock',
    message: `the Lock of Crossplane has ${escaped(name)}, which ${gone} any more, and which requires ${required}: Crossplane would install them once more when their versions change`,
    subject: {package: repository},
    suggestions,
  }
}

/** A second request comes back as long as the Lock has what requires it. */
function withoutCopy(request: CoreRequest, revision: CoreRevision, copy: CoreRequest): readonly string[] {
  const name = shellWord(requestName(request))
  return [
    ...(request.isResolved
      ? [`kubectl patch ${name} --type merge --patch '{"spec":{"skipDependencyResolution":true}}'`]
      : []),
    deactivationCommand(revision),
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
  if (resolver === 'off') return own.map(staged => withLiveReference(staged, requests))
  // One after the other, what others require first; the core takes a field that is left out for one of other managers.
  return own.map((staged, index) => {
    const {object} = staged
    if (!isPackageRequest(object)) return staged
    const isSkipping = requests.some(one => isSame(one, object) && !one.isResolved)
    const spec = {...asObject(object.spec), ...(isSkipping ? {skipDependencyResolution: false} : {})}
    return {...staged, stage: index + 1, object: {...object, spec}}
  })
}

/** What skips the resolver with the same digest keeps the text of its reference, which can have a tag before it. */
function withLiveReference(staged: XpkgSetObject, requests: readonly CoreRequest[]): XpkgSetObject {
  const {object} = staged
  const spec = asObject(object.spec)
  const {repository, digest} = coreReference(asText(spec.package))
  const live = requests.find(one => isSame(one, object) && !one.isResolved)
  if (digest === undefined || live?.digest !== digest || live.repository !== repository) return staged
  return {...staged, object: {...object, spec: {...spec, package: live.reference}}}
}

/** Reports whether an object is that of a request. */
export function isSame({kind, name}: Pick<CoreRequest, 'kind' | 'name'>, object: KubernetesObject): boolean {
  return kind === object.kind && name === object.metadata.name
}

/**
 * Returns the operations that take dependents out of the Lock, one after the other: the revision of each is inactive for a moment, and does not come
 * back to the Lock since its request skips the resolver. A revision that the core does not activate is activated again.
 */
function flushOperations(
  dependents: readonly LockedDependent[],
  left: readonly CoreRequest[],
): readonly Operation[] {
  return requirersFirst(dependents).flatMap(({revision, request}) => [
    stateOperation(revision, request, 'Inactive'),
    {...lockWait(revision.name, false), ...stateFields(revision, 'Inactive')},
    ...(isManual(request) ? [stateOperation(revision, request, 'Active')] : []),
    ...(left.includes(request) ? [] : [healthWait(request.object)]),
  ])
}

/** The core requests at once what the Lock requires and does not have: what requires a package leaves the Lock before it. */
function requirersFirst(dependents: readonly LockedDependent[]): readonly LockedDependent[] {
  const ordered = new Set<LockedDependent>()
  const path = new Set<LockedDependent>()
  const visit = (one: LockedDependent) => {
    if (ordered.has(one) || path.has(one)) return
    path.add(one)
    for (const other of dependents)
      if (other.entry.dependencies.some(({repository}) => repository === one.entry.repository)) visit(other)
    ordered.add(one)
  }
  for (const one of dependents) visit(one)
  return [...ordered]
}

/** Activates what an interrupted run left inactive: before all others, which can wait for it. */
function activations(core: CoreState, dependents: readonly LockedDependent[]): readonly Operation[] {
  return deactivated(core)
    .filter(({revision}) => dependents.every(one => one.revision !== revision))
    .flatMap(({revision, request}) => [
      stateOperation(revision, request, 'Active'),
      healthWait(request.object),
    ])
}

/**
 * Returns the operations on requests, with what brings their packages out of the Lock afterwards, or back into it.
 * @param left - those for which nothing waits.
 */
export function resolverOperations(
  operations: readonly Operation[],
  core: CoreState,
  resolver: XpkgResolver,
  left: readonly CoreRequest[] = [],
): readonly Operation[] {
  if (resolver === 'on') return withLockWaits(operations, core, left)
  const dependents = lockedDependents(core)
  const rolling = withRestarts(operations, core, dependents)
  return [...activations(core, dependents), ...rolling, ...flushOperations(dependents, left)]
}

/** Names the packages whose image gets a digest: Kubernetes replaces their Pods. Dependents lose their Deployment later, which says more. */
function withRestarts(
  operations: readonly Operation[],
  {requests}: Pick<CoreState, 'requests'>,
  dependents: readonly LockedDependent[],
): readonly Operation[] {
  const pins = operations.flatMap(({object, content}) =>
    object?.kind === 'ImageConfig' ? [content ?? ''] : [],
  )
  const isRolling = (request: CoreRequest) =>
    request.kind !== 'Configuration' &&
    request.digest === undefined &&
    !(request.resolved ?? '').includes('@') &&
    pins.some(pin => pin.includes(request.reference)) &&
    dependents.every(one => one.request !== request)
  return operations.map(operation => {
    const {action, object, risks = []} = operation
    const request = requests.find(({kind, name}) => kind === object?.kind && name === object.name)
    if (action !== 'apply' || request === undefined || !isRolling(request)) return operation
    const message = `${requestText(request)} restarts: its Deployment gets the image by digest, so that Kubernetes replaces its Pods`
    return {...operation, risks: [...risks, {severity: 'warning', rule: 'xpkg-restart', message}]}
  })
}

/** After each wait for a request comes one until the Lock has it, and first for those that an interrupted run did not wait for. */
function withLockWaits(
  operations: readonly Operation[],
  core: CoreState,
  left: readonly CoreRequest[],
): readonly Operation[] {
  const locked = new Set(core.lock.entries.map(({name}) => name))
  const resolved = core.requests.filter(one => one.isResolved && !left.includes(one))
  const missing = core.revisions.filter(
    ({kind, name, isActive}) =>
      isActive && !locked.has(name) && resolved.some(one => one.kind === kind && one.revision === name),
  )
  return [
    ...missing.map(({name}) => lockWait(name, true)),
    ...operations.flatMap(operation => {
      const {action, object} = operation
      const {revision} =
        core.requests.find(({kind, name}) => kind === object?.kind && name === object.name) ?? {}
      return action !== 'wait' || revision === undefined ? [operation] : [operation, lockWait(revision, true)]
    }),
  ]
}

/** Returns what an interrupted run left inactive; Crossplane may not have activated it again. */
export function deactivated({
  requests,
  revisions,
}: Pick<CoreState, 'requests' | 'revisions'>): readonly Pick<LockedDependent, 'revision' | 'request'>[] {
  return requests.flatMap(request => {
    const revision = revisions.find(({kind, name}) => kind === request.kind && name === request.revision)
    return revision !== undefined && !revision.isActive && isDeactivatedByUs(revision)
      ? [{revision, request}]
      : []
  })
}

/** A program or user that sets the state afterwards owns it: a revision that a user deactivated stays as it is. */
function isDeactivatedByUs({object: {metadata}}: CoreRevision): boolean {
  return asObjects(metadata.managedFields).some(
    ({manager, operation, fieldsV1}) =>
      manager === RESOLVER_MANAGER &&
      operation === 'Apply' &&
      asObject(asObject(fieldsV1)['f:spec'])['f:desiredState'] !== undefined,
  )
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
    : isManual(request)
      ? 'its activation policy is Manual, so that Crossplane does not activate it again'
      : 'an earlier run was interrupted before Crossplane activated it again'
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

/** Reports whether an operation makes a revision inactive, or active again: a run that does not wait for it could leave it inactive. */
export function changesRevision({action, manager}: Operation): boolean {
  return action === 'apply' && manager === RESOLVER_MANAGER
}

function restarts(request: CoreRequest): Diagnostic {
  const message = `${requestText(request)} restarts: Crossplane deletes its Deployment and creates it again`
  return {severity: 'warning', rule: 'xpkg-restart', message}
}
