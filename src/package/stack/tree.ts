import {dependencyTree} from '../../resolve/dependency-tree.js'
import {sketch} from '../../resolve/sketch.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {unresolved} from '../../resolve/packages/rejection.js'
import type {ResolutionPolicy} from '../../resolve/packages/resolution-policy.js'
import {resolvePackages} from '../../resolve/packages/resolve-packages.js'
import {templateStacks} from '../../resolve/packages/template-stacks.js'
import type {RequestedRoot} from '../../resolve/requested/requested-roots.js'
import type {TreeReport} from '../reports.js'

/** Resolves a request and returns its tree; if that fails, the part of it that is known. */
export async function tree(
  requested: readonly RequestedRoot[],
  policy: ResolutionPolicy,
  depth: number | undefined,
  ports: PackagePorts,
): Promise<TreeReport> {
  const result = await resolvePackages(requested, policy, ports)
  if (result.kind === 'rejected') {
    const graph = sketch(result.input, result)
    const rejection = unresolved(result)
    return {isComplete: false, roots: dependencyTree(graph, depth), installs: [], notes: [], rejection}
  }
  const {resolution} = result
  const installs = resolution.installs.map(({summary, namespace, name, requestedBy, for: requirements}) => ({
    package: summary.identity,
    tag: summary.tag,
    namespace,
    name,
    isRequested: requestedBy.length > 0,
    for: requirements,
  }))
  const stacks = await templateStacks(result.opened, ports)
  const templates = resolution.packages.flatMap(({summary: {identity, tag}}) => {
    const stack = stacks.get(identity)
    return stack === undefined ? [] : [{package: identity, tag, ...stack}]
  })
  return {
    isComplete: true,
    roots: dependencyTree(resolution, depth),
    installs,
    notes: resolution.notes,
    ...(templates.length === 0 ? {} : {templates}),
  }
}
