import {CrossplaneError} from '../../../errors.js'
import type {PackagePorts} from '../../../locate/located-package.js'
import type {NewRequirer} from '../../../plan/cluster/core/move-requirers.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {locatedXpkgs} from '../../../resolve/xpkg/located-xpkgs.js'
import {escaped} from '../../../text.js'
import {closureInCluster} from './closure-in-cluster.js'
import type {MoveTarget, RequirerTarget} from './move-targets.js'

type SelectedPackage = Awaited<ReturnType<typeof closureInCluster>>['packages'][number]

/** A package in the version that it gets, and the request that has it before. */
export interface ReadPackage {
  readonly from: CoreRequest
  readonly repository: string
  readonly tag: string
  readonly selected: SelectedPackage
  readonly digest: string
  readonly closure: Awaited<ReturnType<typeof closureInCluster>>
}

/** A target with the content of its package. */
export type ReadTarget = MoveTarget & ReadPackage

/** Resolves the packages in their new place, and what changes with them, as if the former requests were gone. */
export async function readTargets(
  {
    targets,
    changing,
  }: {readonly targets: readonly MoveTarget[]; readonly changing: readonly RequirerTarget[]},
  core: CoreState,
  {
    budget,
    teams,
    coreVersion,
  }: Pick<Parameters<typeof closureInCluster>[0], 'budget' | 'teams' | 'coreVersion'>,
  ports: PackagePorts,
): Promise<{readonly moved: readonly ReadTarget[]; readonly changed: readonly ReadPackage[]}> {
  const roots = [
    ...targets.map(({repository, tag, name}) => ({repository, version: tag, name})),
    ...changing.map(({from: {repository, name}, tag}) => ({repository, version: tag, name})),
  ]
  const others = withoutRequests(
    core,
    targets.map(({from}) => from),
  )
  const closure = await closureInCluster({roots, upgraded: [], budget, teams, coreVersion}, others, ports)
  const read = (place: string) => {
    const selected = closure.packages.find(({repository}) => repository === place)
    if (selected?.digest === undefined) {
      const message = `cannot move to ${escaped(place)}: the package has no digest in a registry`
      throw new CrossplaneError('input-invalid', message)
    }
    return {repository: place, selected, digest: selected.digest, closure}
  }
  return {
    moved: targets.map(target => ({...target, ...read(target.repository)})),
    changed: changing.map(one => ({...one, ...read(one.from.repository)})),
  }
}

function withoutRequests(core: CoreState, removed: readonly CoreRequest[]): CoreState {
  const isRevision = (kind: string, request: string) =>
    removed.some(one => one.kind === kind && one.name === request)
  const gone = new Set(core.revisions.filter(one => isRevision(one.kind, one.request)).map(({name}) => name))
  return {
    requests: core.requests.filter(one => !removed.includes(one)),
    revisions: core.revisions.filter(({name}) => !gone.has(name)),
    lock: {...core.lock, entries: core.lock.entries.filter(({name}) => !gone.has(name))},
  }
}

/** Reads what requests require in the versions to which they change. */
export async function requirersAfter(
  changing: readonly RequirerTarget[],
  ports: PackagePorts,
): Promise<readonly NewRequirer[]> {
  const catalog = locatedXpkgs(ports)
  return await Promise.all(
    changing.map(async ({from: {repository}, tag}) => {
      const {dependencies} = await catalog.read(repository, tag)
      return {repository, version: tag, requires: dependencies.map(one => one.package)}
    }),
  )
}
