import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {nameOf, objectKey} from '../../../kubernetes/object-key.js'
import {withPodImages} from '../../../kubernetes/pod-images.js'
import {judgeCrds, type VersionChange} from '../../../plan/cluster/core/crd-gate.js'
import {requirementsOf} from '../../../plan/cluster/core/recorded-requires.js'
import {withImageSettings} from '../../../plan/cluster/core/image-settings.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import {clusterNames} from '../../../plan/cluster/core/cluster-names.js'
import {pinningIn, pinRejections} from '../../../plan/cluster/core/cluster-pin.js'
import {imageConfigRemovals, pinnedReferences} from '../../../plan/cluster/core/unused-image-configs.js'
import {lossRejection} from '../../../plan/git/judge-xpkgs.js'
import {setLosses, type XpkgSetChange} from '../../../plan/git/xpkg-losses.js'
import type {Operation} from '../../../plan/plan.js'
import {present} from '../../../present.js'
import type {XpkgSetObject} from '../../../render/xpkg/xpkg-set.js'
import {isSince, SINCE} from '../../../xpkg/core-release.js'
import {escaped} from '../../../text.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import {clusterLock, installedVersion} from './cluster-lock.js'
import {observeCrdInstances, type ReadableChange} from './crd-instances.js'
import {CrossplaneError} from '../../../errors.js'
import {packageReadiness} from '../../../health/core/package-readiness.js'
import {ownedCrds} from '../../../observe/core/owned-crds.js'
import {readCore, readImageConfigs} from '../../../observe/core/read-core.js'
import {observeStaged} from '../../../observe/core/observe-staged.js'
import {UNKNOWN_CLUSTER} from '../../../plan/cluster/access/read-access.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/core/core-state.js'
import {desiredPackages} from '../../../plan/cluster/core/desired-set.js'
import {planPackages, stagedObjects} from '../../../plan/cluster/core/plan-packages.js'
import {resolverObjects, resolverOperations} from '../../../plan/cluster/core/resolver-change.js'
import {resolverRejections} from '../../../plan/cluster/core/resolver-rejections.js'
import type {PackageJudge, PlanJudge} from '../../../inspect/policy/package-judge.js'
import type {PackagePorts} from '../../../locate/located-package.js'
import type {InstallOptions} from '../../../plan/cluster/plan-install.js'
import type {XpkgSettings} from '../../../render/xpkg/xpkg-settings.js'
import {locatedXpkgs} from '../../../resolve/xpkg/located-xpkgs.js'
import {changedSet, lockedVersions} from '../../../package/xpkg/changed-set.js'
import {packageFiles} from '../../../package/xpkg/package-files.js'
import {xpkgSetOf} from '../../../package/xpkg/render.js'
import type {Decision} from '../cluster-change.js'
import type {PackagesChange} from '../joined-changes.js'
import type {ClusterClosure} from './closure-in-cluster.js'
import {mirrorNotes} from './cluster-mirrors.js'

/** Packages that fit together, for a cluster as it was read. */
export interface ResolvedPackages {
  readonly closure: ClusterClosure
  /** The tag, digest or constraint by which a user requested a package, by repository. */
  readonly requestedAs: ReadonlyMap<string, string>
  /** The packages whose settings the command decides; by default none. */
  readonly configured?: ReadonlySet<string>
  /** The packages whose names a declaration says. */
  readonly declared?: ReadonlySet<string>
  readonly notes?: readonly Diagnostic[]
  /** The images of runtimes that a policy covers, with the digests that were verified, by their names. */
  readonly images?: ReadonlyMap<string, string>
  readonly judgePlan?: PlanJudge
}

/** How packages are requested. */
export interface PackagesQuery {
  /** Without a pin, that of the cluster. */
  readonly settings: Partial<XpkgSettings>
  readonly options: InstallOptions
  /** Judges the packages by the policy of the team, if it rejects any. */
  readonly judge?: PackageJudge
  readonly packages: PackagePorts
  /** Whether all packages of the cluster change to another resolver, and nothing else of them. */
  readonly changesResolver?: boolean
}

/**
 * Plans the requests for packages in a cluster with a core. They are resolved again when the requests of the cluster have
 * changed. Throws `unsupported` for a cluster without a core, and the errors of resolution and the API.
 */
export async function changePackages(
  query: PackagesQuery,
  resolve: (core: CoreState) => Promise<ResolvedPackages>,
  api: ClusterApi,
): Promise<PackagesChange> {
  const prepare = async (core: CoreState) => {
    const resolved = withNames(await resolve(core), query, core)
    const judgePlan = await expectJudged(resolved, query, core)
    return {text: textOf(core), resolved: {...resolved, ...present({judgePlan})}}
  }
  const core = await existingCore(api)
  const first = await prepare(core)
  const set = renderFor(first.resolved, query, core)
  const identities = first.resolved.closure.packages.map(({repository}) => repository)
  const mirrors = mirrorNotes(identities, query.packages.remote.clusterMirror)
  const decide = async () => {
    const current = await existingCore(api)
    const {resolved} = textOf(current) === first.text ? first : await prepare(current)
    return await decided(resolved, query, current, api)
  }
  const decision = await decided(first.resolved, query, core, api)
  const notes = [...(first.resolved.notes ?? []), ...(set.notes ?? []), ...mirrors]
  return {set, notes, decision, decide, identities, formats: ['xpkg']}
}

