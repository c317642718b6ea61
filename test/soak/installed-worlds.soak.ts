import {describe, expect} from '@jest/globals'
import {crdName, formatSummary, type PackageSummary} from '../../src/index/package-summary.js'
import type {PackagePorts} from '../../src/locate/located-package.js'
import {parseInstallTarget} from '../../src/reference/install-target.js'
import type {HeldLock} from '../../src/resolve/lock/held-lock.js'
import {lockOf} from '../../src/resolve/lock/lock-of.js'
import {resolveForCluster} from '../../src/resolve/packages/resolve-for-cluster.js'
import type {ResolvedPackages} from '../../src/resolve/packages/solve-and-read.js'
import type {InstalledPackage} from '../../src/resolve/requested/installed-package.js'
import type {PlannedInstall, Resolution} from '../../src/resolve/resolution.js'
import {solve} from '../../src/resolve/solve.js'
import type {SolverInput} from '../../src/resolve/solver-input.js'
import {indexed, published} from '../resolve/packages/published-packages.js'
import {expectCause} from '../resolve/named-cause.js'
import {randomWorld} from '../resolve/random-world.js'
import {root, version} from '../resolve/world.js'
import {below, campaign, pick} from './campaign.js'

const POLICY = {
  allowVersionMismatch: false,
  crossplane: {version: 'none', provided: []},
  systemNamespace: 'crossplane-system',
  contextNamespace: 'default',
  budget: {isSpent: () => false},
}

/** What an attacker with write access to the index, and to another namespace of the cluster, does. */
interface Attack {
  readonly forged: readonly PackageSummary[]
  readonly yanked: readonly PackageSummary[]
  readonly pins: readonly InstalledPackage[]
}

const NO_ATTACK: Attack = {forged: [], yanked: [], pins: []}

describe('a cluster with installs, and an attacker who writes to the index and another namespace', () => {
  campaign('changes only what is named, as without the attacker', {short: 150}, async ({random}) => {
    const plain = randomWorld(below(random, 2 ** 31))
    const world = {...plain, summaries: plain.summaries.map(published)}
    const before = solve(world, POLICY)
    if (before.kind === 'rejected') return
    const {packages, installs} = before.resolution
    const installed = installs.map(install => installedAs(install, {}))
    const requested = pick(random, world.summaries).identity
    const attack: Attack = {
      forged: Array.from({length: 1 + below(random, 6)}, () => forgery(random, world)),
      yanked: packages.map(({summary}) => summary).filter(() => random() < 0.5),
      pins: Array.from({length: below(random, 3)}, () => otherPin(random, world)),
    }
    const cluster = {requested, installed, ...(random() < 0.5 ? {lock: lockOfAll(before, world)} : {})}
    const attacked = await resolved(world, cluster, attack)
    const honest = await resolved(world, cluster, NO_ATTACK)
    expect({cluster, attack, answer: answerOf(attacked)}).toEqual({
      ...{cluster, attack, answer: answerOf(honest)},
    })
    const roots = [requested, ...installed.map(({identity}) => identity)].map(text => root(text))
    if (attacked.kind === 'rejected') expectCause(attacked, {...world, roots})
    expectKept(attacked, installed)
    expectReported(attacked, packages, attack)
  })
})

/** A request for a cluster with installs, in half of the worlds with a lock of all of them. */
interface Cluster {
  readonly requested: string
  readonly installed: readonly InstalledPackage[]
  readonly lock?: HeldLock
}

function lockOfAll(
  {resolution}: Extract<ReturnType<typeof solve>, {readonly kind: 'resolved'}>,
  world: SolverInput,
): HeldLock {
  const lock = lockOf({input: world, resolution}, [], {...POLICY, facts: world.facts})
  return {name: 'packages.lock', lock, upgraded: [], otherwise: 'take', remedy: 'package lock'}
}

/** Resolves a request for a cluster. */
async function resolved(
  {summaries, facts, owners}: SolverInput,
  {requested, installed, lock}: Cluster,
  {forged, yanked, pins}: Attack,
): Promise<ResolvedPackages> {
  const yanks = yanked.map(summary => ({
    ...{identity: summary.identity, tag: summary.tag, version: summary.version},
    ...{digest: summary.digest ?? '', reason: 'not theirs to yank'},
  }))
  const catalog = indexed(summaries, {forged, yanked: yanks})
  const packages = [...installed, ...pins]
  const served = installed.flatMap(({identity, tag}) =>
    summaries
      .filter(summary => summary.identity === identity && summary.tag === tag)
      .flatMap(({crds}) => crds.map(crd => ({...crd, origin: 'cluster' as const}))),
  )
  return await resolveForCluster(
    [{target: parseInstallTarget(requested)}],
    {roots: [root(requested)], opened: new Map()},
    {
      ...POLICY,
      ...{facts, owners, ...(lock === undefined ? {} : {lock})},
      installed: {served, packages, upgraded: new Set()},
    },
    {nameOf: ({path}) => path, catalog, ports: {folder: {}} as PackagePorts},
  )
}

