import type {Inventory} from '../../cluster/inventory/inventory.js'
import {installKey} from '../../declaration/lock.js'
import type {Denial} from '../../health/health-snapshot.js'
import {type CoreDrift, coreDrift} from '../../health/sides/core-drift.js'
import {packageDrift, type PackageDrift} from '../../health/sides/package-drift.js'
import {driftOfSides} from '../../health/sides/side-drift.js'
import {type ObjectDrift, type Side, type SidedObject, SIDES} from '../../health/sides/sided-object.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {isChangeable} from '../../plan/cluster/core/judge-package-object.js'
import {resolverWarnings} from '../../plan/cluster/core/resolver-change.js'
import {observeGitSources} from '../../observe/objects/git-sources.js'
import {syncCommand} from '../../plan/cluster/state/git-sources.js'
import {isPackageRequest} from '../../plan/cluster/state/core-state.js'
import {present} from '../../present.js'
import {shellWord} from '../../text.js'
import {remediesOf, type RemedyParts} from '../../health/sides/remedies.js'
import {lastLockChange, type LockChange} from './lock-history.js'
import {type ClusterSide, clusterSide} from './cluster-side.js'
import {driftOfOtherFiles, type FileDrift, withLastCommits} from './file-drift.js'
import type {DriftPorts, DriftQuery} from './drift-query.js'
import {type RenderedLock, renderedLock} from './lock-side.js'
import {withCommits} from './tree-history.js'
import {type CommittedTree, committedTree} from './tree-side.js'
import {withoutDefaults} from './without-defaults.js'

/** How the sides differ. */
export interface DriftReport {
  readonly sides: readonly Side[]
  readonly packages: readonly PackageDrift[]
  /** Packages for a current Crossplane; absent where lock and cluster are not compared, or have none. */
  readonly corePackages?: readonly CoreDrift[]
  /** Packages that make Crossplane install others a second time. */
  readonly warnings?: readonly Diagnostic[]
  readonly objects: readonly ObjectDrift[]
  /** Files of the tree without objects. */
  readonly files: readonly FileDrift[]
  /** The number of objects that do not differ. */
  readonly unchanged: number
  /** Missing permissions: what they hide is unknown. */
  readonly denials: readonly Denial[]
  readonly tree?: Pick<CommittedTree, 'folder' | 'root' | 'commit'> & {
    /** The command that makes the clone in which the commands for a tree of a URL run. */
    readonly clone?: string
  }
  /** The last change of the lock, if it is in a repository and something differs from it. */
  readonly lockChange?: LockChange
}

/** Reads two or three sides and compares them; changes nothing. Throws the errors of reading them. */
export async function findDrift(query: DriftQuery, ports: DriftPorts): Promise<DriftReport> {
  const read = await readSides(query, ports)
  const {tree, cluster} = read
  const sides = SIDES.filter(side => read[side] !== undefined)
  const drift = await withoutDefaults(driftOfSides(read.objects, sides), read.objects, ports.api)
  const lockChange = isLockOdd(drift) ? await lockChangeOf(ports) : undefined
  return {
    sides,
    ...driftOfPackages(read),
    objects: await withRemedies(
      drift,
      {
        ...remedyParts(query, tree, lockChange),
        isForeign: foreignIn(read),
        sync: await syncOf(drift, cluster, ports),
      },
      ports,
    ),
    files: await driftOfFiles(read, query, ports),
    unchanged: read.objects.filter(({isDenied}) => isDenied !== true).length - drift.length,
    denials: [...(cluster?.denials.values() ?? [])],
    ...present({tree: tree && placeOf(tree, query), lockChange}),
  }
}

function driftOfPackages({
  lock,
  cluster,
}: ReadSides): Pick<DriftReport, 'packages' | 'corePackages' | 'warnings'> {
  if (lock === undefined || cluster === undefined) return {packages: []}
  const {packages, xpkgs = []} = lock.lock
  const {inventories, core} = cluster
  return {
    packages: packageDrift(packages, inventories),
    ...(core === undefined ? {} : {corePackages: coreDrift(xpkgs, core), warnings: resolverWarnings(core)}),
  }
}

async function driftOfFiles(
  {lock, tree}: ReadSides,
  {remedies: {repository: place}}: DriftQuery,
  {repository}: DriftPorts,
): Promise<readonly FileDrift[]> {
  if (tree === undefined || repository === undefined) return []
  return await withLastCommits(driftOfOtherFiles(lock?.files, tree.files), repository.checkout, place)
}

interface ReadSides {
  readonly lock?: RenderedLock
  readonly tree?: CommittedTree
  readonly cluster?: ClusterSide
  readonly objects: readonly SidedObject[]
}

async function readSides(query: DriftQuery, {requests, repository, api}: DriftPorts): Promise<ReadSides> {
  const tree = query.tree && repository ? await committedTree(query.tree, repository) : undefined
  const lock = query.lock && (await renderedLock(query.lock, tree, requests))
  const wanted = wantedObjects(lock, tree)
  const isLocked = isLockedIn(lock)
  const names = [...wanted.values()].map(({name}) => name)
  const hasXpkgs = (lock?.lock.xpkgs ?? []).length > 0
  const cluster = api && (await clusterSide(names, isLocked, {api, hasXpkgs}))
  return {...present({lock, tree, cluster}), objects: sidedObjects(wanted, cluster, isLocked)}
}

function placeOf(
  {folder, root, commit}: CommittedTree,
  {remedies: {clone, repository = root}}: DriftQuery,
): NonNullable<DriftReport['tree']> {
  return {folder, root: clone === undefined ? root : repository, ...present({commit, clone})}
}

