import {createHash} from 'node:crypto'
import {CrossplaneError} from '../../errors.js'
import {formatImageName, parseImageName} from '../../reference/image-name.js'
import {asText, type JsonObject} from '../../yaml/json-value.js'
import {compareText} from '../../reference/compare-text.js'
import type {DeclarationFile} from '../edit-declaration.js'

/** The folder beside a declaration without `packages` that has a file for each of its entries. */
export const ENTRIES_FOLDER = 'packages.d'

/** The endings of the declaration of an entry and of the lock of an install. */
export const ENTRY_ENDING = '.yaml'
export const LOCK_ENDING = '.lock'

/** A declaration that is in several files. */
export interface SplitDeclaration {
  /** The file with all settings. */
  readonly settings: DeclarationFile
  /** The files of entries; `entry` is the name of each without folders and ending. */
  readonly entries: readonly EntryFile[]
}

/** A declaration with all of its entries in one text, and the files that it is in, if these are several. */
export interface WholeDeclaration extends DeclarationFile {
  readonly split?: SplitDeclaration
}

/** A file in the folder of entries. */
export interface EntryFile extends DeclarationFile {
  readonly entry: string
}

/** Returns the names of entries among the names in their folder, sorted: those of files with one of the endings. */
export function entryNames(names: readonly string[], ending: string): readonly string[] {
  const entries = names.filter(name => !name.startsWith('.') && name.endsWith(ending))
  return entries.map(name => name.slice(0, -ending.length)).sort(compareText)
}

/** Reports whether a file in the folder of entries is one of the declaration or of its lock. */
export function isEntryFile(name: string): boolean {
  return !name.startsWith('.') && (name.endsWith(ENTRY_ENDING) || name.endsWith(LOCK_ENDING))
}

/** Explains a link in place of entries that are not read through it. Decision 0121 has the rule. */
export function linkedEntries(path: string, cause: string): CrossplaneError {
  return new CrossplaneError('input-invalid', `cannot read ${path}: it is a symbolic link ${cause}`, {
    suggestions: ['Replace the link by a copy of what it leads to.'],
  })
}

/** Returns the text by which an entry is the same in two versions of a declaration: not its tag, nor its settings. */
export function entryKey({package: reference, crd, namespace, name}: JsonObject): string {
  return JSON.stringify([repositoryOf(asText(reference)), crd ?? '', namespace ?? '', name ?? ''])
}

/** Returns a name for the file of a new entry: that of the install, if no other entry has it. */
export function newEntryName(entry: JsonObject, taken: ReadonlySet<string>): string {
  const {namespace, name, crd, package: reference} = entry
  const path = repositoryOf(asText(reference)).replace(/^(?=[^/]*[.:])[^/]*\//, '')
  const own = safeName(asText(name) || asText(crd) || path)
  const hash = createHash('sha256').update(entryKey(entry)).digest('hex').slice(0, 8)
  const names = [own, ...(namespace === undefined ? [] : [`${safeName(asText(namespace))}.${own}`])]
  return names.find(text => !taken.has(text)) ?? `${own}-${hash}`
}

function repositoryOf(reference: string): string {
  const image = parseImageName(reference)
  return image === undefined ? reference : formatImageName({...image, tag: undefined, digest: undefined})
}

const MAX_LENGTH = 150

function safeName(text: string): string {
  const safe = text.toLowerCase().replace(/[^a-z0-9.-]+/g, '-')
  return safe.slice(0, MAX_LENGTH).replace(/^[.-]+|[.-]+$/g, '') || 'package'
}
