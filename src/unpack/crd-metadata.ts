import {isUtf8} from 'node:buffer'
import {asText, type JsonValue} from '../yaml/json-value.js'
import type {SourceCrd} from './crds.js'
import {documentsOf, fileFault, type Findings, readTyped} from './findings.js'
import type {CrdMetadata, GroupMetadata, Icon, ResourceMetadata} from './package.js'
import {PACKAGE_TYPES} from './package-types.js'
import {
  baseName,
  compareBytes,
  compareWalkOrder,
  directoryOf,
  isAtOrAbove,
  type RegistryFile,
} from './registry-file.js'

/** The files that describe CRDs, read once for the whole package. */
export interface MetadataFiles {
  readonly groups: readonly Described<GroupMetadata>[]
  readonly resources: readonly Described<ResourceMetadata & {readonly id: string}>[]
  readonly icons: readonly Described<Icon>[]
  readonly uiSchemas: readonly Described<string>[]
}

interface Described<Value> {
  readonly file: RegistryFile
  readonly value: Value
}

/** The files of each metadata pattern, in walk order. */
export interface MetadataSources {
  readonly groups: readonly RegistryFile[]
  readonly resources: readonly RegistryFile[]
  readonly icons: readonly RegistryFile[]
  readonly uiSchemas: readonly RegistryFile[]
}

export function readMetadataFiles(sources: MetadataSources, findings: Findings): MetadataFiles {
  return {
    groups: sources.groups.flatMap(file => readDescription(file, 'Group', findings, groupMetadata)),
    resources: sources.resources.flatMap(file =>
      readDescription(file, 'Resource', findings, resourceMetadata),
    ),
    icons: sources.icons.flatMap(file => readIcon(file, findings)),
    uiSchemas: sources.uiSchemas.flatMap(file => readUiSchema(file, findings)),
  }
}

function readDescription<Value>(
  file: RegistryFile,
  type: 'Group' | 'Resource',
  findings: Findings,
  describe: (fields: Readonly<Record<string, JsonValue>>) => Value,
): Described<Value>[] {
  const [document] = documentsOf(file, findings)
  if (document === undefined) return []
  const as = {type, types: PACKAGE_TYPES, scalars: 'convert'} as const
  return [{file, value: describe(readTyped(document, [], document.yaml.value, as, findings))}]
}

function groupMetadata(fields: Readonly<Record<string, JsonValue>>): GroupMetadata {
  return {
    title: asText(fields.title),
    category: asText(fields.category),
    readme: asText(fields.readme),
    overview: asText(fields.overview),
    overviewShort: asText(fields.overviewShort),
  }
}

function resourceMetadata(
  fields: Readonly<Record<string, JsonValue>>,
): ResourceMetadata & {readonly id: string} {
  return {
    ...groupMetadata(fields),
    overviewShort: asText(fields.overviewShort) || asText(fields.shortOverview),
    titlePlural: asText(fields.titlePlural),
    id: asText(fields.id),
  }
}

/** In the order of preference among icons that are equally near. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
}
const MEDIA_TYPE_PREFERENCE = [...new Set(Object.values(MEDIA_TYPES))]

function readIcon(file: RegistryFile, findings: Findings): Described<Icon>[] {
  const name = baseName(file)
  const mediatype = MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
  if (mediatype === undefined) {
    const message = `${name} is none of ${Object.keys(MEDIA_TYPES).join(', ')} and is ignored as an icon`
    findings.warnings.push(fileFault(file, 'icon-type', message))
    return []
  }
  return [{file, value: {base64Data: Buffer.from(file.bytes).toString('base64'), mediatype}}]
}

function readUiSchema(file: RegistryFile, findings: Findings): Described<string>[] {
  if (!isUtf8(file.bytes)) {
    findings.errors.push(fileFault(file, 'ui-schema-encoding', 'the file is not UTF-8 text'))
    return []
  }
  return [{file, value: Buffer.from(file.bytes).toString('utf8')}]
}

/** What applies to one CRD: of groups, resources and icons the nearest at or above it, of ui-schemas all. */
export function metadataOf(crd: SourceCrd, files: MetadataFiles): CrdMetadata {
  const kind = crd.definition.kind.toLowerCase()
  const above = <Value>(described: readonly Described<Value>[]) =>
    described.filter(({file}) => isAtOrAbove(directoryOf(file), directoryOf(crd.file)))
  const group = nearest(above(files.groups))
  const resource = nearest(above(files.resources).filter(({value}) => value.id.toLowerCase() === kind))
  const icon = bestIcon(above(files.icons), crd)
  return {
    ...(group === undefined ? {} : {group: group.value}),
    ...(resource === undefined ? {} : {resource: resource.value}),
    ...(icon === undefined ? {} : {icon}),
    uiSchemas: above(files.uiSchemas)
      .filter(({file}) => baseName(file) === 'ui-schema.yaml' || baseName(file).startsWith(`${kind}.`))
      .sort((a, b) => compareBytes(b.file.path, a.file.path))
      .map(({value}) => trimNewlines(value)),
  }
}

/** Of several in one directory the last by name, which is the last in walk order. */
function nearest<Value>(described: readonly Described<Value>[]): Described<Value> | undefined {
  return [...described].sort((a, b) => depth(b) - depth(a) || compareWalkOrder(b.file, a.file))[0]
}

function depth({file}: Described<unknown>): number {
  return directoryOf(file).length
}

function bestIcon(icons: readonly Described<Icon>[], crd: SourceCrd): Icon | undefined {
  const ranked = icons
    .map(icon => ({icon, rank: iconRank(baseName(icon.file), crd)}))
    .filter(({rank}) => rank !== undefined)
  ranked.sort(
    (a, b) =>
      depth(b.icon) - depth(a.icon) ||
      (a.rank ?? 0) - (b.rank ?? 0) ||
      mediaTypeRank(a.icon) - mediaTypeRank(b.icon) ||
      compareBytes(b.icon.file.path, a.icon.file.path),
  )
  return ranked[0]?.icon.value
}

/** The more specific the name, the lower: kind and one of its versions, the kind, the kind otherwise, any CRD. */
function iconRank(name: string, {definition}: SourceCrd): number | undefined {
  const kind = definition.kind.toLowerCase()
  if (Object.keys(MEDIA_TYPES).some(extension => name === `icon.${extension}`)) return 3
  if (!name.startsWith(`${kind}.`)) return undefined
  const rest = name.slice(kind.length + 1)
  if (definition.versions.some(version => rest.startsWith(`${version}.icon.`))) return 0
  return rest.startsWith('icon.') ? 1 : 2
}

function mediaTypeRank({value}: Described<Icon>): number {
  return MEDIA_TYPE_PREFERENCE.indexOf(value.mediatype)
}

function trimNewlines(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === '\n') start += 1
  while (end > start && text[end - 1] === '\n') end -= 1
  return text.slice(start, end)
}
