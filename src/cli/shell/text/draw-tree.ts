import type {TreeMark} from '../../../resolve/dependency-tree.js'

/** A node of a tree to draw. Its text is printed as it is: untrusted text must have been made safe. */
export interface DrawnNode {
  readonly text: string
  readonly children: readonly DrawnNode[]
}

/** Draws trees with the lines of `package tree`; returns one text for each line. */
export function drawTree(roots: readonly DrawnNode[]): string[] {
  return roots.flatMap(root => [root.text, ...branches(root.children, '')])
}

function branches(nodes: readonly DrawnNode[], indent: string): string[] {
  return nodes.flatMap(({text, children}, index) => {
    const isLast = index === nodes.length - 1
    const below = branches(children, `${indent}${isLast ? '    ' : '│   '}`)
    return [`${indent}${isLast ? '└── ' : '├── '}${text}`, ...below]
  })
}

/** The words for what is not shown again, or not at all. */
export const TREE_MARKS: Readonly<Record<TreeMark, string>> = {
  cycle: 'cycle',
  depth: 'more below',
  repeat: 'as above',
}