/** Reads the core of a cluster. Throws `unsupported` without one. */
export async function existingCore(api: ClusterApi): Promise<CoreState> {
  const core = await readCore(api)
  if (core !== undefined) return core
  const message =
    'cannot install packages for a current Crossplane (xpkg): the cluster does not serve Providers of pkg.crossplane.io'
  throw new CrossplaneError('unsupported', message, {
    suggestions: ['Install Crossplane in the cluster, or select another one with --context.'],
  })
}

/** Requests that exist keep their names, where that is safe. */
function withNames(
  {closure, declared = new Set(), ...resolved}: ResolvedPackages,
  {settings}: PackagesQuery,
  core: CoreState,
): ResolvedPackages {
  const isResolved = pinningIn(core, settings).resolver === 'on'
  const names = clusterNames(closure, core, {declared, isResolved})
  return {...resolved, closure: {...closure, names}, declared}
}

/** What decides about a resolution. */
function textOf(core: CoreState): string {
  return JSON.stringify([
    core.requests.map(({kind, name, reference, resolved, isResolved}) => [
      kind,
      name,
      reference,
      resolved,
      isResolved,
    ]),
    requirementsOf(core).requirers,
  ])
}

function renderFor(
  {closure, images}: Pick<ResolvedPackages, 'closure' | 'images'>,
  {settings, packages}: PackagesQuery,
  core: CoreState,
) {
  const {clusterMirror} = packages.remote
  const mirrorOf = (repository: string) =>
    settings.mirrorOf?.(repository) ?? clusterMirror?.(repository)?.repository
  const set = xpkgSetOf(closure, {...settings, ...pinningIn(core, settings), mirrorOf})
  if (images === undefined) return set
  return {...set, objects: set.objects.map(own => ({...own, object: withPodImages(own.object, images)}))}
}

/** Throws `policy-refused` for named packages that the policy of the team rejects; returns what judges a plan. */
async function expectJudged(
  resolved: ResolvedPackages,
  query: PackagesQuery,
  core: CoreState,
): Promise<PlanJudge | undefined> {
  const {judge, packages, settings} = query
  if (judge === undefined) return undefined
  const {expectJudgedXpkgs} = await import('../../../package/xpkg/judge.js')
  const set = renderFor(resolved, query, core)
  const {closure} = resolved
  const pins = {...pinningIn(core, settings), ...present({own: settings.own})}
  return await expectJudgedXpkgs({closure, set, settings: pins}, judge, packages, closure.judged)
}

async function decided(
  resolved: ResolvedPackages,
  query: PackagesQuery,
  core: CoreState,
  api: ClusterApi,
): Promise<Decision> {
  const {adopt, forceConflicts, keepsInstances = false} = query.options
  const {resolver} = pinningIn(core, query.settings)
  const {changesResolver = false} = query
  const set = renderFor(resolved, query, core)
  const rendered = changesResolver ? resolverObjects(set.objects, core, resolver) : set.objects
  const desired = desiredPackages(rendered, core, {
    adopts: adopt && changesResolver,
    roots: resolved.requestedAs,
    configured: resolved.configured ?? new Set(),
    packages: resolved.closure.packages,
    ...present({declared: resolved.declared}),
  })
  const imageConfigs = await readImageConfigs(api)
  const {objects, risks} = withImageSettings(desired.objects, imageConfigs)
  const staged = stagedObjects(objects)
  const observed = await observeStaged(staged, api, adopt)
  const changes = await changedVersions(resolved, core, query, api)
  const crds = judgeCrds(changes, await observeCrdInstances(changes, api), {keepsInstances})
  const {losses, lossRisks} = await observedLosses(resolved, core, query)
  const plan = planPackages(staged, {
    snapshot: observed,
    isPending: live => packageReadiness(live).state !== 'healthy',
    allowed: {adopt, forceConflicts},
    risks: joinedRisks([...crds.risks, ...lossRisks], risks),
    rejections: [
      ...(changesResolver
        ? resolverRejections(
            rendered.map(({object}) => object),
            resolved.closure.packages,
            core,
            resolver,
          )
        : pinRejections(query.settings, core)),
      ...desired.rejections,
      ...crds.rejections,
      ...losses,
    ],
  })
  const operations = changesResolver ? resolverOperations(plan.operations, core, resolver) : plan.operations
  const removals = unusedPins(objects, core, imageConfigs)
  const whole = {
    ...plan,
    operations: operations.length === 0 ? [] : [...operations, ...removals],
    ...(crds.impact.crds.length === 0 ? {} : {impact: crds.impact}),
  }
  await expectPlanJudged(resolved, whole.operations, changes)
  const {signerChanges} = resolved.closure
  return {
    ...{plan: whole, snapshot: {...UNKNOWN_CLUSTER, ...observed}},
    ...{firstOwners: [], signerChanges, installs: []},
  }
}

