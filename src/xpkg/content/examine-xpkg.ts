import type {Diagnostic} from '../../diagnostic.js'
import {Allowance} from '../../fetch/allowance.js'
import {count, listAll, quoted} from '../../text.js'
import {
  type DiagnosticCollector,
  errorAt,
  type SourceDocument,
  type TypedPart,
} from '../../unpack/diagnostics.js'
import {compareWalkOrder, type PackageFile} from '../../unpack/package-file.js'
import {asObject, asText, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {parsePath} from '../../yaml/parse-path.js'
import {checkObject} from './check-object.js'
import {checkTogether} from './check-together.js'
import {readMetadata, REMOVED_FIELDS} from './metadata.js'
import {apiVersionsOf, objectKind, type ObjectKind, type ObjectRole} from './object-kinds.js'
import {objectFacts} from './object-facts.js'
import {streamDocuments} from './stream.js'
import {typedDocument} from './typed-document.js'
import type {Xpkg, XpkgExamination, XpkgObject} from './xpkg.js'

/** Ten times the content of the largest known package, of a thousand CRDs; their values are not kept. */
const MAX_VALUES = 10_000_000

/** An object of a package to check further, while it is in memory. */
export interface CheckedObject {
  readonly document: SourceDocument
  readonly role: ObjectRole
  /** As the file has it. */
  readonly source: JsonObject
  /** As Crossplane decodes it. */
  readonly decoded: JsonObject
  /** The errors that were found in it before. */
  readonly errors: readonly Diagnostic[]
}

/** Reports what else is wrong with an object. */
export type ObjectCheck = (object: CheckedObject, collector: DiagnosticCollector) => void

/**
 * Reads everything that can be read of a package for a current Crossplane: of its stream, or of the files that a stream is built from.
 * Lint checks its objects further, which takes longer than reading them. Throws `limit-exceeded`.
 */
export function examineXpkg(files: readonly PackageFile[], check?: ObjectCheck): XpkgExamination {
  const values = new Allowance(MAX_VALUES, 'values, together with the other files of the package')
  const sorted = [...files].sort(compareWalkOrder)
  const reading: Reading = {
    parsing: {errors: [], warnings: [], budget: {values}},
    problems: {errors: [], warnings: []},
    metadata: [],
    objects: [],
    check,
    unread: new Set(),
  }
  for (const file of sorted)
    for (const document of streamDocuments(file, reading.parsing)) readDocument(document, reading)
  return examinationOf(reading, sorted)
}

interface Reading {
  /** The diagnostics of the core's parser. */
  readonly parsing: DiagnosticCollector
  /** Those of its linter, and others. */
  readonly problems: DiagnosticCollector
  readonly metadata: (Omit<Xpkg, 'objects'> & {readonly document: SourceDocument})[]
  readonly objects: XpkgObject[]
  readonly check: ObjectCheck | undefined
  /** The files with a document that could be the metadata if it could be read. */
  readonly unread: Set<string>
}

function readDocument(document: SourceDocument, reading: Reading): void {
  const {value} = document.yaml
  const parsed = isJsonObject(value) ? objectKind(asText(value.apiVersion), asText(value.kind)) : undefined
  if (parsed === undefined || !isJsonObject(value)) return rejectKind(document, reading)
  const {parsing, problems} = reading
  const own: Reading = {...reading, parsing: {...parsing, errors: []}, problems: {errors: [], warnings: []}}
  const {fields, isRejected} = typed(document, value, parsed, own)
  if (parsed.role === 'metadata') readMeta(document, fields, own)
  else readObject(document, parsed, {source: value, decoded: fields}, own)
  parsing.errors.push(...own.parsing.errors)
  // What is wrong with a value of the wrong type is its type: that it seems to be missing is no second error.
  problems.errors.push(...own.problems.errors.filter(({field = ''}) => !isRejected(parsePath(field))))
  problems.warnings.push(...own.problems.warnings)
}

function readMeta(document: SourceDocument, object: JsonObject, {problems, metadata}: Reading): void {
  const read = readMetadata(document, object, problems)
  if (read !== undefined) metadata.push({...read, document})
}

function readObject(
  document: SourceDocument,
  {role}: ObjectKind,
  {source, decoded}: Pick<CheckedObject, 'source' | 'decoded'>,
  {problems, parsing, objects, check}: Reading,
): void {
  checkObject(document, role, decoded, problems)
  objects.push(objectFacts(document, role, decoded))
  const errors = [...parsing.errors, ...problems.errors]
  check?.({document, role, source, decoded, errors}, problems)
}

/** Reads a document as its Go type; unknown fields are dropped, which is a warning, and wrong types are errors. */
function typed(document: SourceDocument, value: JsonObject, {type}: ObjectKind, reading: Reading): TypedPart {
  if (type === undefined) return {fields: {...value}, isRejected: () => false}
  const own: DiagnosticCollector = {errors: [], warnings: []}
  const part = typedDocument(document, value, type, own)
  reading.parsing.errors.push(...own.errors)
  reading.problems.warnings.push(...own.warnings.map(warning => removedField(warning, type)))
  return part
}

function removedField(warning: Diagnostic, type: string): Diagnostic {
  const reason = type.startsWith('crossplane.meta.') ? REMOVED_FIELDS.get(warning.field ?? '') : undefined
  if (reason === undefined) return warning
  const message = `${warning.field} does not exist any more and is ignored: ${reason}`
  return {...warning, rule: 'xpkg-removed-field', message, suggestions: []}
}

function rejectKind(document: SourceDocument, {parsing, unread}: Reading): void {
  const {apiVersion, kind} = asObject(document.yaml.value)
  const [version, name] = [asText(apiVersion), asText(kind)]
  const others = apiVersionsOf(name)
  const message =
    name === '' || version === ''
      ? 'the document is not a Kubernetes object: it has no apiVersion and kind'
      : others.length > 0
        ? `${name} is not known in ${quoted(version)}, only in ${listAll(others, 'or')}`
        : `${quoted(`${version} ${name}`)} is not a kind that a package can contain`
  errorAt(document, {rule: 'xpkg-kind', path: ['kind'], message}, parsing)
  if (version.startsWith('meta.pkg.crossplane.io') || isMetaFile(document.name)) unread.add(document.name)
}

/** The file that holds the metadata of most packages; a stream has only one file. */
function isMetaFile(name: string): boolean {
  return /(?:^|\/)crossplane\.yaml$/.test(name)
}

function examinationOf(
  {parsing, problems, metadata, objects, unread}: Reading,
  files: readonly PackageFile[],
): XpkgExamination {
  const [first, second] = metadata
  const isUnread = first === undefined && (unread.size > 0 || parsing.errors.some(isSyntax))
  if ((first === undefined && !isUnread) || second !== undefined)
    rejectMetadata(
      metadata.map(({document}) => document),
      files,
      parsing,
    )
  const xpkg = first === undefined || second !== undefined ? undefined : packageOf(first, objects)
  if (xpkg !== undefined) checkTogether(xpkg, problems)
  return {
    ...(xpkg === undefined ? {} : {xpkg}),
    errors: inOrder(parsing.errors, files),
    problems: inOrder([...problems.errors, ...problems.warnings, ...parsing.warnings], files),
  }
}

/** A document that is not valid YAML can be the metadata. */
function isSyntax({rule}: Diagnostic): boolean {
  return rule.startsWith('yaml-')
}

function packageOf(
  {document: _document, ...metadata}: Reading['metadata'][number],
  objects: readonly XpkgObject[],
): Xpkg {
  return {...metadata, objects}
}

function rejectMetadata(
  documents: readonly SourceDocument[],
  files: readonly PackageFile[],
  {errors}: DiagnosticCollector,
): void {
  const [, second] = documents
  const number = documents.length === 0 ? 'there is none' : `there are ${count(documents.length, 'document')}`
  errors.push({
    severity: 'error',
    rule: 'xpkg-metadata',
    message: `a package has exactly one Provider, Configuration or Function of meta.pkg.crossplane.io; ${number}`,
    file: second?.name ?? files[0]?.path ?? 'package.yaml',
    ...(second === undefined ? {} : {line: second.yaml.line}),
  })
}

function inOrder(diagnostics: readonly Diagnostic[], files: readonly PackageFile[]): readonly Diagnostic[] {
  const places = new Map(files.map(({path}, index) => [path, index]))
  const placeOf = ({file}: Diagnostic) => places.get(file ?? '') ?? -1
  return [...diagnostics].sort((a, b) => placeOf(a) - placeOf(b) || (a.line ?? 0) - (b.line ?? 0))
}
