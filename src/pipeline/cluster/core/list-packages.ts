import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import {failureOf} from '../../../cluster/api/cluster-failure.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {CrossplaneError} from '../../../errors.js'
import type {Denial} from '../../../health/health-snapshot.js'
import {absentInstances, type Drift, lockDrift} from '../../../health/drift.js'
import {absentHealth} from '../../../health/judge-health.js'
import {duplicateFindings} from '../../../health/core/duplicate-findings.js'
import {packageHealth, type PackageHealth} from '../../../health/core/package-health.js'
import {type LabelRequirement, matchesSelector} from '../../../kubernetes/label-selector.js'
import {readCore} from '../../../observe/core/read-core.js'
import type {CoreRequest} from '../../../plan/cluster/state/core-state.js'
import {requestedAs} from '../../../plan/cluster/core/requested-as.js'
import {resolverWarnings} from '../../../plan/cluster/core/resolver-change.js'
import {present} from '../../../present.js'
import {parseImageName} from '../../../reference/image-name.js'
import {formatRepository, repositoryOf} from '../../../reference/repository.js'
import {type Nameable, namedIn, requestName} from '../../../reference/named.js'
import {availableUpdate, type InstalledVersion} from '../available-updates.js'
import type {ComparedLock} from '../install-status.js'
import {revisionName} from '../../../xpkg/package-name.js'
import {lockedRequest} from './cluster-lock.js'
import {denialWarning, type InstallListQuery, NOTHING_NEWER} from '../list-installs.js'

/** What is listed of packages. */
export interface PackageListQuery extends Pick<InstallListQuery, 'findNewest'> {
  readonly selection: {readonly selector: readonly LabelRequirement[]}
  /** Whether packages, which have no namespace, are selected. */
  readonly selectsPackages: boolean
}

/** What the status of packages is read of. */
export interface PackageStatusQuery extends Pick<PackageListQuery, 'selectsPackages'> {
  readonly selector: readonly LabelRequirement[]
  /** What names some of them; without a text all of them. */
  readonly text?: string
  /** A lock to compare them with. */
  readonly lock?: ComparedLock
  /** The installs that are selected beside them. */
  readonly installs?: {readonly namespace: string | undefined}
}

/** A Provider, Function or Configuration of a cluster, with untrusted texts. */
export interface ListedPackage {
  readonly kind: string
  readonly name: string
  readonly package: string
  readonly state: PackageHealth['readiness']['state'] | 'paused'
  /** Why it is not healthy. */
  readonly reason?: string
  /** What it was resolved to by ImageConfigs. */
  readonly resolvedPackage?: string
  readonly revision?: string
  /** The tag, digest or constraint that a user requested; absent for a dependency and for requests of other programs. */
  readonly requestedAs?: string
  readonly requiredBy: readonly string[]
  /** Requirements, as `REPOSITORY CONSTRAINT`, of which the package is missing or not healthy. */
  readonly waitsFor: readonly string[]
  /** Other requests for the repository, as `KIND/NAME`. */
  readonly duplicates: readonly string[]
  /** Whether it was installed for other packages, and none requires it any more. */
  readonly unused: boolean
  /** In RFC 3339. */
  readonly created?: string
  /** How it differs from the lock that it was compared with. */
  readonly drift?: readonly Drift[]
  /** The newest stable version if it is newer than the requested tag, and one is known. */
  readonly available?: string
}

/** The packages for a current Crossplane in a cluster, and warnings about what holds for all of them. */
export interface PackageList {
  readonly packages: readonly ListedPackage[]
  readonly warnings: readonly Diagnostic[]
  /** The missing permission without which it is unknown which packages there are. */
  readonly denials: readonly Denial[]
}

/** Lists the packages for a current Crossplane by kind and name. Throws the errors of the API. */
export async function listPackages(
  {selection: {selector}, selectsPackages, findNewest}: PackageListQuery,
  api: ClusterApi,
): Promise<PackageList> {
  if (!selectsPackages) return NO_PACKAGES
  const list = await selectedPackages(api, selector)
  const versions = new Map(list.packages.map(one => [one, requestedVersion(one)]))
  const identities = [...versions.values()].flatMap(version => version?.identity ?? [])
  const newest = (await findNewest?.(identities, 'xpkg')) ?? NOTHING_NEWER
  return {
    ...list,
    packages: list.packages.map(one => {
      const version = versions.get(one)
      return {...one, ...present({available: version && availableUpdate(version, newest)})}
    }),
    warnings: [...list.warnings, ...newest.warnings],
  }
}

/** The package and the tag of a request; undefined for one without a tag. */
function requestedVersion({package: reference}: ListedPackage): InstalledVersion | undefined {
  const name = parseImageName(reference)
  if (name?.tag === undefined) return undefined
  return {identity: formatRepository(repositoryOf(name)), tag: name.tag}
}

/** Lists the requests that a NAME can mean; packages have no namespace. Throws the errors of the API. */
export async function packageNames(
  {namespace}: {readonly namespace?: string},
  api: ClusterApi,
): Promise<readonly Nameable[]> {
  return namespace === undefined ? ((await readCore(api))?.requests ?? []) : []
}

