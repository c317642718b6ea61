import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../../errors.js'
import {conditionOf} from '../../../health/readiness/conditions.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {readCore} from '../../../observe/core/read-core.js'
import type {CoreRequest, CoreRevision, CoreState} from '../../../plan/cluster/state/core-state.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import {present} from '../../../present.js'
import {isDigest} from '../../../reference/image-name.js'
import {oneNamedIn, requestName} from '../../../reference/named.js'
import {escaped, listAll, shellWord} from '../../../text.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import type {InstallPorts} from '../install.js'
import type {
  NamedHistory,
  NamedPart,
  NamedQuery,
  PackageRevision,
  RollbackQuery,
} from '../installed-format.js'
import type {PackagesChange} from '../joined-changes.js'
import {upgradeXpkgs} from './upgrade-packages.js'

/** Reads the revisions of a package. Throws `usage` for a text that names several, and the errors of the API. */
export async function packageHistory(
  {text, selectsPackages}: NamedQuery,
  api: ClusterApi,
): Promise<NamedPart<NamedHistory>> {
  if (!selectsPackages) return {}
  const core = await readCore(api)
  const request = core && oneNamedIn({text, action: 'list the revisions of'}, core.requests)
  if (core === undefined || request === undefined) return {}
  const {kind, name, repository} = request
  const revisions = revisionsOf(request, core).map(shownRevision)
  return {part: {kind: 'package', package: {kind, name, repository, revisions}}}
}

/**
 * Plans the return of a package to a revision, as an upgrade to its version. Throws `not-found`, `conflict` for a revision from
 * another repository, and as `upgradeXpkgs` does.
 */
export async function rollbackPackage(
  {text, selectsPackages, revision: number, settings, options}: RollbackQuery,
  ports: InstallPorts,
): Promise<NamedPart<PackagesChange>> {
  if (!selectsPackages) return {}
  const core = await readCore(ports.api)
  const request = core && oneNamedIn({text, action: 'roll back'}, core.requests)
  if (core === undefined || request === undefined) return {}
  const revision = selectedRevision(request, number, revisionsOf(request, core))
  expectSameRepository(request, revision)
  const names = [exactReference(revision)]
  const xpkgs = {packagePullSecrets: []}
  // What an earlier version has was usually activated before.
  const {change} = await upgradeXpkgs({names, settings, options, xpkgs, keepsPolicies: true}, ports)
  return change === undefined ? {} : {part: change}
}

function revisionsOf({kind, name}: CoreRequest, {revisions}: CoreState): readonly CoreRevision[] {
  return revisions
    .filter(one => one.kind === kind && one.request === name)
    .sort((a, b) => a.number - b.number)
}

function selectedRevision(
  request: CoreRequest,
  number: number | undefined,
  revisions: readonly CoreRevision[],
): CoreRevision {
  const target =
    number === undefined
      ? revisions.findLast(({object}) => imageOf(object) !== request.reference)
      : revisions.find(revision => revision.number === number)
  if (target !== undefined) return target
  const name = requestName(request)
  const numbers = listAll(revisions.map(revision => String(revision.number)))
  const message =
    number === undefined
      ? `cannot roll back ${escaped(name)}: Crossplane has no other revision of it`
      : `cannot roll back ${escaped(name)}: revision ${number} not found; its revisions are ${numbers}`
  throw new CrossplaneError('not-found', message, {suggestions: otherVersions(request)})
}

/** An upgrade moves what is requested from a repository: that of the revision can be another package of the cluster. */
function expectSameRepository(request: CoreRequest, {number, repository}: CoreRevision): void {
  if (repository === request.repository) return
  const message = `cannot roll back ${escaped(requestName(request))}: revision ${number} is from ${escaped(repository)}, but the package is from ${escaped(request.repository)} now`
  throw new CrossplaneError('conflict', message, {suggestions: otherVersions(request)})
}

function otherVersions(request: CoreRequest): readonly string[] {
  return [
    `kubectl crossplane package history ${shellWord(requestName(request))}`,
    `List the versions to install: kubectl crossplane package versions ${shellWord(request.repository)}`,
  ]
}

/** The version by its content: a tag can have moved since. */
function exactReference({object, digest, ...revision}: CoreRevision): string {
  const image = imageOf(object)
  const read = resolvedDigest({object, ...revision})
  return digest === undefined && read !== undefined ? `${image}@${read}` : image
}

function shownRevision({
  object,
  number,
  name,
  isActive,
  digest,
  ...reference
}: CoreRevision): PackageRevision {
  return {
    number,
    name,
    package: imageOf(object),
    state: isActive ? 'Active' : 'Inactive',
    healthy: healthOf(object),
    ...present({
      digest: digest ?? resolvedDigest({object, ...reference}),
      created: asText(object.metadata.creationTimestamp) || undefined,
    }),
  }
}

function imageOf({spec}: KubernetesObject): string {
  return asText(asObject(spec).image)
}

/** Crossplane keeps the reference after the ImageConfigs, with a digest where one of them has it. */
function resolvedDigest({object}: Pick<CoreRevision, 'object'>): string | undefined {
  const {digest} = coreReference(asText(asObject(object.status).resolvedImage))
  return digest !== undefined && isDigest(digest) ? digest : undefined
}

/** Crossplane 1 has one condition, and 2 has one for the objects and one for the controller. */
function healthOf(object: KubernetesObject): PackageRevision['healthy'] {
  const states = ['Healthy', 'RevisionHealthy', 'RuntimeHealthy'].flatMap(type => {
    const condition = conditionOf(object, type)
    return condition === undefined ? [] : [condition.status]
  })
  if (states.includes('False')) return 'False'
  return states.length > 0 && states.every(state => state === 'True') ? 'True' : 'Unknown'
}
