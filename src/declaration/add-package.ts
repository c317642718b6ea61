import {API_VERSION} from '../api-version.js'
import {CrossplaneError} from '../errors.js'
import {present} from '../present.js'
import {asObject, asObjects, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {readYaml} from '../yaml/read-yaml.js'
import {writeYaml} from '../yaml/write-yaml.js'
import type {Declaration, DeclaredPackage} from './declaration.js'
import {isSameSubject, remainingEntries} from './declared-base.js'
import {type DeclarationFile, isDeclaration} from './edit-declaration.js'
import {type EntryLines, entryLines} from './entry-lines.js'
import {DECLARATION_KIND, readDeclaration} from './read-declaration.js'

/** Returns the text of a new declaration with one entry. */
export function newDeclaration(entry: DeclaredPackage): string {
  return declarationText([entry])
}

/** Returns the text of a new declaration with several entries. */
export function declarationText(
  entries: readonly DeclaredPackage[],
  settings: Partial<Pick<Declaration, 'coreVersion' | 'registries' | 'xpkg'>> = {},
): string {
  const head = `apiVersion: ${API_VERSION}\nkind: ${DECLARATION_KIND}\n`
  const {coreVersion, registries, xpkg} = settings
  const fields = Object.entries<JsonValue | undefined>({coreVersion, registries, xpkg: xpkg as JsonObject})
  const lines = fields.flatMap(([key, value]) => (value === undefined ? [] : [writeYaml([{[key]: value}])]))
  return `${head}${lines.join('')}packages:\n${entries.map(entryText).join('')}`
}

/**
 * Returns the text of a declaration with one more entry after the others; every other character stays. Throws
 * `input-invalid` where that cannot be done by adding lines, as in a list in brackets.
 */
export function withPackage(file: DeclarationFile, entry: DeclaredPackage): string {
  return withOwnEntry(file, entry, () => false)
}

/**
 * Returns the text of a declaration with one more entry of its own, which takes the place of entries of its base. Throws as
 * `withPackage` does, and where the entry would take the place of others as well.
 */
export function withOwnEntry(
  file: DeclarationFile,
  entry: DeclaredPackage,
  isReplaced: (index: number) => boolean,
): string {
  const declaration = readDeclaration(file.name, file.bytes)
  const own = ownEntries(file)
  const others = declaration.packages.slice(own).filter((_, at) => !isReplaced(own + at))
  const packages = [...declaration.packages.slice(0, own), entry, ...others]
  const place = entryLines(file, Math.max(own - 1, 0))
  const texts = own === 0 ? [filled(place, entry)] : insertions(place, entry)
  const edited = texts.find(text => isDeclaration(text, {...declaration, packages}))
  if (edited !== undefined) return edited
  expectOneOfBase(file, entry, others.length)
  throw notAddable(file, place.first, entry)
}

/** The number of entries that are not of the base. */
export function ownEntries({name, bytes}: DeclarationFile): number {
  return asObjects(asObject(readYaml(bytes, name)[0]?.value).packages).length
}

/** An entry replaces all entries of its package that the base has. */
function expectOneOfBase(file: DeclarationFile, entry: DeclaredPackage, kept: number): void {
  const value = readYaml(file.bytes, file.name)[0]?.value
  const subject = present({package: entry.package, crd: entry.crd})
  const left = remainingEntries(value).filter(other => !isSameSubject(other.value, subject, value))
  const [first] = remainingEntries(value).filter(other => isSameSubject(other.value, subject, value))
  if (first === undefined || left.length === kept) return
  const name = entry.package ?? entry.crd ?? ''
  const message = `its base ${first.file} has another entry of the package, which an entry here replaces`
  throw new CrossplaneError('input-invalid', `cannot add ${name} to ${file.name}: ${message}`, {
    diagnostics: [{severity: 'error', rule: 'declaration-edit', message, file: first.file, line: first.line}],
    suggestions: [`Add ${name}, and the entries of the base for it, to packages in ${file.name} by hand.`],
  })
}

/** The text in which an empty list in brackets has the entry. */
function filled({lines, lineBreak}: EntryLines, entry: DeclaredPackage): string {
  const at = lines.findIndex(line => /^\uFEFF?packages[ \t]*:/.test(line))
  const opened = (lines[at] ?? '').replace(/:[ \t]*\[[ \t]*\]/, ':').trimEnd()
  const added = addedLines(entry, '', lineBreak)
  return [...lines.slice(0, at), `${opened}${lineBreak}`, added, ...lines.slice(at + 1)].join('')
}

function addedLines(entry: DeclaredPackage, indent: string, lineBreak: string): string {
  const lines = entryText(entry).trimEnd().split('\n')
  return lines.map(line => `${indent}${line}${lineBreak}`).join('')
}

/** More lines than an entry has; each is tried by reading the whole file. */
const MAX_INSERTIONS = 60

/**
 * The texts with the entry inserted after a line of the last one: first after its last line, whose comments are then
 * still its own.
 */
function insertions(place: EntryLines, entry: DeclaredPackage): readonly string[] {
  const {lines, first, last, indent, lineBreak} = place
  const added = addedLines(entry, indent, lineBreak)
  const others = lines.map((_, index) => index + 1).filter(line => line >= first && line !== last)
  return [last, ...others.slice(0, MAX_INSERTIONS)].map(at => {
    const before = lines.slice(0, at).join('')
    const isEnded = /[\r\n]$/.test(before)
    return `${before}${isEnded ? '' : lineBreak}${added}${lines.slice(at).join('')}`
  })
}

/** An entry as an item of a YAML list, with its fields in the order in which users write them. */
function entryText(entry: DeclaredPackage): string {
  const {runtime} = entry
  const fields = Object.entries<JsonValue | undefined>({
    ...textsOf(entry),
    parameters: parametersOf(entry),
    runtime: runtime as JsonObject | undefined,
  })
  const lines = fields
    .flatMap(([key, value]) => (value === undefined ? [] : [writeYaml([{[key]: value}])]))
    .join('')
    .trimEnd()
    .split('\n')
  return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line}\n`).join('')
}

function textsOf({package: reference, crd, version, namespace, name, pin, ...marks}: DeclaredPackage) {
  return {
    package: reference,
    crd,
    version,
    namespace,
    name,
    pin,
    draining: marks.draining,
    crdsOnly: marks.crdsOnly,
  }
}

/** The parameters with a value; none without any. */
function parametersOf({parameters}: DeclaredPackage): JsonObject | undefined {
  const {imagePullSecrets, serviceAccountAnnotations, ...values} = parameters
  const entry: JsonObject = {
    ...present(values),
    ...(imagePullSecrets.length === 0 ? {} : {imagePullSecrets}),
    ...(Object.keys(serviceAccountAnnotations).length === 0 ? {} : {serviceAccountAnnotations}),
  }
  return Object.keys(entry).length === 0 ? undefined : entry
}

function notAddable({name}: DeclarationFile, line: number, entry: DeclaredPackage): CrossplaneError {
  const message = 'an entry can only be added to packages in block style, one entry per line'
  return new CrossplaneError('input-invalid', `cannot edit the declaration ${name}: ${message}`, {
    diagnostics: [
      {severity: 'error', rule: 'declaration-edit', message, file: name, line, field: 'packages'},
    ],
    suggestions: [`Add ${entry.package ?? entry.crd ?? ''} to packages in ${name} by hand.`],
  })
}
