import type {SourceCrd} from './crds.js'
import {firstWord, mediaTypeRank, type MetadataFiles} from './metadata-files.js'
import type {CrdMetadata, GroupMetadata, Icon, ResourceMetadata} from './package.js'
import type {Described} from './placed-files.js'
import {baseName, compareBytes, compareWalkOrder} from './package-file.js'

/** The metadata files that apply to one CRD: by directory, the nearest first. */
export interface CrdFiles {
  readonly groups: readonly Described<GroupMetadata>[][]
  readonly resources: readonly Described<ResourceMetadata>[][]
  readonly icons: readonly Described<Icon>[][]
  readonly uiSchemas: readonly Described<string>[][]
}

/** The metadata files that are used for the CRD. */
export interface SelectedFiles {
  readonly group?: Described<GroupMetadata>
  readonly resource?: Described<ResourceMetadata>
  readonly icon?: Described<Icon>
  /** In the order in which they are joined. */
  readonly uiSchemas: readonly Described<string>[]
}

/**
 * Returns the files that apply to one CRD: of groups, resources and icons the nearest at or above it, of ui-schemas
 * all.
 */
export function metadataOf(crd: SourceCrd, files: MetadataFiles): CrdMetadata {
  const {group, resource, icon, uiSchemas} = selectedFiles(crd, filesAbove(crd, files))
  return {
    ...(group === undefined ? {} : {group: group.value}),
    ...(resource === undefined ? {} : {resource: resource.value}),
    ...(icon === undefined ? {} : {icon: icon.value}),
    uiSchemas: uiSchemas.map(({value}) => trimNewlines(value)),
  }
}

export function filesAbove(crd: SourceCrd, files: MetadataFiles): CrdFiles {
  const words = ['', firstWord(crd.definition.kind.toLowerCase())]
  const isMeant = ({file, word}: Described<unknown>) => word === '' || isForKind(baseName(file), crd)
  return {
    groups: files.groups.above(crd.file, ['']),
    resources: files.resources.above(crd.file, [crd.definition.kind.toLowerCase()]),
    icons: files.icons.above(crd.file, words).map(near => near.filter(isMeant)),
    uiSchemas: files.uiSchemas.above(crd.file, words).map(near => near.filter(isMeant)),
  }
}

export function selectedFiles(crd: SourceCrd, above: CrdFiles): SelectedFiles {
  const group = lastOfNearest(above.groups)
  const resource = lastOfNearest(above.resources)
  const icon = nearestIcon(crd, above.icons)
  return {
    group,
    resource,
    icon,
    uiSchemas: above.uiSchemas.flat().sort((a, b) => compareBytes(b.file.path, a.file.path)),
  }
}

/** Of several in one directory the last by name counts, which is the last in walk order. */
function lastOfNearest<Value>([nearest = []]: readonly Described<Value>[][]): Described<Value> | undefined {
  return nearest.at(-1)
}

function nearestIcon(crd: SourceCrd, icons: readonly Described<Icon>[][]): Described<Icon> | undefined {
  const [first, ...others] = (icons.find(near => near.length > 0) ?? []).map(icon => rankedIcon(icon, crd))
  return first === undefined ? undefined : others.reduce(preferred, first)
}

interface RankedIcon extends Described<Icon> {
  readonly rank: number
}

function rankedIcon(icon: Described<Icon>, crd: SourceCrd): RankedIcon {
  return {...icon, rank: icon.word === '' ? 3 : rankByKind(baseName(icon.file), crd)}
}

/**
 * Ranks a name, the most specific lowest: kind and one of its versions, the kind, the kind in another spelling, any
 * CRD.
 */
function rankByKind(name: string, crd: SourceCrd): number {
  const rest = name.slice(crd.definition.kind.length + 1)
  if (crd.definition.versions.some(version => rest.startsWith(`${version}.icon.`))) return 0
  return rest.startsWith('icon.') ? 1 : 2
}

function preferred(a: RankedIcon, b: RankedIcon): RankedIcon {
  const order = a.rank - b.rank || mediaTypeRank(a.value) - mediaTypeRank(b.value)
  return (order || compareWalkOrder(b.file, a.file)) <= 0 ? a : b
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
