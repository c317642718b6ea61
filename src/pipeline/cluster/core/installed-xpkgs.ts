import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {isCrd} from '../../../kubernetes/crd-kind.js'
import {readCore} from '../../../observe/core/read-core.js'
import type {ShownTree, WhyReport, XpkgTreePackage} from '../../../package/reports.js'
import {reasonsFor, type XpkgGraph} from '../../../package/xpkg/why.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {isOurs, requestedAs} from '../../../plan/cluster/core/requested-as.js'
import {present} from '../../../present.js'
import {isCrdName} from '../../../reference/install-target.js'
import {namedIn, type NameText} from '../../../reference/named.js'
import {CRD_PREFIX} from '../../../reference/package-reference.js'
import {listNames} from '../../../text.js'
import type {InstalledTreeQuery} from '../installed-format.js'
import {installedVersion} from './cluster-lock.js'

/**
 * Reads the packages for a current Crossplane of a cluster, with what the Lock says that they require; undefined without any, for a
 * name of none, and in a namespace. Throws the errors of the API.
 */
export async function installedXpkgTree(
  {namespace, named}: InstalledTreeQuery,
  api: ClusterApi,
): Promise<ShownTree | undefined> {
  const core = namespace === undefined ? await readCore(api) : undefined
  if (core === undefined) return undefined
  const {requests} = core
  const roots = named === undefined ? requests.filter(isRoot(core)) : namedIn(named, requests)
  if (roots.length === 0) return undefined
  return {
    kind: 'XpkgTree',
    roots: [...new Set(roots.map(({repository}) => repository))],
    packages: installedOnes(core).map(request => treePackage(request, core)),
    notes: unresolvedNote(core),
  }
}

/** Explains why a package, or the one that installed a CRD, is installed; undefined if it is not. Throws the errors of the API. */
export async function installedXpkgWhy(query: NameText, api: ClusterApi): Promise<WhyReport | undefined> {
  const core = await readCore(api)
  const targets = core === undefined ? [] : targetsOf(query, core)
  const [first] = targets
  if (core === undefined || first === undefined) return undefined
  const {repository} = first
  return {
    package: repository,
    tag: installedVersion(first),
    installs: targets.map(({name}) => name),
    // Crossplane makes a revision once it has read the package.
    ...(targets.every(({revision}) => revision === undefined) ? {isInstalled: false} : {}),
    reasons: reasonsFor(repository, graphOf(core)),
    notes: unresolvedNote(core).map(({message}) => message),
  }
}

function targetsOf(query: NameText, core: CoreState): readonly CoreRequest[] {
  const {requests} = core
  const {text} = query
  const [crd = ''] = text.replace(/^crd:/, '').split('/')
  const named = text.startsWith(CRD_PREFIX) ? [] : namedIn(query, requests)
  return named.length > 0 || !isCrdName(crd) ? named : requests.filter(definesIn(core, crd))
}

function definesIn({revisions}: CoreState, crd: string): (request: CoreRequest) => boolean {
  const definers = revisions.filter(
    ({isActive, objects}) => isActive && objects.some(object => isCrd(object) && object.name === crd),
  )
  return ({kind, name}) => definers.some(revision => revision.kind === kind && revision.request === name)
}

/** What a user requested, and what nothing requires. */
function isRoot({lock}: CoreState): (request: CoreRequest) => boolean {
  const required = new Set(
    lock.entries.flatMap(({dependencies}) => dependencies.map(({repository}) => repository)),
  )
  return request =>
    !required.has(request.repository) ||
    (isOurs(request.object) ? requestedAs(request) !== undefined : !request.isByCore)
}

/** Returns one request for each repository: the one that the Lock has. */
export function installedOnes({requests, lock}: CoreState): readonly CoreRequest[] {
  const locked = new Set(lock.entries.map(({name}) => name))
  const isLocked = ({revision = ''}: CoreRequest) => locked.has(revision)
  const ones = new Map<string, CoreRequest>()
  for (const request of [...requests.filter(isLocked), ...requests])
    if (!ones.has(request.repository)) ones.set(request.repository, request)
  return [...ones.values()]
}

function requiredBy({revision}: CoreRequest, {lock}: CoreState) {
  return lock.entries.find(({name}) => name === revision)?.dependencies ?? []
}

function treePackage(request: CoreRequest, core: CoreState): XpkgTreePackage {
  const {repository, kind, name, digest} = request
  return {
    package: repository,
    version: installedVersion(request),
    ...present({digest}),
    kind,
    installsAs: name,
    requires: requiredBy(request, core).map(({repository: to, ...requirement}) => ({
      package: to,
      ...requirement,
    })),
  }
}

function graphOf(core: CoreState): XpkgGraph {
  return {
    roots: core.requests
      .filter(isRoot(core))
      .map(request => ({repository: request.repository, version: installedVersion(request)})),
    packages: installedOnes(core).map(request => ({
      repository: request.repository,
      version: installedVersion(request),
      dependencies: requiredBy(request, core).map(({repository, constraint}) => ({
        package: repository,
        version: constraint,
      })),
    })),
  }
}

/** The Lock has only what the core resolves. */
function unresolvedNote({requests}: CoreState): readonly Diagnostic[] {
  const skipping = requests.filter(({isResolved}) => !isResolved)
  if (skipping.length === 0) return []
  const names = listNames(skipping.map(({name}) => name))
  const message = `the dependencies of ${names} are unknown: their requests have skipDependencyResolution`
  return [{severity: 'note', rule: 'dependencies-unknown', message}]
}