/** Throws `policy-refused` for what the policy of the team rejects of a plan. */
async function expectPlanJudged(
  {judgePlan}: ResolvedPackages,
  operations: readonly Operation[],
  changes: readonly VersionChange[],
): Promise<void> {
  if (judgePlan === undefined) return
  const {judgedOperations} = await import('../../../inspect/policy/judged-plan.js')
  const {judgedCoreCrds} = await import('../../../inspect/policy/planned-xpkg-crds.js')
  const crds = judgedCoreCrds(changes)
  await judgePlan({target: 'cluster', operations: judgedOperations(operations), crds})
}

/** Reads the CRDs of installed packages that get other versions. */
async function changedVersions(
  {closure}: ResolvedPackages,
  core: CoreState,
  {packages: ports, settings: {coreVersion}}: PackagesQuery,
  api: ClusterApi,
): Promise<readonly ReadableChange[]> {
  const isInert = ({kind}: CoreRequest) => kind === 'Function' && isSince(coreVersion, SINCE.newRules)
  const changed = new Map(
    closure.packages.flatMap(selected => {
      const request = core.requests.find(one => one.repository === selected.repository)
      const isChanged = request !== undefined && installedVersion(request) !== selected.version
      // Crossplane 2.3 and later do not install the CRDs of Functions.
      return isChanged && !isInert(request) ? [[request, selected] as const] : []
    }),
  )
  const owned = await ownedCrds([...changed.keys()], core, api)
  return [...changed].map(([request, selected]) => ({
    request,
    objects: selected.objects ?? [],
    files: async () => await packageFiles(selected, closure.roots, ports),
    crds: owned.filter(one => one.request === request).map(({crd}) => crd),
  }))
}

/**
 * Returns what packages still use and lose, as rejections and as warnings of requests: the selected packages are compared with their
 * installed versions. Others stay in the cluster, and the Compositions of installed Configurations go on using what the selected packages have.
 */
async function observedLosses(
  {closure: {packages, names}}: ResolvedPackages,
  core: CoreState,
  {packages: ports, settings: {coreVersion}}: PackagesQuery,
): Promise<ReturnType<typeof lossesOf>> {
  const selected = new Set(packages.map(({repository}) => repository))
  const installed = clusterLock(core, []).lock.xpkgs ?? []
  const catalog = locatedXpkgs(ports)
  const locked = installed.filter(({repository}) => selected.has(repository))
  const change = await changedSet(locked, {packages, names}, catalog, coreVersion)
  if (change.changes.length === 0) return {losses: [], lossRisks: []}
  const others = installed.filter(
    ({repository, kind}) => kind === 'Configuration' && !selected.has(repository),
  )
  const {read, unread} = await lockedVersions(others, catalog, coreVersion)
  return lossesOf({...change, after: [...change.after, ...read]}, unread, core)
}

type RequestRisk = readonly [CoreRequest, readonly Diagnostic[]]

function lossesOf(change: XpkgSetChange, unread: readonly string[], {requests}: CoreState) {
  const judged = setLosses(change).map(loss => ({loss, diagnostic: lossRejection(loss)}))
  const risksOf = (wanted: string, risks: readonly Diagnostic[]): readonly RequestRisk[] =>
    requests.filter(({repository}) => repository === wanted).map(request => [request, risks])
  return {
    losses: judged.flatMap(({diagnostic}) => (diagnostic.severity === 'error' ? [diagnostic] : [])),
    lossRisks: [
      ...judged.flatMap(({loss, diagnostic}) =>
        diagnostic.severity === 'error' ? [] : risksOf(loss.repository, [diagnostic]),
      ),
      ...change.changes.flatMap(({repository}) => risksOf(repository, unread.map(unreadUse))),
    ],
  }
}

function unreadUse(cause: string): Diagnostic {
  const message = `whether an installed package still uses what the new version no longer has is not known: ${escaped(cause)}`
  return {severity: 'warning', rule: 'xpkg-use-unknown', message}
}

function joinedRisks(
  ofRequests: readonly RequestRisk[],
  others: ReadonlyMap<string, readonly Diagnostic[]>,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const joined = new Map(others)
  for (const [{object}, risks] of ofRequests) {
    const key = objectKey(nameOf(object))
    joined.set(key, [...risks, ...(joined.get(key) ?? [])])
  }
  return joined
}

/** The pins of earlier tags that no revision uses any more. */
function unusedPins(
  objects: readonly XpkgSetObject[],
  core: CoreState,
  imageConfigs: readonly KubernetesObject[],
): readonly Operation[] {
  const references = objects.flatMap(({object}) => {
    const {package: reference} = asObject(object.spec)
    return reference === undefined ? pinnedReferences(object) : [asText(reference)]
  })
  const repositories = new Set(references.map(reference => coreReference(reference).repository))
  return imageConfigRemovals(imageConfigs, repositories, new Set(references), core)
}
