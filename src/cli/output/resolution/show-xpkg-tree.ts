import {CrossplaneError} from '../../../errors.js'
import {isDigest} from '../../../reference/image-name.js'
import {type DrawnNode, drawTree} from '../text/draw-tree.js'
import {lines} from '../text/lines.js'
import type {Paint} from '../text/paint.js'
import {plainText} from '../text/plain-text.js'
import {formatDocument, isDocument, show} from '../document/show.js'
import type {XpkgTree, XpkgTreePackage} from '../../../package/reports.js'

/** Prints the dependencies of a package for a current Crossplane. */
export async function showXpkgTree(
  tree: XpkgTree,
  {format, depth, paint}: {readonly format: string; readonly depth?: number; readonly paint: Paint},
): Promise<void> {
  if (isDocument(format)) return await show(formatDocument({kind: 'XpkgTree', ...tree}, format))
  if (format !== 'text')
    throw new CrossplaneError('usage', `--output ${format} is for packages with .registry/ only`, {
      suggestions: ['Use --output text, json or yaml.'],
    })
  const byName = new Map(tree.packages.map(node => [node.package, node]))
  const drawing = {byName, shown: new Set<string>(), paint}
  const roots = tree.roots.flatMap(name => byName.get(name) ?? [])
  await show(lines(drawTree(roots.map(root => drawnNode(root, '', drawing, depth)))))
}

interface Drawing {
  readonly byName: ReadonlyMap<string, XpkgTreePackage>
  readonly shown: Set<string>
  readonly paint: Paint
}

function drawnNode(node: XpkgTreePackage, why: string, drawing: Drawing, depth = Infinity): DrawnNode {
  const {byName, shown, paint} = drawing
  const isRepeated = shown.has(node.package)
  shown.add(node.package)
  const isHidden = depth <= 0 && node.requires.length > 0
  const mark = isRepeated ? ' (as above)' : isHidden ? ' (more below)' : ''
  const text = `${node.kind} ${paint('bold', plainText(nameOf(node)))}${why}${mark}`
  if (isRepeated || isHidden) return {text, children: []}
  const children = node.requires.flatMap(({package: name, constraint}) => {
    const required = byName.get(name)
    return required === undefined
      ? []
      : [drawnNode(required, ` (${plainText(constraint)})`, drawing, depth - 1)]
  })
  return {text, children}
}

function nameOf({package: name, version}: XpkgTreePackage): string {
  if (version === '') return name
  return isDigest(version) ? `${name}@${version}` : `${name}:${version}`
}
