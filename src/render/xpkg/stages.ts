import type {ClosurePackage} from './closure.js'

/**
 * Returns the stage of each package by repository: 1 for one that requires no other of the set, otherwise one more than
 * the highest stage that it requires. Packages in a cycle do not wait for each other.
 */
export function stagesOf(packages: readonly ClosurePackage[]): ReadonlyMap<string, number> {
  const byName = new Map(packages.map(selected => [selected.repository, selected]))
  const stages = new Map<string, number>()
  const path = new Set<string>()
  const stageOf = (repository: string): number => {
    const cached = stages.get(repository)
    const selected = byName.get(repository)
    if (cached !== undefined) return cached
    if (selected === undefined || path.has(repository)) return 0
    path.add(repository)
    const stage = 1 + Math.max(0, ...selected.dependencies.map(dependency => stageOf(dependency.package)))
    path.delete(repository)
    stages.set(repository, stage)
    return stage
  }
  for (const {repository} of packages) stageOf(repository)
  return stages
}
