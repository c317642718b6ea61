import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../../diagnostic.js'
import type {PackagePorts} from '../../../locate/located-package.js'
import {withTrust} from '../../../locate/with-trust.js'
import {nameOf, objectKey} from '../../../kubernetes/object-key.js'
import {observeStaged} from '../../../observe/core/observe-staged.js'
import {readOwned} from '../../../observe/core/read-owned.js'
import {readUsages} from '../../../observe/core/read-usages.js'
import {readCoreVersion} from '../../../observe/objects/read-core-version.js'
import {UNKNOWN_CLUSTER} from '../../../plan/cluster/access/read-access.js'
import {packageReadiness} from '../../../health/readiness/package-readiness.js'
import {type ChangedRequirer, movedRequirer} from '../../../plan/cluster/core/changed-requirers.js'
import {newHandOvers} from '../../../plan/cluster/core/move-contents.js'
import {type HandOver, handOverOperations} from '../../../plan/cluster/core/move-operations.js'
import {
  earlyRejections,
  type MoveCluster,
  moveRejections,
} from '../../../plan/cluster/core/move-rejections.js'
import {
  otherVersionRejections,
  stillRequiredRejections,
  unchangedRejections,
} from '../../../plan/cluster/core/move-requirers.js'
import {planPackages, stagedObjects} from '../../../plan/cluster/core/plan-packages.js'
import {pinningIn} from '../../../plan/cluster/core/cluster-pin.js'
import type {PackageJudge, PlanPolicies} from '../../../inspect/policy/package-judge.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import type {Operation} from '../../../plan/plan.js'
import {present} from '../../../present.js'
import {revisionName} from '../../../xpkg/package-name.js'
import {readPolicy} from '../../request/read-request.js'
import type {Decision} from '../cluster-change.js'
import type {InstallPorts} from '../install.js'
import {expectPlanJudged} from './change-packages.js'
import {judgeMoved} from './judge-moved.js'
import {judgedRequirers} from './judge-requirers.js'
import {type ReadPackage, type ReadTarget, readTargets, requirersAfter} from './read-targets.js'
import {renderFor} from './resolved-packages.js'
import {type BeginQuery, requirerTargets, targetsOf} from './move-targets.js'
import {syncRejections, unwaitedRejections} from './sync-rejections.js'

/** What a move begins with. */
export interface BegunMove {
  readonly packages: readonly HandOver[]
  /** What the packages need before they are requested. */
  readonly before: readonly Operation[]
  readonly rejections: readonly Diagnostic[]
}

/** Reads and judges the packages of a move. Throws `not-found`, and the errors of resolution and the API. */
export async function beginMove(
  query: BeginQuery,
  core: CoreState,
  {api, requests}: InstallPorts,
): Promise<BegunMove> {
  const [targets, changing] = [targetsOf(query, core), requirerTargets(query, core)]
  const policy = await readPolicy(query.settings, requests)
  const coreVersion = policy.coreVersion ?? (await readCoreVersion(api))
  const cluster: MoveCluster = {
    ...{core, owned: await readOwned(api), usages: await readUsages(api)},
    problemOf: request => problemOf(request, core),
    ...present({coreVersion}),
  }
  const [former, requirers] = [targets.map(({from}) => from), changing.map(({from}) => from)]
  const synced = query.inGit === true ? unwaitedRejections : syncRejections
  const early = [
    ...earlyRejections(former, cluster, requirers),
    ...(await synced([...former, ...requirers], api)),
  ]
  const useless = unchangedRejections(changing, targets, core)
  if (early.length + useless.length > 0) return {packages: [], before: [], rejections: [...early, ...useless]}
  const packages = withTrust(await requests.packages(), policy.trust)
  const newRequirers = await requirersAfter(changing, packages)
  const still = stillRequiredRejections(newRequirers, targets)
  // Both would define the same CRDs: no set of packages has these.
  if (still.length > 0) return {packages: [], before: [], rejections: still}
  const {moved, changed} = await readTargets(
    {targets, changing},
    core,
    {...policy, ...present({coreVersion})},
    packages,
  )
  const judged = await judgeMoved(moved, core, {packages, coreVersion}, {api, requests})
  const rendered = renderedPart([...moved, ...changed], core, packages, coreVersion)
  const policies = await expectJudged(rendered, policy.judge, packages)
  const pins = await pinOperations(rendered.set, api)
  const handedOver = newHandOvers(
    judged.begun.map((one, order) => (order === 0 ? {...one, ...requiring(changed, judged.risksOf)} : one)),
  )
  const withRequirers = await judgedRequirers(handedOver, core, {api, requests}, packages)
  const begins = beginOperations({packages: withRequirers.packages, before: pins.operations}, core)
  await expectPlanJudged(policies, begins, [...judged.changes, ...withRequirers.changes])
  return {
    packages: withRequirers.packages,
    before: pins.operations,
    rejections: [
      ...unchangedRejections(changed.map(withRevision), targets, core),
      ...moveRejections(moved.map(movedPackage), cluster, newRequirers),
      ...otherVersionRejections(selectedBeside([...moved, ...changed]), former, core),
      ...judged.rejections,
      ...withRequirers.rejections,
      ...pins.rejections,
    ],
  }
}

