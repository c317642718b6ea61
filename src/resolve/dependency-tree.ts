import type {PackageSummary} from '../index/package-summary.js'
import type {Fact} from './facts.js'
import type {OwnerReason} from './solver/owners.js'
import type {Graph, SatisfiedRequirement, UnsatisfiedRequirement} from './resolution.js'
import {requirementText} from './explain/words.js'

/** A requirement, and below it the requirements of the package that satisfies it. */
export interface TreeNode {
  /** The requirement, in the author's spelling. */
  readonly need: string
  readonly met: TreeMet
  readonly mark?: TreeMark
  readonly needs: readonly TreeNode[]
}

/** The reason why nothing is shown below a package although it has requirements. */
export type TreeMark = 'cycle' | 'depth' | 'repeat'

export type TreeMet =
  | {
      readonly by: 'package'
      readonly package: string
      readonly tag: string
      readonly version: string
      readonly permissionScope: PackageSummary['permissionScope']
      readonly because: OwnerReason
      /** Whether the required version is not served, which the user accepted. */
      readonly isMismatch: boolean
    }
  | {readonly by: 'assumption'; readonly origin: Fact['origin']}
  | {readonly by: 'nothing'; readonly rule: string; readonly words: string}

/**
 * Returns the request as a tree, in the order of files. A package that was shown before is marked, and its requirements
 * are not shown again. `depth` is the number of levels to show below the roots.
 */
export function dependencyTree({packages, roots}: Graph, depth = Infinity): TreeNode[] {
  const byIdentity = new Map(packages.map(selected => [selected.summary.identity, selected]))
  const markOf = treeMarks(depth)
  const grow = (need: SatisfiedRequirement | UnsatisfiedRequirement, path: readonly string[]): TreeNode => {
    const {requirement, by} = need
    const text = requirementText(requirement)
    if (by.kind === 'fact') return leaf(text, {by: 'assumption', origin: by.fact.origin})
    if (by.kind === 'unsatisfied') return leaf(text, {by: 'nothing', rule: by.rule, words: by.words})
    const selected = byIdentity.get(by.identity)
    if (selected === undefined) throw new RangeError(`${by.identity} is not part of the graph`)
    const met = metBy(selected.summary, by)
    const mark = markOf(by.identity, path, selected.requirements.length > 0)
    if (mark !== undefined) return {need: text, met, mark, needs: []}
    return {
      need: text,
      met,
      needs: selected.requirements.map(dependency => grow(dependency, [...path, by.identity])),
    }
  }
  return roots.map(need => grow(need, []))
}

function leaf(need: string, met: TreeMet): TreeNode {
  return {need, met, needs: []}
}

function metBy(
  {identity, tag, version, permissionScope}: PackageSummary,
  {because, isMismatch}: Extract<SatisfiedRequirement['by'], {readonly kind: 'package'}>,
): TreeMet {
  return {by: 'package', package: identity, tag, version, permissionScope, because, isMismatch}
}

/**
 * Returns a function that gives the reason why nothing is shown below a package, by its path from the root. A package without a
 * reason counts as shown from then on.
 */
export function treeMarks(
  depth = Infinity,
): (name: string, path: readonly string[], hasRequirements: boolean) => TreeMark | undefined {
  const shown = new Set<string>()
  return (name, path, hasRequirements) => {
    if (path.includes(name)) return 'cycle'
    if (!hasRequirements) return undefined
    if (shown.has(name)) return 'repeat'
    if (path.length >= depth) return 'depth'
    shown.add(name)
    return undefined
  }
}
