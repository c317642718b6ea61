import {CrossplaneError} from '../errors.js'
import {listNames} from '../text.js'
import {jsonEqual} from '../yaml/json-equal.js'
import {asObject} from '../yaml/json-value.js'
import {readYaml} from '../yaml/read-yaml.js'
import type {Declaration} from './declaration.js'
import {type DeclarationFile, isDeclaration, textOf} from './edit-declaration.js'
import {entryLines} from './entry-lines.js'
import {linesOf} from './lines-of.js'
import {readDeclaration} from './read-declaration.js'

/**
 * Returns the text of a declaration in which an entry has a mark; every other character stays. Throws `input-invalid`
 * for an entry that is not in block style.
 */
export function withMark(file: DeclarationFile, index: number, mark: 'draining' | 'crdsOnly'): string {
  const {lines, last, indent, lineBreak} = entryLines(file, index)
  const before = lines.slice(0, last).join('')
  const ended = /[\r\n]$/.test(before) ? before : `${before}${lineBreak}`
  const text = `${ended}${indent}  ${mark}: true${lineBreak}${lines.slice(last).join('')}`
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
 * Returns the text of a declaration without an entry and its lines; without the only one, its packages are `[]`. Throws
 * `input-invalid` for an entry that is not in block style.
 */
export function withoutPackage(file: DeclarationFile, index: number): string {
  const {lines, first, last} = entryLines(file, index)
  const declaration = readDeclaration(file.name, file.bytes)
  const packages = declaration.packages.filter((_, at) => at !== index)
  const before = lines.slice(0, first - 1)
  const text = [...(packages.length === 0 ? emptied(before) : before), ...lines.slice(last)].join('')
  return expected(text, {...declaration, packages}, file, index)
}

/**
 * Returns the text of a declaration without settings and their lines; every other character stays. Throws `input-invalid` for
 * settings that are not in block style.
 */
export function withoutFields(file: DeclarationFile, keys: readonly string[]): string {
  const document = readYaml(file.bytes, file.name)[0]
  const before = asObject(document?.value)
  const present = keys.filter(key => key in before)
  const starts = new Set(present.map(key => document?.lineOf([key])))
  let isRemoved = false
  const kept = linesOf(textOf(file.bytes)).filter((line, index) => {
    if (!/^(?:[ -]|[\r\n]*$)/.test(line)) isRemoved = starts.has(index + 1)
    return !isRemoved
  })
  const text = kept.join('')
  const after = Object.fromEntries(Object.entries(before).filter(([key]) => !present.includes(key)))
  if (jsonEqual(readYaml(Buffer.from(text), file.name)[0]?.value ?? null, after)) return text
  const message = `${listNames(present)} cannot be removed: they are not in block style`
  throw new CrossplaneError('input-invalid', `cannot edit the declaration ${file.name}: ${message}`, {
    suggestions: [`Remove ${listNames(present)} from ${file.name} by hand.`],
  })
}

/** Closes the list whose entries followed these lines. */
function emptied(lines: readonly string[]): readonly string[] {
  const key = lines.findLastIndex(line => /^\uFEFF?packages[ \t]*:/.test(line))
  return lines.map((line, index) => (index === key ? line.replace(/:/, ': []') : line))
}

function expected(text: string, desired: Declaration, file: DeclarationFile, index: number): string {
  if (isDeclaration(text, desired)) return text
  const {first: line} = entryLines(file, index)
  const message = 'the entry is not in block style, one field per line'
  throw new CrossplaneError('input-invalid', `cannot edit the declaration ${file.name}: ${message}`, {
    diagnostics: [
      {severity: 'error', rule: 'declaration-edit', message, file: file.name, line, field: 'packages'},
    ],
    suggestions: [`Edit line ${line} of ${file.name} by hand.`],
  })
}
