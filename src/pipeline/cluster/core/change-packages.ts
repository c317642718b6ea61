import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {judgeCrds, type VersionChange} from '../../../plan/cluster/core/crd-gate.js'
import {requirementsOf} from '../../../plan/cluster/core/recorded-requires.js'
import {withImageSettings} from '../../../plan/cluster/core/image-settings.js'
import {droppedRequests} from '../../../plan/cluster/core/dropped-requests.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import {pinningIn, pinRejections} from '../../../plan/cluster/core/cluster-pin.js'
import {imageConfigRemovals, pinnedReferences} from '../../../plan/cluster/core/unused-image-configs.js'
import type {Operation} from '../../../plan/plan.js'
import {objectKey} from '../../../kubernetes/object-key.js'
import {present} from '../../../present.js'
import {isDigest} from '../../../reference/image-name.js'
import type {XpkgSetObject} from '../../../render/xpkg/xpkg-set.js'
import {commandLine} from '../../../text.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import {observeCrdInstances} from './crd-instances.js'
import {CrossplaneError} from '../../../errors.js'
import {packageReadiness} from '../../../health/readiness/package-readiness.js'
import {unawaitedFindings} from '../../../health/core/request-findings.js'
import {readCore, readImageConfigs} from '../../../observe/core/read-core.js'
import {observeStaged} from '../../../observe/core/observe-staged.js'
import {UNKNOWN_CLUSTER} from '../../../plan/cluster/access/read-access.js'
import type {GitAllowances} from '../../../plan/cluster/objects/object-reasons.js'
import {type CoreState, isPackageRequest} from '../../../plan/cluster/state/core-state.js'
import {type DesiredPackages, desiredPackages} from '../../../plan/cluster/core/desired-set.js'
import {planPackages, type StagedObject, stagedObjects} from '../../../plan/cluster/core/plan-packages.js'
import {resolverObjects, resolverOperations} from '../../../plan/cluster/core/resolver-change.js'
import {resolverRejections} from '../../../plan/cluster/core/resolver-rejections.js'
import type {PlanPolicies} from '../../../inspect/policy/package-judge.js'
import {expectPlanAllowed} from '../../../inspect/policy/plan-policies.js'
import type {Decision} from '../cluster-change.js'
import type {PackagesChange} from '../joined-changes.js'
import {mirrorNotes} from './cluster-mirrors.js'
import {type ResolvedPackages, type PackagesQuery, withNames, renderFor} from './resolved-packages.js'
import {pausedRejections, unawaited, unawaitedLive} from './unawaited-packages.js'
import {changedVersions, observedLosses, joinedRisks} from './lost-uses.js'

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
    const set = renderFor(resolved, query, core)
    const planPolicies = await expectJudged(resolved, set, query, core)
    return {text: textOf(core), resolved, set, planPolicies}
  }
  const core = await existingCore(api)
  const first = await prepare(core)
  const {set} = first
  const adapted = adaptedSet(first, query, core)
  const {desired} = adapted
  const identities = first.resolved.closure.packages.map(({repository}) => repository)
  const mirrors = mirrorNotes(identities, query.packages.remote.clusterMirror)
  const decide = async () => {
    const current = await existingCore(api)
    const isSame = textOf(current) === first.text
    const next = isSame ? {...first, set: renderFor(first.resolved, query, current)} : await prepare(current)
    return await decided({...next, ...adaptedSet(next, query, current)}, query, current, api)
  }
  const decision = await decided({...first, ...adapted}, query, core, api)
  const {resolver} = pinningIn(core, query.settings)
  const left = unawaitedFindings(unawaited(first.resolved, desired, core, resolver), core)
  const dropped = droppedRequests(first.resolved.closure.packages, core, first.resolved.requestedAs)
  const said = [...(first.resolved.notes ?? []), ...(set.notes ?? [])]
  const notes = [...said, ...mirrors, ...left, ...dropped]
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

/** Throws `policy-refused` for named packages that the policy of the team rejects; returns by what a plan is judged. */
async function expectJudged(
  resolved: ResolvedPackages,
  set: RenderedSet,
  query: PackagesQuery,
  core: CoreState,
): Promise<PlanPolicies | undefined> {
  const {judge, packages, settings} = query
  if (judge === undefined) return undefined
  const {expectJudgedXpkgs} = await import('../../../package/xpkg/judge.js')
  const {closure, own = settings.own} = resolved
  const pins = {...pinningIn(core, settings), ...present({own})}
  return await expectJudgedXpkgs({closure, set, settings: pins}, judge, packages, closure.judged)
}

interface JudgedPackages {
  readonly resolved: ResolvedPackages
  /** By what a plan for them is judged; undefined if the policy of the team has nothing about plans. */
  readonly planPolicies: PlanPolicies | undefined
}

