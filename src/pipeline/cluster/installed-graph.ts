import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../diagnostic.js'
import {readShownInventories} from '../../observe/installs/read-inventories.js'
import {ignoredWarnings} from '../../plan/cluster/inventories/ignored-inventories.js'
import {unreadableWarnings} from '../../plan/cluster/inventories/unreadable-inventories.js'
import {namedIn, type NameText} from '../../reference/named.js'

/** An install as a part of the graph of its cluster. */
export interface InstalledNode {
  /** NAMESPACE/NAME. */
  readonly id: string
  readonly inventory: Inventory
  /** The requirements of the install that others satisfy. */
  readonly needs: readonly InstalledNeed[]
}

/** A requirement, in the author's spelling, and the install that satisfies it. */
interface InstalledNeed {
  readonly text: string
  /** NAMESPACE/NAME. */
  readonly by: string
}

/** The installs of a cluster by NAMESPACE/NAME, and those that no other install requires. */
export interface InstalledGraph {
  readonly nodes: ReadonlyMap<string, InstalledNode>
  /** Requested installs, then the others that are no longer required. */
  readonly roots: readonly string[]
}

/** Reads the installs of a cluster, and warnings of the inventories that do not count. Throws the errors of the API. */
export async function readInstalledGraph(
  api: ClusterApi,
): Promise<{readonly graph: InstalledGraph; readonly warnings: readonly Diagnostic[]}> {
  const read = await readShownInventories(api)
  const warnings = [...unreadableWarnings([], read), ...ignoredWarnings(read)]
  return {graph: installedGraph(read.inventories), warnings}
}

/** Makes the graph of inventories: each install has the requirements that it satisfies, by dependent. */
function installedGraph(inventories: readonly Inventory[]): InstalledGraph {
  const ids = new Map(inventories.map(inventory => [idOf(inventory), inventory]))
  const needsOf = (id: string): InstalledNeed[] =>
    inventories.flatMap(inventory =>
      (inventory.install.for[id] ?? []).map(text => ({text, by: idOf(inventory)})),
    )
  const nodes = new Map([...ids].map(([id, inventory]) => [id, {id, inventory, needs: needsOf(id)}]))
  const isRequired = ({install}: Inventory) => Object.keys(install.for).some(by => ids.has(by))
  const requested = inventories.filter(({install}) => install.mode === 'requested')
  const unused = inventories.filter(inventory => inventory.install.mode === 'auto' && !isRequired(inventory))
  const roots = [...requested, ...unused].map(idOf)
  return {nodes, roots: [...roots, ...unreachable(nodes, roots)]}
}

/** Installs that require only each other: the first of each such group. */
function unreachable(nodes: ReadonlyMap<string, InstalledNode>, roots: readonly string[]): readonly string[] {
  const reached = new Set<string>()
  const lines: string[] = []
  for (const id of roots) reach(id, nodes, reached)
  for (const id of nodes.keys()) {
    if (reached.has(id)) continue
    lines.push(id)
    reach(id, nodes, reached)
  }
  return lines
}

function reach(from: string, nodes: ReadonlyMap<string, InstalledNode>, reached: Set<string>): void {
  const open = [from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue
    reached.add(id)
    open.push(...(nodes.get(id)?.needs ?? []).map(({by}) => by))
  }
}

function idOf({install: {namespace, name}}: Inventory): string {
  return `${namespace}/${name}`
}

/** Returns the installs that a NAME means. Throws `usage` for the name of several. */
export function namedNodes(query: NameText, {nodes}: InstalledGraph): readonly InstalledNode[] {
  const all = [...nodes.values()].map(node => {
    const {namespace, name, package: installed} = node.inventory.install
    return {namespace, name, repository: installed?.identity ?? '', node}
  })
  return namedIn(query, all).map(({node}) => node)
}

/** The package of an install with its tag, as trees and reasons print it; of a written record its name. */
export function packageText({id, inventory}: InstalledNode): string {
  const installed = inventory.install.package
  return installed === undefined ? id : `${installed.identity}:${installed.tag}`
}
