import {CrossplaneError, type Fault} from '../errors.js'
import {type FieldPath, formatPath, type JsonValue} from '../yaml/json-value.js'
import {readYaml, type YamlDocument} from '../yaml/read-yaml.js'
import {type GoTypes, readAs, type ScalarMode, type TypeFinding} from './go-types.js'
import {displayPath, type RegistryFile} from './registry-file.js'

/** What the readers of one package collect: errors make it unusable, warnings do not. */
export interface Findings {
  readonly errors: Fault[]
  readonly warnings: Fault[]
}

/** A YAML document of a package, and where to point when something in it is wrong. */
export interface SourceDocument {
  /** The file's name as people know it. */
  readonly name: string
  readonly yaml: YamlDocument
}

/** The non-empty documents of a package's file; text that is no YAML becomes an error and yields none. */
export function documentsOf(file: RegistryFile, findings: Findings): SourceDocument[] {
  return documentsIn(displayPath(file), file.bytes, findings)
}

/** The same of any file, by the name that messages give it. */
export function documentsIn(name: string, bytes: Uint8Array, findings: Findings): SourceDocument[] {
  try {
    const documents = readYaml(bytes, name).map(yaml => ({name, yaml}))
    for (const document of documents) noteDuplicateKeys(document, findings)
    return documents
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'input-invalid') throw error
    findings.errors.push(...error.faults)
    return []
  }
}

function noteDuplicateKeys({name, yaml}: SourceDocument, findings: Findings): void {
  for (const {path, line} of yaml.duplicateKeys) {
    const field = formatPath(path)
    const message = `${field} is given twice: the last one counts`
    findings.warnings.push({rule: 'duplicate-key', message, file: name, line, field})
  }
}

/** A fault at a place of a document. */
export function faultAt(document: SourceDocument, rule: string, path: FieldPath, message: string): Fault {
  const field = formatPath(path)
  return {
    rule,
    message,
    file: document.name,
    line: document.yaml.lineOf(path),
    ...(field === '' ? {} : {field}),
  }
}

/** A fault that concerns a file as a whole. */
export function fileFault(file: RegistryFile, rule: string, message: string): Fault {
  return {rule, message, file: displayPath(file)}
}

/** Reads part of a document as a Go type; values of a wrong type become errors, everything else warnings. */
export function readTyped(
  document: SourceDocument,
  at: FieldPath,
  value: JsonValue,
  as: {readonly type: string; readonly types: GoTypes; readonly scalars: ScalarMode},
  findings: Findings,
): Record<string, JsonValue> {
  const typed = readAs(as.type, as.types, value, as.scalars)
  for (const finding of typed.findings) {
    const path = [...at, ...finding.path]
    const message = `${formatPath(path) || 'the document'} ${finding.message}`
    const list = finding.problem === 'wrong-type' ? findings.errors : findings.warnings
    list.push(faultAt(document, RULES[finding.problem], path, message))
  }
  return {...typed.value}
}

const RULES: Readonly<Record<TypeFinding['problem'], string>> = {
  'wrong-type': 'field-type',
  'unknown-field': 'unknown-field',
  'field-case': 'field-case',
}
