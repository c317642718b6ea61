import {formatSummary} from '../index/package-summary.js'
import type {Graph} from './resolution.js'
import {requirementText} from './explain/words.js'

/** A way from what was asked for to a package: each step is a need and the package that meets it. */
export interface Reason {
  readonly steps: readonly {readonly need: string; readonly package: string}[]
}

/** One way for each package that needs it, and for each time it was asked for: the shortest there is. */
export function installReasons(graph: Graph, identity: string): Reason[] {
  const ways = shortestWays(graph)
  const asked = stepsTo(identity, graph.roots, graph).map(step => ({steps: [step]}))
  const needed = graph.packages
    .filter(({summary}) => summary.identity !== identity)
    .flatMap(({summary, requirements}) =>
      stepsTo(identity, requirements, graph).map(step => ({
        steps: [...(ways.get(summary.identity) ?? []), step],
      })),
    )
  return [...asked, ...needed].sort((a, b) => a.steps.length - b.steps.length)
}

type Step = Reason['steps'][number]

/** The needs of a list that a package meets. */
function stepsTo(identity: string, needs: Graph['roots'], graph: Graph): Step[] {
  return needs.flatMap(({requirement, by}) =>
    by.kind === 'package' && by.identity === identity
      ? [{need: requirementText(requirement), package: nameOf(identity, graph)}]
      : [],
  )
}

function nameOf(identity: string, {packages}: Graph): string {
  const found = packages.find(({summary}) => summary.identity === identity)
  return found === undefined ? identity : formatSummary(found.summary)
}

/** The shortest way to each package, breadth-first from what was asked for. */
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
