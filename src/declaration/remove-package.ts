import {CrossplaneError} from '../errors.js'
import {present} from '../present.js'
import {listNames} from '../text.js'
import {jsonEqual} from '../yaml/json-equal.js'
import {asObject, asTexts, type JsonObject} from '../yaml/json-value.js'
import {readYaml} from '../yaml/read-yaml.js'
import {writeYaml} from '../yaml/write-yaml.js'
import {ownEntries, withOwnEntry} from './add-package.js'
import type {Declaration, DeclaredPackage} from './declaration.js'
import {type BaseEntry, baseIn, isSameSubject, removalOf} from './declared-base.js'
import {type DeclarationFile, isDeclaration, textOf} from './edit-declaration.js'
import {entryLines} from './entry-lines.js'
import {linesOf} from './lines-of.js'
import {readDeclaration} from './read-declaration.js'

/**
 * Returns the text of a declaration in which an entry has a mark; every other character stays. Throws `input-invalid`
 * for an entry that is not in block style. An entry of the base is replaced by one of the declaration.
 */
export function withMark(file: DeclarationFile, index: number, mark: 'draining' | 'crdsOnly'): string {
  const ofBase = entryOfBase(file, index)
  if (ofBase !== undefined) return withOwnEntry(file, {...ofBase, [mark]: true}, at => at === index)
  const {lines, last, indent, lineBreak} = entryLines(file, index)
  const before = ended(lines.slice(0, last), lineBreak)
  const text = `${before}${indent}  ${mark}: true${lineBreak}${lines.slice(last).join('')}`
  const declaration = readDeclaration(file.name, file.bytes)
  const packages = declaration.packages.map((declaredPackage, at) =>
    at === index ? {...declaredPackage, [mark]: true} : declaredPackage,
  )
  return expected(text, {...declaration, packages}, file, index)
}

/**
 * Returns the text of a declaration in which an entry has no mark; every other character stays. Throws `input-invalid` for
 * an entry that is not in block style.
 */