/** What counts: the installs that change with their bytes, or why nothing does. */
function answerOf(result: ResolvedPackages): readonly string[] | string {
  if (result.kind === 'rejected') return result.code
  return result.resolution.installs
    .map(
      ({summary, namespace, name}) =>
        `${namespace}/${name} ${formatSummary(summary)}@${summary.digest ?? ''}`,
    )
    .sort()
}

/** What is installed keeps its version, unless it is named. */
function expectKept(result: ResolvedPackages, installed: readonly InstalledPackage[]): void {
  if (result.kind === 'rejected') return
  const tags = new Map(installed.map(({identity, digest}) => [identity, digest]))
  for (const {summary, requestedBy} of result.resolution.installs) {
    if (requestedBy.includes(0) || !tags.has(summary.identity)) continue
    expect({package: summary.identity, digest: summary.digest}).toEqual({
      ...{package: summary.identity, digest: tags.get(summary.identity)},
    })
  }
}

/** Every CRD has its owner of before, or the change is in the output. */
function expectReported(result: ResolvedPackages, before: Resolution['packages'], {pins}: Attack): void {
  if (result.kind === 'rejected') return
  const {packages, ownerChanges, notes} = result.resolution
  const owners = new Map(packages.flatMap(({summary}) => ownedBy(summary)))
  for (const [crd, owner] of before.flatMap(({summary}) => ownedBy(summary))) {
    const after = owners.get(crd)
    const isShown = ownerChanges.some(change => change.before === owner && crd.endsWith(`.${change.group}`))
    const isKept = after === undefined || after === owner
    expect({crd, owner, after, isReported: isKept || isShown}).toMatchObject({isReported: true})
  }
  const isReported = pins.length === 0 || notes.some(({rule}) => rule === 'request-ignored')
  expect({pins, isReported}).toMatchObject({isReported: true})
}

function ownedBy({identity, crds}: PackageSummary): (readonly [string, string])[] {
  return crds.map(crd => [crdName(crd), identity])
}

/** An install of a resolution as its inventory has it. */
function installedAs(
  {summary, namespace, name, requestedBy, for: dependents}: PlannedInstall,
  more: Partial<InstalledPackage>,
): InstalledPackage {
  const {identity, tag, digest, permissionScope, crds} = summary
  const texts: Record<string, string[]> = {}
  for (const {by, text} of dependents) (texts[by] ??= []).push(text)
  return {
    ...{identity, tag, namespace, name, era: 'packages', scope: permissionScope},
    ...(digest === undefined ? {} : {digest}),
    crds: crds.map(crdName),
    mode: requestedBy.length > 0 ? 'requested' : 'auto',
    for: texts,
    inventory: {
      settings: {
        ...{scope: permissionScope, imagePullSecrets: [], serviceAccountAnnotations: {}, requestFields: {}},
      },
      hasRequest: false,
    },
    ...more,
  }
}

/** A request object of a tenant, for any version of a package. */
function otherPin(random: () => number, {summaries}: SolverInput): InstalledPackage {
  const summary = pick(random, summaries)
  const {inventory: _none, ...request} = installedAs(
    {summary, namespace: 'team-a', name: `pin-${summary.identity}`, requestedBy: [0], for: []},
    {pin: {tag: summary.tag}},
  )
  return request
}

/** An entry for true bytes with invented content, or for a tag that does not exist. */
function forgery(random: () => number, {summaries}: SolverInput): PackageSummary {
  const victim = pick(random, summaries)
  const {identity, tag, digest} = victim
  const owns = pick(random, summaries).crds.map(
    ({plural, group, served}) => `${plural}.${group}/${served.join(',')}`,
  )
  const requires = random() < 0.5 ? [] : ['nothing.here.org']
  const lie = version(`${identity}:${tag}`, {owns, requires})
  return random() < 0.7 ? {...lie, digest} : {...lie, tag: 'v9.0.0', digest: pick(random, summaries).digest}
}
