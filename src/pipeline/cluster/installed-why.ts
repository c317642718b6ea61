import {isCrd} from '../../kubernetes/crd-kind.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {isCrdName} from '../../reference/install-target.js'
import type {NameText} from '../../reference/named.js'
import {CRD_PREFIX} from '../../reference/package-reference.js'
import type {Reason} from '../../resolve/install-reasons.js'
import {
  type InstalledGraph,
  type InstalledNode,
  namedNodes,
  packageText,
  readInstalledGraph,
} from './installed-graph.js'
import type {WhyReport} from '../../package/reports.js'

/**
 * Explains from inventories why a package, or the package that owns a CRD, is installed; undefined if it is not. Throws the errors of
 * the API.
 */
export async function installedWhy(query: NameText, api: ClusterApi): Promise<WhyReport | undefined> {
  const {graph, warnings} = await readInstalledGraph(api)
  const targets = targetsOf(query, graph)
  const [first] = targets
  if (first === undefined) return undefined
  const {identity = first.id, tag = 'unknown'} = first.inventory.install.package ?? {}
  return {
    package: identity,
    tag,
    installs: targets.map(({id}) => id),
    reasons: targets
      .flatMap(target => reasonsFor(target, graph))
      .sort((a, b) => a.steps.length - b.steps.length),
    notes: warnings.map(({message}) => message),
  }
}

function targetsOf(query: NameText, graph: InstalledGraph): readonly InstalledNode[] {
  const {text} = query
  const [crd = ''] = text.replace(/^crd:/, '').split('/')
  const owners = () =>
    [...graph.nodes.values()].filter(({inventory}) =>
      inventory.objects.some(object => isCrd(object) && object.name === crd),
    )
  if (text.startsWith(CRD_PREFIX)) return owners()
  const named = namedNodes(query, graph)
  return named.length === 0 && isCrdName(text) ? owners() : named
}

/** One path for a request of the install itself, and one for each requirement that it satisfies. */
function reasonsFor(target: InstalledNode, graph: InstalledGraph): Reason[] {
  const ways = shortestWays(graph)
  const step = {need: packageText(target), package: packageText(target)}
  const requested = target.inventory.install.mode === 'requested' ? [{steps: [step]}] : []
  const required = [...graph.nodes.values()].flatMap(({id, needs}) =>
    needs
      .filter(({by}) => by === target.id)
      .map(({text}) => ({steps: [...(ways.get(id) ?? []), {need: text, package: packageText(target)}]})),
  )
  return [...requested, ...required]
}

/** The shortest path from a root to each install, breadth-first. */
function shortestWays({nodes, roots}: InstalledGraph): ReadonlyMap<string, Reason['steps']> {
  const ways = new Map<string, Reason['steps']>()
  for (const id of roots) {
    const root = nodes.get(id)
    if (root !== undefined) ways.set(id, [{need: packageText(root), package: packageText(root)}])
  }
  // The map grows while it is walked.
  for (const [id, way] of ways) {
    for (const {text, by} of nodes.get(id)?.needs ?? []) {
      const next = nodes.get(by)
      if (next === undefined || ways.has(by)) continue
      ways.set(by, [...way, {need: text, package: packageText(next)}])
    }
  }
  return ways
}