export function withoutMarks(file: DeclarationFile, index: number): string {
  const ofBase = entryOfBase(file, index)
  if (ofBase !== undefined) {
    const {draining: _draining, crdsOnly: _crdsOnly, ...rest} = ofBase
    return withOwnEntry(file, rest, at => at === index)
  }
  const {lines, first, last} = entryLines(file, index)
  const isMark = (line: string) => /^ +(?:draining|crdsOnly): *true[ \t]*(?:#.*)?[\r\n]*$/.test(line)
  const kept = lines.filter((line, at) => at < first || at >= last || !isMark(line))
  const declaration = readDeclaration(file.name, file.bytes)
  const packages = declaration.packages.map((declaredPackage, at) => {
    const {draining: _draining, crdsOnly: _crdsOnly, ...rest} = declaredPackage
    return at === index ? rest : declaredPackage
  })
  return expected(kept.join(''), {...declaration, packages}, file, index)
}

/**
 * Returns the text of a declaration without an entry and its lines; without the only one, its packages are `[]`. An entry that
 * the base has is removed as well. Throws `input-invalid` for an entry that is not in block style.
 */
export function withoutPackage(file: DeclarationFile, index: number): string {
  const declaration = readDeclaration(file.name, file.bytes)
  const own = ownEntries(file)
  const left = declaration.packages.filter((_, at) => at !== index)
  const leftOwn = left.slice(0, index < own ? own - 1 : own)
  const ofBase = appearing(file, declaration.packages[index], leftOwn)
  if (ofBase.length > 1 && index >= own) throw severalInBase(file, ofBase)
  const text = index < own ? withoutLines(file, index, own) : textOf(file.bytes)
  const [entry] = ofBase.length === 1 || index < own ? ofBase : []
  const edited =
    entry === undefined ? text : withRemoval({...file, bytes: Buffer.from(text)}, removalOf(entry.value))
  return expected(edited, {...declaration, packages: left}, file, index)
}

/** The entries of the base that apply once an entry is gone. */
function appearing(
  {name, bytes}: DeclarationFile,
  removed: DeclaredPackage | undefined,
  own: readonly DeclaredPackage[],
): readonly BaseEntry[] {
  if (removed === undefined) return []
  const value = readYaml(bytes, name)[0]?.value
  const isSame = (entry: JsonObject) => isSameSubject(entry, subjectOf(removed), value)
  const all = (baseIn(value)?.entries ?? []).filter(entry => isSame(entry.value))
  return own.map(subjectOf).some(isSame) ? [] : all
}

function subjectOf({package: reference, crd}: DeclaredPackage): JsonObject {
  return present({package: reference, crd})
}

function withoutLines(file: DeclarationFile, index: number, own: number): string {
  const {lines, first, last} = entryLines(file, index)
  const before = lines.slice(0, first - 1)
  return [...(own === 1 ? emptied(before) : before), ...lines.slice(last)].join('')
}

/** Adds to `remove`, or adds it below `extends`. */
function withRemoval(file: DeclarationFile, name: string): string {
  const lines = linesOf(textOf(file.bytes))
  const document = readYaml(file.bytes, file.name)[0]
  const {remove} = asObject(document?.value)
  const path = remove === undefined ? ['extends'] : ['remove', asTexts(remove).length - 1]
  const at = document?.lineOf(path) ?? 1
  const indent = remove === undefined ? '' : /^( *)- /.exec(lines[at - 1] ?? '')?.[1]
  if (indent === undefined) throw notInLines(file, name)
  const lineBreak = breakIn(lines)
  const head = remove === undefined ? `remove:${lineBreak}` : ''
  const added = `${head}${indent}- ${writeYaml([name]).trimEnd()}${lineBreak}`
  return [ended(lines.slice(0, at), lineBreak), added, ...lines.slice(at)].join('')
}

/** The last line of a file can be without a line break. */
function ended(lines: readonly string[], lineBreak: string): string {
  const text = lines.join('')
  return /[\r\n]$/.test(text) ? text : `${text}${lineBreak}`
}

function breakIn(lines: readonly string[]): string {
  return /\r\n|\r|\n/.exec(lines.join(''))?.[0] ?? '\n'
}

function notInLines({name}: DeclarationFile, removal: string): CrossplaneError {
  return new CrossplaneError(
    'input-invalid',
    `cannot edit the declaration ${name}: remove is not in block style`,
    {
      suggestions: [`Add ${removal} to remove in ${name} by hand.`],
    },
  )
}

function severalInBase({name}: DeclarationFile, entries: readonly BaseEntry[]): CrossplaneError {
  const message = 'its base has several entries of the package, which can only be removed together'
  return new CrossplaneError('input-invalid', `cannot edit the declaration ${name}: ${message}`, {
    diagnostics: entries.map(({file, line}) => ({
      severity: 'error',
      rule: 'declaration-edit',
      message,
      file,
      line,
    })),
    suggestions: [`Add the package to remove in ${name}, and the entries that stay to packages, by hand.`],
  })
}

function entryOfBase(file: DeclarationFile, index: number): DeclaredPackage | undefined {
  return index < ownEntries(file) ? undefined : readDeclaration(file.name, file.bytes).packages[index]
}

/**
 * Returns the text of a declaration without settings and their lines; every other character stays. Throws `input-invalid` for
 * settings that are not in block style.
 */
export function withoutFields(file: DeclarationFile, keys: readonly string[]): string {
  const document = readYaml(file.bytes, file.name)[0]
  const before = asObject(document?.value)
  const existing = keys.filter(key => key in before)
  const starts = new Set(existing.map(key => document?.lineOf([key])))
  let isRemoved = false
  const kept = linesOf(textOf(file.bytes)).filter((line, index) => {
    if (!/^(?:[ -]|[\r\n]*$)/.test(line)) isRemoved = starts.has(index + 1)
    return !isRemoved
  })
  const text = kept.join('')
  const after = Object.fromEntries(Object.entries(before).filter(([key]) => !existing.includes(key)))
  if (jsonEqual(readYaml(Buffer.from(text), file.name)[0]?.value ?? null, after)) return text
  const message = `${listNames(existing)} cannot be removed: they are not in block style`
  throw new CrossplaneError('input-invalid', `cannot edit the declaration ${file.name}: ${message}`, {
    suggestions: [`Remove ${listNames(existing)} from ${file.name} by hand.`],
  })
}

/** Closes the list whose entries followed these lines. */
function emptied(lines: readonly string[]): readonly string[] {
  const key = lines.findLastIndex(line => /^\uFEFF?packages[ \t]*:/.test(line))
  return lines.map((line, index) => (index === key ? line.replace(/:/, ': []') : line))
}

function expected(text: string, desired: Declaration, file: DeclarationFile, index: number): string {
  if (isDeclaration(text, desired)) return text
  const line = index < ownEntries(file) ? entryLines(file, index).first : 1
  const message = 'the entry is not in block style, one field per line'
  throw new CrossplaneError('input-invalid', `cannot edit the declaration ${file.name}: ${message}`, {
    diagnostics: [
      {severity: 'error', rule: 'declaration-edit', message, file: file.name, line, field: 'packages'},
    ],
    suggestions: [`Edit line ${line} of ${file.name} by hand.`],
  })
}
