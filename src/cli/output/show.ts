import type {Diagnostic} from '../../diagnostic.js'
import type {InstallSet} from '../../render/install-set.js'
import type {KubernetesObject} from '../../unpack/kubernetes-object.js'
import {writeJson, writeYaml} from '../../yaml/write-yaml.js'
import {painter} from './paint.js'
import {formatDiagnostic} from './format-diagnostic.js'

/** The API group of the documents that commands print. */
const DOCUMENT_API_VERSION = 'packages.kubectl-crossplane.dev/v1alpha1'

export type OutputFormat = 'yaml' | 'json'

/** A document of our own making as JSON: `kind` says what it is. */
export function formatJson(document: OwnDocument): string {
  return formatDocument(document, 'json')
}

type OwnDocument = Readonly<Record<string, unknown>> & {readonly kind: string}

/** The same in either format. */
export function formatDocument(document: OwnDocument, format: OutputFormat): string {
  const versioned = {apiVersion: DOCUMENT_API_VERSION, ...document}
  return format === 'json' ? writeJson(versioned) : writeYaml([versioned])
}

/** The objects of a set: a YAML stream, or one List as kubectl prints and takes it. */
export function formatInstallSet({objects}: InstallSet, format: OutputFormat): string {
  const items = objects.map(each => each.object)
  return format === 'json' ? writeJson({apiVersion: 'v1', kind: 'List', items}) : writeYaml(items)
}

/** Warnings go to stderr, one line each; `argv` says whether in colour. */
export function showWarnings({warnings}: Pick<InstallSet, 'warnings'>, argv: readonly string[]): void {
  const paint = painter(argv)
  for (const warning of warnings)
    process.stderr.write(`${paint('yellow', 'Warning:')} ${formatDiagnostic(warning)}\n`)
}

/** What a careful reader should know of an answer goes to stderr, too, one line each. */
export function showNotes(notes: readonly Diagnostic[], argv: readonly string[]): void {
  const paint = painter(argv)
  for (const note of notes) process.stderr.write(`${paint('bold', 'Note:')} ${formatDiagnostic(note)}\n`)
}

/** Reports an empty list on stderr, where a table would have only its header. */
export function showNothingFound(message: string): void {
  process.stderr.write(`${message}\n`)
}

/** One object, as `formatInstallSet` prints each. */
export function formatObject(object: KubernetesObject, format: OutputFormat): string {
  return format === 'json' ? writeJson(object) : writeYaml([object])
}

/** Writes the answer to stdout and waits until it is taken. */
export async function show(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, error => {
      if (error === null || error === undefined) resolve()
      else reject(error)
    })
  })
}
