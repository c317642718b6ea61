import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {escaped, nearest} from '../text.js'
import {type FieldPath, formatPath, type JsonValue} from '../yaml/json-value.js'
import {readYaml, type YamlBudget, type YamlDocument} from '../yaml/read-yaml.js'
import {type GoTypes, readAs, type ScalarMode, type TypeDiagnostic} from './go/go-types.js'
import {overlapping} from './overlapping-paths.js'
import {baseName, displayPath, type PackageFile} from './package-file.js'

/** The diagnostics of the readers of one package: errors make it unusable, warnings do not. */
export interface DiagnosticCollector {
  readonly errors: Diagnostic[]
  readonly warnings: Diagnostic[]
  /** The limits for all files of the package together. */
  readonly budget?: YamlBudget
  /** Keeps the documents of each file that is read, for later readers. */
  readonly documents?: Map<PackageFile, readonly SourceDocument[]>
  /** Keeps the places of each document that is read as its type in which scalars became text. */
  readonly converted?: Map<SourceDocument, readonly FieldPath[]>
}

/** A YAML document of a package, and its place for diagnostics. */
export interface SourceDocument {
  /** The file's name as users know it. */
  readonly name: string
  /** Its position if it is an item of a List: the prefix of fields in messages. */
  readonly at?: FieldPath
  readonly yaml: YamlDocument
}

/** An error in a field of a document; without a path, in the document or file as a whole. */
export interface DiagnosticDraft {
  readonly rule: string
  readonly path?: FieldPath
  readonly message: string
  /** The valid names for the last one of the path. */
  readonly knownNames?: readonly string[]
}

/** The maximum number of errors, and of warnings, that are listed: a file can have a million. */
export const MAX_LISTED = 1000

/** Adds an error, which makes the package unusable. */
export function errorAt(
  document: SourceDocument,
  draft: DiagnosticDraft,
  {errors}: DiagnosticCollector,
): void {
  list(errors, document.name, () => diagnosticAt(document, draft.rule, draft.path ?? [], draft.message))
}

/** Adds a warning. */
export function warningAt(
  document: SourceDocument,
  draft: DiagnosticDraft,
  {warnings}: DiagnosticCollector,
): void {
  list(warnings, document.name, () => ({
    ...diagnosticAt(document, draft.rule, draft.path ?? [], draft.message),
    severity: 'warning',
    ...nearName(draft),
  }))
}

/** Longer names are not compared: a hostile key can have megabytes. */
const MAX_NAME = 64

function nearName(draft: DiagnosticDraft): Pick<Diagnostic, 'suggestions'> {
  const intended = intendedName(draft)
  const name = String(draft.path?.at(-1) ?? '')
  return intended === undefined ? {} : {suggestions: [`Write ${intended} in place of ${escaped(name)}.`]}
}

/** The name of a field that was probably meant by an unknown one. */
function intendedName({path = [], knownNames = []}: DiagnosticDraft): string | undefined {
  const name = String(path.at(-1) ?? '')
  return name.length > MAX_NAME ? undefined : nearest(name, knownNames)
}

/** Adds an error that concerns a file as a whole. */
export function errorIn(
  file: PackageFile,
  {rule, message}: DiagnosticDraft,
  {errors}: DiagnosticCollector,
): void {
  const name = displayPath(file)
  list(errors, name, () => ({severity: 'error', rule, message, file: name}))
}

/** Adds a warning that concerns a file as a whole. */
export function warningIn(
  file: PackageFile,
  {rule, message}: DiagnosticDraft,
  {warnings}: DiagnosticCollector,
): void {
  const name = displayPath(file)
  list(warnings, name, () => ({severity: 'warning', rule, message, file: name}))
}

function list(diagnostics: Diagnostic[], file: string, find: () => Diagnostic): void {
  if (diagnostics.length > MAX_LISTED) return
  const message = `more than ${MAX_LISTED} diagnostics: the others are not listed`
  diagnostics.push(
    diagnostics.length < MAX_LISTED ? find() : {severity: 'warning', rule: 'too-many', message, file},
  )
}

/** An error at a place of a document. */
export function diagnosticAt(
  document: SourceDocument,
  rule: string,
  path: FieldPath,
  message: string,
): Diagnostic {
  const field = formatPath([...(document.at ?? []), ...path])
  const line = document.yaml.lineOf(path)
  return {severity: 'error', rule, message, file: document.name, line, ...(field === '' ? {} : {field})}
}

