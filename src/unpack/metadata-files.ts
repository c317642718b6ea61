import {listAll} from '../text.js'
import {isUtf8} from 'node:buffer'
import {asText, type JsonValue} from '../yaml/json-value.js'
import {
  documentsOf,
  errorIn,
  type DiagnosticCollector,
  firstDocument,
  readTyped,
  warningIn,
} from './diagnostics.js'
import type {GroupMetadata, Icon, ResourceMetadata} from './package.js'
import {PACKAGE_TYPES} from './go/package-types.js'
import {type Described, PlacedFiles} from './placed-files.js'
import {baseName, type PackageFile} from './package-file.js'

/** The files that describe CRDs, read once for the whole package, by the word that a CRD looks them up with. */
export interface MetadataFiles {
  /** Under the empty word. */
  readonly groups: PlacedFiles<GroupMetadata>
  /** Under the kind in lowercase. */
  readonly resources: PlacedFiles<ResourceMetadata>
  /** Under the first word of their names, which is the kind in lowercase; under the empty one if for any CRD. */
  readonly icons: PlacedFiles<Icon>
  /** As icons. */
  readonly uiSchemas: PlacedFiles<string>
}

/** The files of each metadata pattern, in walk order. */
export interface MetadataSources {
  readonly groups: readonly PackageFile[]
  readonly resources: readonly PackageFile[]
  readonly icons: readonly PackageFile[]
  readonly uiSchemas: readonly PackageFile[]
}

export function readMetadataFiles(sources: MetadataSources, collector: DiagnosticCollector): MetadataFiles {
  const read = <Value>(files: readonly PackageFile[], readOne: FileReader<Value>) =>
    new PlacedFiles(files.flatMap(file => readOne(file, collector)))
  return {
    groups: read(sources.groups, readGroup),
    resources: read(sources.resources, readResource),
    icons: read(sources.icons, readIcon),
    uiSchemas: read(sources.uiSchemas, readUiSchema),
  }
}

type FileReader<Value> = (file: PackageFile, collector: DiagnosticCollector) => Described<Value>[]
type Fields = Readonly<Record<string, JsonValue>>

function readGroup(file: PackageFile, collector: DiagnosticCollector): Described<GroupMetadata>[] {
  return readDescription(file, 'Group', collector).map(fields => ({
    file,
    word: '',
    value: groupMetadata(fields),
  }))
}

function readResource(file: PackageFile, collector: DiagnosticCollector): Described<ResourceMetadata>[] {
  return readDescription(file, 'Resource', collector).map(fields => ({
    file,
    word: asText(fields.id).toLowerCase(),
    value: resourceMetadata(fields),
  }))
}

/** The fields of the file's document; none if it has none. */
function readDescription(
  file: PackageFile,
  type: 'Group' | 'Resource',
  collector: DiagnosticCollector,
): Fields[] {
  const document = firstDocument(file, 'metadata-documents', collector)
  if (document === undefined) return []
  const as = {type, types: PACKAGE_TYPES, scalars: 'convert'} as const
  return [readTyped(document, [], document.yaml.value, as, collector)]
}

function groupMetadata(fields: Fields): GroupMetadata {
  return {
    title: asText(fields.title),
    category: asText(fields.category),
    readme: asText(fields.readme),
    overview: asText(fields.overview),
    overviewShort: asText(fields.overviewShort),
  }
}

function resourceMetadata(fields: Fields): ResourceMetadata {
  return {
    ...groupMetadata(fields),
    overviewShort: asText(fields.overviewShort) || asText(fields.shortOverview),
    titlePlural: asText(fields.titlePlural),
  }
}

/** By an icon's extension, in the order of preference among icons that are equally near. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
])
const EXTENSIONS = [...MEDIA_TYPES.keys()]
const PLAIN_ICONS: readonly string[] = EXTENSIONS.map(extension => `icon.${extension}`)

function readIcon(file: PackageFile, collector: DiagnosticCollector): Described<Icon>[] {
  const name = baseName(file)
  const mediatype = MEDIA_TYPES.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
  if (mediatype === undefined) {
    const message = `${name} is ignored as an icon: its extension is not one of ${listAll(EXTENSIONS, 'or')}`
    warningIn(file, {rule: 'icon-type', message}, collector)
    return []
  }
  const value = {base64Data: Buffer.from(file.bytes).toString('base64'), mediatype}
  return [{file, word: PLAIN_ICONS.includes(name) ? '' : firstWord(name), value}]
}

/** Ranks extensions, the preferred one lowest. */
export function mediaTypeRank({mediatype}: Icon): number {
  return [...MEDIA_TYPES.values()].indexOf(mediatype)
}

function readUiSchema(file: PackageFile, collector: DiagnosticCollector): Described<string>[] {
  if (!isUtf8(file.bytes)) {
    errorIn(file, {rule: 'ui-schema-encoding', message: 'the file is not UTF-8 text'}, collector)
    return []
  }
  warnOfSyntax(file, collector)
  const name = baseName(file)
  const value = Buffer.from(file.bytes).toString('utf8')
  return [{file, word: name === 'ui-schema.yaml' ? '' : firstWord(name), value}]
}

/** The text is copied unchanged: its own readers reject invalid YAML. */
function warnOfSyntax(file: PackageFile, {warnings, budget}: DiagnosticCollector): void {
  const own: DiagnosticCollector = {errors: [], warnings: [], budget}
  documentsOf(file, own)
  warnings.push(
    ...[...own.errors, ...own.warnings].map(diagnostic => ({...diagnostic, rule: 'ui-schema-syntax'})),
  )
}

/** Returns the start of a text, up to its first dot. */
export function firstWord(text: string): string {
  const [word = ''] = text.split('.', 1)
  return word
}