/** Returns the operations by which a move begins. */
export function beginOperations(
  {packages, before}: Pick<BegunMove, 'packages' | 'before'>,
  core: CoreState,
): readonly Operation[] {
  return packages.length === 0 ? [] : [...before, ...handOverOperations(packages, core)]
}

/** Returns what a plan compares with: the requests of a cluster. */
export function snapshotOf({requests}: CoreState): Decision['snapshot'] {
  const live = new Map(requests.map(({object}) => [objectKey(nameOf(object)), object]))
  return {...UNKNOWN_CLUSTER, live}
}

/** The first package of a move has what changes with it. */
function requiring(
  changed: readonly ReadPackage[],
  risksOf: (request: CoreRequest) => readonly Diagnostic[],
): Pick<HandOver, 'requirers'> {
  const requirers = changed.map(one => ({...changedRequirer(one), risks: risksOf(one.from)}))
  return changed.length === 0 ? {} : {requirers}
}

function movedPackage({from, name, repository, selected}: ReadTarget) {
  return {
    from,
    to: {
      ...{name, repository, kind: selected.kind},
      objects: (selected.objects ?? []).map(object => `${object.kind}/${object.name}`),
      requires: selected.dependencies.flatMap(one => (one.package === repository ? [] : [one.package])),
    },
  }
}

/** What the packages of a move require, besides each other. */
function selectedBeside(all: readonly ReadPackage[]) {
  const own = new Set(all.map(({repository}) => repository))
  return all.slice(0, 1).flatMap(({closure}) => closure.packages.filter(one => !own.has(one.repository)))
}

function withRevision({from, tag, digest}: ReadPackage) {
  return {from, tag, revision: revisionName(from.name, digest)}
}

function changedRequirer(one: ReadPackage): ChangedRequirer {
  const {from, repository, tag} = one
  const version = {reference: `${repository}:${tag}`, revision: withRevision(one).revision}
  return {...movedRequirer(from, version), live: from}
}

function problemOf({kind, revision, object}: CoreRequest, {revisions}: CoreState): string | undefined {
  const current = revisions.find(one => one.kind === kind && one.name === revision && one.isActive)
  const readiness = packageReadiness(object, current?.object)
  return readiness.state === 'healthy' ? undefined : readiness.reason
}

/** The packages of a move as the cluster would be requested to install them. */
function renderedPart(
  moved: readonly ReadPackage[],
  core: CoreState,
  packages: PackagePorts,
  coreVersion: string | undefined,
) {
  const [{closure}] = moved as readonly [ReadPackage, ...ReadPackage[]]
  const own = new Set(moved.map(({repository}) => repository))
  const part = {...closure, packages: closure.packages.filter(({repository}) => own.has(repository))}
  const settings = present({coreVersion})
  const set = renderFor({closure: part}, {settings, packages}, core)
  return {closure: part, set, settings: {...settings, ...pinningIn(core, {})}}
}

/** Throws `policy-refused` for packages that the policy of the team rejects; returns by what the plan is judged. */
async function expectJudged(
  rendered: ReturnType<typeof renderedPart>,
  judge: PackageJudge | undefined,
  packages: PackagePorts,
): Promise<PlanPolicies | undefined> {
  if (judge === undefined) return undefined
  const {expectJudgedXpkgs} = await import('../../../package/xpkg/judge.js')
  return await expectJudgedXpkgs(rendered, judge, packages, rendered.closure.judged)
}

/** The ImageConfigs that pin the packages, if the cluster pins them. */
async function pinOperations({objects}: ReturnType<typeof renderFor>, api: ClusterApi) {
  const staged = stagedObjects(objects.filter(({object}) => object.kind === 'ImageConfig'))
  const snapshot = await observeStaged(staged, api, false)
  return planPackages(staged, {
    ...{snapshot, isPending: () => false, risks: new Map(), rejections: []},
    allowed: {adopt: false, forceConflicts: false},
  })
}