const NO_PACKAGES: PackageList = {packages: [], warnings: [], denials: []}

/** Those that a text names, if there is one; none for a cluster without a current Crossplane. */
async function selectedPackages(
  api: ClusterApi,
  selector: readonly LabelRequirement[],
  {text, lock}: Pick<PackageStatusQuery, 'text' | 'lock'> = {},
): Promise<PackageList> {
  const core = await readCore(api).catch((error: unknown) => deniedBy(error))
  const absent = (live: readonly CoreRequest[]) =>
    lock === undefined || selector.length > 0 ? [] : absentPackages(lock, live, text)
  if (core === undefined) return {...NO_PACKAGES, packages: absent([])}
  if ('warnings' in core) return core
  const {requests} = core
  const named = text === undefined ? requests : namedIn({text, action: 'show'}, requests)
  const packages = packageHealth(core)
    .filter(({request}) => matchesSelector(request.object.metadata.labels ?? {}, selector))
    .filter(({request}) => named.includes(request))
  const {problem} = core.lock
  return {
    packages: [
      ...packages.map(one => ({...listed(one), ...present({drift: lock && driftFrom(one.request, lock)})})),
      ...absent(requests),
    ],
    warnings:
      packages.length === 0
        ? []
        : [
            ...(problem === undefined ? [] : [lockWarning(problem)]),
            ...duplicateFindings(core).filter(({subject}) =>
              packages.some(({request}) => request.repository === subject?.package),
            ),
            ...resolverWarnings(core),
          ],
    denials: [],
  }
}

/**
 * Lists packages for their health. A user of one namespace may not read packages, which have none: that is undetermined only if all
 * namespaces are selected. Throws `cluster-denied` for a text that could name one.
 */
export async function packageStatus(
  {installs, selector, selectsPackages, text, lock}: PackageStatusQuery,
  api: ClusterApi,
): Promise<PackageList> {
  if (!selectsPackages) return NO_PACKAGES
  const list = await selectedPackages(api, selector, present({text, lock}))
  const {denials} = list
  const [denied] = denials
  if (text !== undefined && denied !== undefined)
    throw new CrossplaneError('cluster-denied', denied.message, {suggestions: denied.suggestions})
  return {...list, denials: installs?.namespace === undefined ? denials : []}
}

/** A user of one namespace may not read packages, which have none. */
function deniedBy(error: unknown): PackageList {
  if (!(error instanceof CrossplaneError) || failureOf(error)?.status !== 403) throw error
  const {message, suggestions} = error
  const denial = {message, suggestions}
  return {packages: [], warnings: [denialWarning(denial)], denials: [denial]}
}

/** A tag alone does not tell the bytes: the name of the revision has the start of their digest. */
function driftFrom(request: CoreRequest, {instances}: ComparedLock): readonly Drift[] {
  const {kind, name, revision} = request
  const {repository, tag, digest: read} = lockedRequest(request)
  const locked = instances.find(one => one.kind === kind && one.name === name)?.digest
  const isOther = locked !== undefined && revision !== undefined && revision !== revisionName(name, locked)
  const digest = read ?? (isOther ? undefined : locked)
  return lockDrift({kind, name, installed: {identity: repository, ...present({tag, digest})}}, instances)
}

/** What a lock has, and the cluster does not; with a text, as far as that names it. */
function absentPackages(
  {instances, declaration}: ComparedLock,
  live: readonly CoreRequest[],
  text: string | undefined,
): readonly ListedPackage[] {
  const absent = absentInstances(
    instances,
    live.map(({kind, name}) => ({kind, name})),
  ).flatMap(one => (one.kind === undefined ? [] : [{...one, kind: one.kind, repository: one.identity}]))
  const named = text === undefined ? absent : namedIn({text, action: 'show'}, absent)
  return named.map(one => ({
    kind: one.kind,
    name: one.name,
    package: `${one.identity}${one.tag === undefined ? '' : `:${one.tag}`}`,
    state: 'broken',
    ...present({reason: absentHealth(one, declaration).findings[0]?.message}),
    ...{requiredBy: [], waitsFor: [], duplicates: [], unused: false},
  }))
}

function lockWarning(problem: string): Diagnostic {
  const message = `Crossplane cannot resolve the dependencies of packages: ${problem}`
  const suggestions = ['To see which objects cause it: kubectl crossplane doctor']
  return {severity: 'warning', rule: 'lock-unresolved', message, suggestions}
}

function listed({request, readiness, waits, duplicates, requiredBy, isUnused}: PackageHealth): ListedPackage {
  const {kind, name, reference, revision, resolved, created} = request
  return {
    kind,
    name,
    package: reference,
    state: 'isPaused' in readiness ? 'paused' : readiness.state,
    requiredBy,
    waitsFor: waits.map(({repository, constraint}) => `${repository} ${constraint}`.trim()),
    duplicates: duplicates.map(requestName),
    unused: isUnused,
    ...present({
      reason: readiness.state === 'healthy' ? undefined : readiness.reason,
      resolvedPackage: resolved,
      revision,
      requestedAs: requestedAs(request),
      created: created || undefined,
    }),
  }
}
