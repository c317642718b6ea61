import type {SourceCrd} from './crds.js'
import {firstWord, mediaTypeRank, type MetadataFiles} from './metadata-files.js'
import type {CrdMetadata, Icon} from './package.js'
import type {Described} from './placed-files.js'
import {baseName, compareBytes, compareWalkOrder} from './registry-file.js'

/** What applies to one CRD: of groups, resources and icons the nearest at or above it, of ui-schemas all. */
export function metadataOf(crd: SourceCrd, files: MetadataFiles): CrdMetadata {
  const kind = crd.definition.kind.toLowerCase()
  const group = lastOfNearest(files.groups.above(crd.file, ['']))
  const resource = lastOfNearest(files.resources.above(crd.file, [kind]))
  const icon = nearestIcon(crd, files)
  return {
    ...(group === undefined ? {} : {group}),
    ...(resource === undefined ? {} : {resource}),
    ...(icon === undefined ? {} : {icon}),
    uiSchemas: uiSchemasOf(crd, files),
  }
}

/** Of several in one directory the last by name counts, which is the last in walk order. */
function lastOfNearest<Value>([nearest = []]: readonly Described<Value>[][]): Value | undefined {
  return nearest.at(-1)?.value
}

function nearestIcon(crd: SourceCrd, {icons}: MetadataFiles): Icon | undefined {
  for (const near of icons.above(crd.file, wordsOf(crd))) {
    const [first, ...others] = near.flatMap(icon => rankedIcon(icon, crd))
    if (first !== undefined) return others.reduce(preferred, first).value
  }
  return undefined
}

interface RankedIcon extends Described<Icon> {
  readonly rank: number
}

function rankedIcon(icon: Described<Icon>, crd: SourceCrd): RankedIcon[] {
  const rank = icon.word === '' ? 3 : rankByKind(baseName(icon.file), crd)
  return rank === undefined ? [] : [{...icon, rank}]
}

/** The more specific the name, the lower: kind and one of its versions, the kind, the kind otherwise, any CRD. */
function rankByKind(name: string, crd: SourceCrd): number | undefined {
  if (!isForKind(name, crd)) return undefined
  const rest = name.slice(crd.definition.kind.length + 1)
  if (crd.definition.versions.some(version => rest.startsWith(`${version}.icon.`))) return 0
  return rest.startsWith('icon.') ? 1 : 2
}

function preferred(a: RankedIcon, b: RankedIcon): RankedIcon {
  const order = a.rank - b.rank || mediaTypeRank(a.value) - mediaTypeRank(b.value)
  return (order || compareWalkOrder(b.file, a.file)) <= 0 ? a : b
}

function uiSchemasOf(crd: SourceCrd, {uiSchemas}: MetadataFiles): string[] {
  return uiSchemas
    .above(crd.file, wordsOf(crd))
    .flat()
    .filter(({file, word}) => word === '' || isForKind(baseName(file), crd))
    .sort((a, b) => compareBytes(b.file.path, a.file.path))
    .map(({value}) => trimNewlines(value))
}

/** The words under which files for any CRD and for its kind lie. */
function wordsOf({definition}: SourceCrd): string[] {
  return ['', firstWord(definition.kind.toLowerCase())]
}

function isForKind(name: string, {definition}: SourceCrd): boolean {
  return name.startsWith(`${definition.kind.toLowerCase()}.`)
}

function trimNewlines(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === '\n') start += 1
  while (end > start && text[end - 1] === '\n') end -= 1
  return text.slice(start, end)
}
