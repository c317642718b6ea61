import {formatSummary} from '../index/package-summary.js'
import type {Graph} from './resolution.js'
import {requirementText} from './explain/words.js'

/** A path from the request to a package: each step is a requirement and the package that satisfies it. */
export interface Reason {
  readonly steps: readonly Step[]
}

/** A requirement of the package before it, or of the request, and the package that satisfies it. */
export interface Step {
  readonly need: string
  readonly package: string
}

/** Returns one path for each dependent, and one for each root that requests the package: the shortest. */
export function installReasons(graph: Graph, identity: string): Reason[] {
  const ways = shortestWays(graph)
  const requested = stepsTo(identity, graph.roots, graph).map(step => ({steps: [step]}))
  const needed = graph.packages
    .filter(({summary}) => summary.identity !== identity)
    .flatMap(({summary, requirements}) =>
      stepsTo(identity, requirements, graph).map(step => ({
        steps: [...(ways.get(summary.identity) ?? []), step],
      })),
    )
  return [...requested, ...needed].sort((a, b) => a.steps.length - b.steps.length)
}

/** The requirements of a list that a package satisfies. */
function stepsTo(identity: string, needs: Graph['roots'], graph: Graph): Step[] {
  return needs.flatMap(({requirement, by}) =>
    by.kind === 'package' && by.identity === identity
      ? [{need: requirementText(requirement), package: nameOf(identity, graph)}]
      : [],
  )
}

function nameOf(identity: string, {packages}: Graph): string {
  const selected = packages.find(({summary}) => summary.identity === identity)
  return selected === undefined ? identity : formatSummary(selected.summary)
}

/** The shortest path to each package, breadth-first from the request. */
function shortestWays(graph: Graph): ReadonlyMap<string, readonly Step[]> {
  const requirementsOf = new Map(
    graph.packages.map(({summary, requirements}) => [summary.identity, requirements]),
  )
  const ways = new Map<string, readonly Step[]>()
  const visit = (needs: Graph['roots'], way: readonly Step[]) => {
    for (const {requirement, by} of needs) {
      if (by.kind !== 'package' || ways.has(by.identity)) continue
      const step = {need: requirementText(requirement), package: nameOf(by.identity, graph)}
      ways.set(by.identity, [...way, step])
    }
  }
  visit(graph.roots, [])
  // The map grows while it is walked: breadth-first.
  for (const [identity, way] of ways) visit(requirementsOf.get(identity) ?? [], way)
  return ways
}