/** Returns the first of files that a package can have only once; each of the others is an error under that rule. */
export function onlyFile(
  files: readonly PackageFile[],
  rule: string,
  collector: DiagnosticCollector,
): PackageFile | undefined {
  const [first, ...others] = files
  for (const other of others) {
    const message = `a package has one ${baseName(other)}, and there is another: ${displayPath(first ?? other)}`
    errorIn(other, {rule, message}, collector)
  }
  return first
}

/**
 * Returns the first document of a file that is not empty. Others are not read, which is a warning under that rule.
 */
export function firstDocument(
  file: PackageFile,
  rule: string,
  collector: DiagnosticCollector,
): SourceDocument | undefined {
  const [document, further] = documentsOf(file, collector)
  if (further !== undefined) {
    warningAt(further, {rule, message: `only the first document of ${baseName(file)} is used`}, collector)
  }
  return document
}

/** The non-empty documents of a package's file; invalid YAML becomes an error and yields none. */
export function documentsOf(file: PackageFile, collector: DiagnosticCollector): SourceDocument[] {
  const documents = documentsIn(displayPath(file), file.bytes, collector)
  collector.documents?.set(file, documents)
  return documents
}

/** The same of any file, by the name that messages give it. */
export function documentsIn(
  name: string,
  bytes: Uint8Array,
  collector: DiagnosticCollector,
): SourceDocument[] {
  try {
    const documents = readYaml(bytes, name, collector.budget).map(yaml => ({name, yaml}))
    for (const document of documents) noteDuplicateKeys(document, collector)
    return documents
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'input-invalid') throw error
    for (const diagnostic of error.diagnostics) list(collector.errors, name, () => diagnostic)
    return []
  }
}

function noteDuplicateKeys({name, yaml}: SourceDocument, {warnings}: DiagnosticCollector): void {
  for (const {path, line} of yaml.duplicateKeys) {
    const field = formatPath(path)
    const message = `${field} is given twice: the last one is used`
    list(warnings, name, () => ({
      severity: 'warning',
      rule: 'duplicate-key',
      message,
      file: name,
      line,
      field,
    }))
  }
}

/** The Go type of a part of a document. */
export interface PartType {
  readonly type: string
  readonly types: GoTypes
  readonly scalars: ScalarMode
  /** Whether unknown fields are errors: a field that is missing because it is misspelled is not a second one. */
  readonly isClosed?: boolean
}

/** A part of a document as its Go type has it. */
export interface TypedPart {
  readonly fields: Record<string, JsonValue>
  /**
   * Whether a value was rejected at the path, around it or below it. Then a value that seems to be missing there is not
   * an error of its own.
   */
  readonly isRejected: (path: FieldPath) => boolean
}

/** Reads part of a document as a Go type; values of a wrong type become errors, everything else warnings. */
export function readPart(
  document: SourceDocument,
  at: FieldPath,
  value: JsonValue,
  as: PartType,
  collector: DiagnosticCollector,
): TypedPart {
  const typed = readAs(as.type, as.types, value, as.scalars)
  const converted = typed.converted.map(path => [...at, ...path])
  collector.converted?.set(document, [...(collector.converted.get(document) ?? []), ...converted])
  const rejected: FieldPath[] = []
  for (const diagnostic of typed.diagnostics) {
    const path = [...at, ...diagnostic.path]
    const message = `${formatPath(path) || 'the document'} ${diagnostic.message}`
    const draft = {rule: RULES[diagnostic.kind], path, message, knownNames: diagnostic.knownNames}
    if (diagnostic.kind !== 'wrong-type') {
      warningAt(document, draft, collector)
      const intended = as.isClosed === true ? intendedName(draft) : undefined
      if (intended !== undefined) rejected.push([...path.slice(0, -1), intended])
    } else {
      errorAt(document, draft, collector)
      rejected.push(path)
    }
  }
  return {fields: {...typed.value}, isRejected: overlapping(rejected)}
}

/** The fields alone. */
export function readTyped(
  document: SourceDocument,
  at: FieldPath,
  value: JsonValue,
  as: PartType,
  collector: DiagnosticCollector,
): Record<string, JsonValue> {
  return readPart(document, at, value, as, collector).fields
}

const RULES: Readonly<Record<TypeDiagnostic['kind'], string>> = {
  'wrong-type': 'field-type',
  'unknown-field': 'unknown-field',
  'field-case': 'field-case',
}
