import {CrossplaneError} from '../../errors.js'
import {Allowance} from '../../fetch/allowance.js'
import {type DiagnosticCollector, documentsIn} from '../../unpack/diagnostics.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {asObject, asText} from '../../yaml/json-value.js'
import {streamParts} from './stream.js'

/** An object that the authors of a package show to its users. */
interface PackageExample {
  readonly apiVersion: string
  readonly kind: string
  /** Its name; empty without one. */
  readonly name: string
  /** The document as it was written. */
  readonly text: string
}

/** The examples of a package, and why others could not be read: at most one reason for each file. */
export interface PackageExamples {
  readonly examples: readonly PackageExample[]
  readonly unread: readonly string[]
}

/** Ten times those of the largest known package. */
const MAX_VALUES = 1_000_000

/** Reads the objects in files of examples; other documents are left out. Nothing fails: packages are installed without examples. */
export function readExamples(files: readonly PackageFile[]): PackageExamples {
  const budget = {values: new Allowance(MAX_VALUES, 'values, together with the other examples')}
  const examples: PackageExample[] = []
  const unread: string[] = []
  for (const {path, bytes} of files) {
    const collector: DiagnosticCollector = {errors: [], warnings: [], budget}
    try {
      for (const {content} of streamParts(bytes)) examples.push(...exampleIn(path, content, collector))
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      unread.push(error.message)
      continue
    }
    const [error] = collector.errors
    if (error !== undefined) unread.push(`${path}: ${error.message}`)
  }
  return {examples, unread}
}

function exampleIn(
  path: string,
  content: Uint8Array,
  collector: DiagnosticCollector,
): readonly PackageExample[] {
  const [document] = documentsIn(path, content, collector)
  const {apiVersion, kind, metadata} = asObject(document?.yaml.value)
  if (asText(apiVersion) === '' || asText(kind) === '') return []
  const {name, generateName} = asObject(metadata)
  const text = new TextDecoder().decode(content).trim()
  return [
    {apiVersion: asText(apiVersion), kind: asText(kind), name: asText(name) || asText(generateName), text},
  ]
}
