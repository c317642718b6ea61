import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../diagnostic.js'
import {treeMarks, type TreeNode} from '../../resolve/dependency-tree.js'
import {listNames} from '../../text.js'
import type {InstalledTreeQuery} from './installed-format.js'
import {
  type InstalledGraph,
  type InstalledNode,
  namedNodes,
  packageText,
  readInstalledGraph,
} from './installed-graph.js'
import type {ShownTree, TreeReport} from '../../package/reports.js'

/**
 * Reads the installed packages and their dependencies from inventories; with a namespace, those that were requested in
 * it; undefined for a name of none. Throws the errors of the API.
 */
export async function installedTree(
  {namespace, depth, named}: InstalledTreeQuery,
  api: ClusterApi,
): Promise<ShownTree | undefined> {
  const {graph, warnings} = await readInstalledGraph(api)
  const roots =
    named === undefined
      ? graph.roots.filter(id => namespace === undefined || id.startsWith(`${namespace}/`))
      : namedNodes(named, graph).map(({id}) => id)
  if (named !== undefined && roots.length === 0) return undefined
  return {
    kind: 'DependencyTree',
    isComplete: true,
    roots: treeOf(graph, roots, depth),
    installs: [...graph.nodes.values()].map(installOf),
    notes: [...warnings, ...(named === undefined ? unusedNote(graph, roots) : [])],
  }
}

function treeOf(
  {nodes}: InstalledGraph,
  roots: readonly string[],
  depth: number | undefined,
): readonly TreeNode[] {
  const markOf = treeMarks(depth)
  const grow = (need: string | undefined, node: InstalledNode, path: readonly string[]): TreeNode => {
    const {id, needs} = node
    const mark = markOf(id, path, needs.length > 0)
    const text = need ?? packageText(node)
    if (mark !== undefined) return {need: text, met: metBy(node), mark, needs: []}
    const below = needs.flatMap(installedNeed => {
      const next = nodes.get(installedNeed.by)
      return next === undefined ? [] : [grow(installedNeed.text, next, [...path, id])]
    })
    return {need: text, met: metBy(node), needs: below}
  }
  return roots.flatMap(id => {
    const node = nodes.get(id)
    return node === undefined ? [] : [grow(undefined, node, [])]
  })
}

/** Of a written record neither package nor tag is known. */
function identityOf({id, inventory: {install}}: InstalledNode) {
  const {identity = id, tag = 'unknown', version = ''} = install.package ?? {}
  return {package: identity, tag, version}
}

function metBy(node: InstalledNode): TreeNode['met'] {
  const {scope} = node.inventory.install
  return {by: 'package', ...identityOf(node), permissionScope: scope, because: 'installed', isMismatch: false}
}

function installOf(node: InstalledNode): TreeReport['installs'][number] {
  const {namespace, name, mode, for: dependents} = node.inventory.install
  const {package: identity, tag} = identityOf(node)
  return {
    package: identity,
    tag,
    namespace,
    name,
    isRequested: mode === 'requested',
    for: Object.entries(dependents).flatMap(([by, texts]) => texts.map(text => ({by, text}))),
  }
}

function unusedNote({nodes}: InstalledGraph, roots: readonly string[]): readonly Diagnostic[] {
  const unused = roots.filter(id => nodes.get(id)?.inventory.install.mode === 'auto')
  if (unused.length === 0) return []
  const message = `no requested install requires ${listNames(unused)}`
  return [{severity: 'note', rule: 'unused-dependency', message}]
}
