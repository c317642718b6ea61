import type {ShownTree} from '../../../package/reports.js'
import type {Paint} from '../text/paint.js'
import {showTree} from './show-tree.js'
import {showXpkgTree} from './show-xpkg-tree.js'

/** How a tree is printed. */
interface Drawing {
  readonly format: Parameters<typeof showTree>[1]
  readonly depth?: number
  readonly paint: Paint
}

/** Prints a tree as its document says. */
export async function showAnyTree(report: ShownTree, drawing: Drawing): Promise<void> {
  if (report.kind === 'XpkgTree') return await showXpkgTree(report, drawing)
  await showTree(report, drawing.format, drawing.paint)
}
