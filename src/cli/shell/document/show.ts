import {API_VERSION} from '../../../api-version.js'
import type {Diagnostic} from '../../../diagnostic.js'
import type {InstallSet} from '../../../render/install-set.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {writeJson, writeYaml, yamlParts} from '../../../yaml/write-yaml.js'
import {onCluster} from './on-cluster.js'
import {painter} from '../text/paint.js'
import {suggestionText} from '../text/plain-text.js'
import {isQuietRun} from '../flags/quiet-run.js'
import {formatDiagnostic} from '../text/format-diagnostic.js'

export type OutputFormat = 'yaml' | 'json'

/** Formats a document of this program as JSON: `kind` identifies it. */
export function formatJson(document: OwnDocument): string {
  return formatDocument(document, 'json')
}

type OwnDocument = Readonly<Record<string, unknown>> & {readonly kind: string}

/** The same in either format. */
export function formatDocument(document: OwnDocument, format: OutputFormat): string {
  const versioned = {apiVersion: API_VERSION, ...document}
  return format === 'json' ? writeJson(versioned) : writeYaml([versioned])
}

/** Reports whether a format is that of a document, and not for users. */
export function isDocument(format: string): format is OutputFormat {
  return format === 'json' || format === 'yaml'
}

/** Prints the objects of a set on stdout, as `formatObjects` does. Prints nothing if one of them cannot be written. */
export async function showInstallSet(
  {objects}: {readonly objects: readonly {readonly object: KubernetesObject}[]},
  format: OutputFormat | 'name',
): Promise<void> {
  const items = objects.map(object => object.object)
  if (format === 'name') return await show(items.map(item => `${resourceName(item)}\n`).join(''))
  if (format === 'json') return await show(formatObjects(items, format))
  // Bytes take less memory than the strings that a large text is made of.
  const parts = Array.from(yamlParts(items), part => Buffer.from(part))
  for (const part of parts) await show(part)
}

/** The name of an object as `kubectl -o name` prints it. */
function resourceName({apiVersion, kind, metadata}: KubernetesObject): string {
  const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : ''
  return `${kind.toLowerCase()}${group}/${metadata.name}`
}

/** Formats objects: a YAML stream, or one List as kubectl prints and reads it. */
export function formatObjects(items: readonly KubernetesObject[], format: OutputFormat): string {
  return format === 'json' ? writeJson({apiVersion: 'v1', kind: 'List', items}) : writeYaml(items)
}

/** Prints warnings on standard error, one line each; the notes of a set as `showNotes` does. */
export function showWarnings({warnings}: Pick<InstallSet, 'warnings'>, argv: readonly string[]): void {
  const paint = painter(argv)
  const notes = warnings.filter(({severity}) => severity === 'note')
  for (const warning of warnings)
    if (warning.severity !== 'note') showDiagnostic(paint('yellow', 'Warning:'), warning, argv)
  if (notes.length > 0) showNotes(notes, argv)
}

/**
 * Prints warnings and notes on standard error, notes of one rule on one line; notes not with --quiet, and each by itself with
 * --debug.
 */
export function showNotes(diagnostics: readonly Diagnostic[], argv: readonly string[]): void {
  showWarnings({warnings: diagnostics.filter(({severity}) => severity === 'warning')}, argv)
  if (isQuietRun(argv)) return
  const paint = painter(argv)
  const notes = diagnostics.filter(({severity}) => severity !== 'warning')
  const shown = argv.includes('--debug') ? notes : joinedNotes(notes)
  for (const note of shown) showDiagnostic(paint('bold', 'Note:'), note, argv)
}

/** Notes without a place are joined by rule; a place belongs to one message. */
function joinedNotes(notes: readonly Diagnostic[]): readonly Diagnostic[] {
  const byRule = new Map<string, Diagnostic>()
  for (const note of notes) {
    const {rule, message, file} = note
    const key = file === undefined ? rule : `${rule} ${byRule.size}`
    const before = byRule.get(key)
    byRule.set(key, before === undefined ? note : {...note, message: `${before.message}; ${message}`})
  }
  return [...byRule.values()]
}

function showDiagnostic(label: string, diagnostic: Diagnostic, argv: readonly string[]): void {
  const suggestions = (diagnostic.suggestions ?? []).map(
    suggestion => `Try: ${suggestionText(onCluster(suggestion, argv))}\n`,
  )
  process.stderr.write(`${label} ${formatDiagnostic(diagnostic)}\n${suggestions.join('')}`)
}

/** Reports an empty list on stderr, where a table would only have its header. */
export function showNothingFound(message: string): void {
  process.stderr.write(`${message}\n`)
}

/** One object, as `showInstallSet` prints each. */
export function formatObject(object: KubernetesObject, format: OutputFormat): string {
  return format === 'json' ? writeJson(object) : writeYaml([object])
}

/** Writes the result to stdout and waits until it is written. */
export async function show(text: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, error => {
      if (error === null || error === undefined) resolve()
      else reject(error)
    })
  })
}