async function withRemedies(
  drift: readonly ObjectDrift[],
  parts: RemedyParts,
  {repository}: DriftPorts,
): Promise<readonly ObjectDrift[]> {
  const dated = repository ? await withCommits(drift, repository.checkout) : drift
  return dated.map(object => ({...object, remedies: remediesOf(object, parts)}))
}

/** A request of another program is only installed over with --adopt. */
function foreignIn({objects}: ReadSides): NonNullable<RemedyParts['isForeign']> {
  const foreign = new Set(
    objects.flatMap(({name, on: {cluster}}) =>
      cluster !== undefined && isPackageRequest(name) && !isChangeable(cluster, {adopt: false})
        ? [objectKey(name)]
        : [],
    ),
  )
  return ({name}) => foreign.has(objectKey(name))
}

/** What a controller applies from Git, a command would change in vain: it differs until the next sync. */
async function syncOf(
  drift: readonly ObjectDrift[],
  cluster: ClusterSide | undefined,
  {api}: DriftPorts,
): Promise<NonNullable<RemedyParts['sync']>> {
  const live = drift.flatMap(({name}) => {
    const object = cluster?.live.get(objectKey(name))
    return object === undefined ? [] : [[objectKey(name), object] as const]
  })
  const sources = api && (await observeGitSources(new Map(live), api))
  return ({name}) => {
    const source = sources?.get(objectKey(name))
    return source && syncCommand(source)
  }
}

function isLockOdd(drift: readonly ObjectDrift[]): boolean {
  return drift.some(({differences}) => differences.some(({differs}) => differs.includes('lock')))
}

async function lockChangeOf({lockPlace}: DriftPorts): Promise<LockChange | undefined> {
  const place = await lockPlace?.()
  return place && (await lastLockChange(place))
}

function remedyParts(
  {remedies: {install, repository, branch, render}}: DriftQuery,
  tree: CommittedTree | undefined,
  lockChange: LockChange | undefined,
): RemedyParts {
  return present({
    install,
    repository,
    branch,
    render: tree && render?.(tree.folder),
    edited: tree?.edited,
    restoreLock: lockChange && restoreCommand(lockChange),
  })
}

/** The command that returns to what was committed before; undefined if nothing was. */
function restoreCommand({root, paths, before}: LockChange): string | undefined {
  if (before === undefined) return undefined
  const words = ['git', '-C', root, 'restore', `--source=${before.id}`, '--', ...paths]
  return words.map(shellWord).join(' ')
}

function isLockedIn(lock: RenderedLock | undefined): (inventory: Inventory) => boolean {
  const keys = new Set(lock?.lock.packages.flatMap(({installs}) => installs.map(installKey)))
  return ({install}) => keys.has(installKey(install))
}

type WantedObject = SidedObject & {readonly key: string}

/** The objects of the lock and the tree, by their keys. */
function wantedObjects(
  lock: RenderedLock | undefined,
  tree: CommittedTree | undefined,
): ReadonlyMap<string, WantedObject> {
  const wanted = new Map<string, WantedObject>()
  const add = (side: 'lock' | 'tree', path: string, object: KubernetesObject) => {
    const name = nameOf(object)
    const key = objectKey(name)
    const before = wanted.get(key)
    const {install, shared, phase} = lock?.byKey.get(key) ?? {}
    const isCreatedOnce = shared === 'base' || phase === 'namespaces' || name.kind === 'Namespace'
    const on = {...before?.on, [side]: object}
    const place = tree === undefined ? {} : {path}
    wanted.set(key, {key, name, isCreatedOnce, on, ...place, ...present({install})})
  }
  for (const {path, object} of lock?.files.objects ?? []) add('lock', path, object)
  for (const {path, object} of tree?.files.objects ?? []) add('tree', path, object)
  return wanted
}

/** Adds the objects of the cluster, and those that only inventories have. */
function sidedObjects(
  wanted: ReadonlyMap<string, WantedObject>,
  cluster: ClusterSide | undefined,
  isLocked: (inventory: Inventory) => boolean,
): readonly SidedObject[] {
  if (cluster === undefined) return [...wanted.values()]
  const {live, inventories, denials} = cluster
  const sided = [...wanted.values()].map(({key, on, ...object}): SidedObject => {
    const liveObject = live.get(key)
    const isDenied = denials.has(key)
    return {...object, isDenied, on: liveObject === undefined ? on : {...on, cluster: liveObject}}
  })
  return [...sided, ...inventories.filter(isLocked).flatMap(inventory => unwanted(inventory, wanted, live))]
}

/** Namespaces are never deleted with an install. */
function unwanted(
  {install: {namespace, name}, objects}: Inventory,
  wanted: ReadonlyMap<string, WantedObject>,
  live: ReadonlyMap<string, KubernetesObject>,
): readonly SidedObject[] {
  return objects
    .filter(object => object.kind !== 'Namespace' && !wanted.has(objectKey(object)))
    .flatMap(object => {
      const liveObject = live.get(objectKey(object))
      if (liveObject === undefined) return []
      const install = {namespace, name}
      return [{name: nameOf(liveObject), install, isCreatedOnce: false, on: {cluster: liveObject}}]
    })
}

/** Throws `cluster-denied` for a report without differences if permissions were missing: what they hide is unknown. */
export function expectLooked({denials}: DriftReport): void {
  const [first] = denials
  if (first === undefined) return
  const messages = [...new Set(denials.map(({message}) => message))]
  const [only = ''] = messages
  throw new CrossplaneError('cluster-denied', messages.length === 1 ? only : 'cannot compare all objects', {
    diagnostics:
      messages.length === 1
        ? []
        : messages.map(message => ({severity: 'error', rule: 'permission-denied', message})),
    suggestions: [...new Set(denials.flatMap(({suggestions}) => suggestions))],
  })
}