async function decided(
  {resolved, planPolicies, rendered, desired}: JudgedPackages & AdaptedSet,
  query: PackagesQuery,
  core: CoreState,
  api: ClusterApi,
): Promise<Decision> {
  const {adopt, forceConflicts, keepsInstances = false, acceptsImpact} = query.options
  const {resolver} = pinningIn(core, query.settings)
  const {changesResolver = false} = query
  const imageConfigs = await readImageConfigs(api)
  const {objects, risks} = withImageSettings(desired.objects, imageConfigs)
  const staged = stagedObjects(objects)
  const observed = await observeStaged(staged, api, adopt)
  const changes = await changedVersions(resolved, core, query, api)
  const loadJudge = acceptsImpact === undefined ? undefined : query.loadJudge
  const instances = await observeCrdInstances(changes, api, loadJudge)
  const crds = judgeCrds(changes, instances, {keepsInstances, acceptsImpact})
  const {losses, lossRisks} = await observedLosses(resolved, core, query)
  const left = unawaited(resolved, desired, core, resolver)
  const unwatched = [...left.broken, ...left.paused, ...left.blocked]
  const plan = planPackages(staged, {
    snapshot: observed,
    isPending: live => packageReadiness(live).state !== 'healthy',
    isLeft: ({kind, name}) => unwatched.some(one => one.kind === kind && one.name === name),
    allowed: {adopt, forceConflicts, inGit: inGit(staged, resolved, query)},
    risks: joinedRisks([...crds.risks, ...lossRisks], risks),
    rejections: [
      ...settingRejections(rendered, resolved, query, core),
      ...desired.rejections,
      ...pausedRejections(resolved, desired, core),
      ...crds.rejections,
      ...losses,
    ],
  })
  const operations = changesResolver
    ? resolverOperations(plan.operations, core, resolver, unawaitedLive(left, core))
    : plan.operations
  const removals = unusedPins(objects, core, imageConfigs)
  const whole = {
    ...plan,
    operations: operations.length === 0 ? [] : [...operations, ...removals],
    ...(crds.impact.crds.length === 0 ? {} : {impact: crds.impact}),
  }
  await expectPlanJudged(planPolicies, whole.operations, changes)
  const {signerChanges} = resolved.closure
  return {
    ...{plan: whole, snapshot: {...UNKNOWN_CLUSTER, ...observed}},
    ...{firstOwners: [], signerChanges, installs: []},
  }
}

/** Returns the command that makes the same change by a commit, of a request. */
function inGit(
  staged: readonly StagedObject[],
  {closure}: ResolvedPackages,
  {changesResolver = false, settings}: PackagesQuery,
): NonNullable<GitAllowances['inGit']> {
  const resolver = [
    'package',
    'upgrade',
    `--resolver=${settings.resolver ?? 'on'}`,
    '--git',
    '.',
    '--change-settings',
  ]
  const versions = new Map(closure.packages.map(({repository, version}) => [repository, version]))
  return object => {
    if (!isPackageRequest(object)) return undefined
    if (changesResolver) return commandLine(resolver)
    const own = staged.find(({desired}) => desired.key === objectKey(object))
    const {package: reference} = asObject(own?.desired.content.spec)
    const {repository} = coreReference(asText(reference))
    const version = versions.get(repository)
    if (version === undefined) return undefined
    return commandLine([
      'package',
      'upgrade',
      `${repository}${isDigest(version) ? '@' : ':'}${version}`,
      '--git',
      '.',
    ])
  }
}

type RenderedSet = ReturnType<typeof renderFor>

/** What a cluster is to have of a set. */
interface AdaptedSet {
  readonly rendered: readonly XpkgSetObject[]
  readonly desired: DesiredPackages
}

/** Adapts a set to a cluster. */
function adaptedSet(
  {resolved, set}: {readonly resolved: ResolvedPackages; readonly set: RenderedSet},
  query: PackagesQuery,
  core: CoreState,
): AdaptedSet {
  const {settings, options, changesResolver = false} = query
  const {resolver} = pinningIn(core, settings)
  const rendered = changesResolver ? resolverObjects(set.objects, core, resolver) : set.objects
  const desired = desiredPackages(rendered, core, {
    adopts: options.adopt && changesResolver,
    roots: resolved.requestedAs,
    configured: resolved.configured ?? new Set(),
    packages: resolved.closure.packages,
    ...present({declared: resolved.declared, entries: resolved.entries}),
  })
  return {rendered, desired}
}

/** Why the pin or the resolver of a declaration cannot be that of the cluster. */
function settingRejections(
  rendered: RenderedSet['objects'],
  {closure}: ResolvedPackages,
  {changesResolver = false, settings}: PackagesQuery,
  core: CoreState,
): readonly Diagnostic[] {
  if (!changesResolver) return pinRejections(settings, core)
  const objects = rendered.map(({object}) => object)
  return resolverRejections(objects, closure.packages, core, pinningIn(core, settings).resolver)
}

/** Throws `policy-refused` for what the policy of the team rejects of a plan. */
export async function expectPlanJudged(
  policies: PlanPolicies | undefined,
  operations: readonly Operation[],
  changes: readonly VersionChange[],
): Promise<void> {
  if (policies === undefined) return
  const {judgedOperations} = await import('../../../inspect/policy/judged-plan.js')
  const {judgedCoreCrds} = await import('../../../inspect/policy/planned-xpkg-crds.js')
  const crds = judgedCoreCrds(changes)
  const plan = {target: 'cluster' as const, operations: judgedOperations(operations), crds}
  await expectPlanAllowed(policies, plan)
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
