import {CrossplaneError} from '../errors.js'
import {formatImageName, isDigest, parseImageName} from '../reference/image-name.js'
import type {XpkgPin} from '../xpkg/pins.js'
import {present} from '../present.js'
import {readYaml} from '../yaml/read-yaml.js'
import type {DeclaredPackage} from './declaration.js'
import {ownEntries, withOwnEntry} from './add-package.js'
import {remainingEntries} from './declared-base.js'
import {type DeclarationFile, isDeclaration, textOf} from './edit-declaration.js'
import {linesOf} from './lines-of.js'
import {readDeclaration} from './read-declaration.js'

/**
 * Returns the text of a declaration in which the package of an entry has another tag or digest, in place of tag and digest; every other character stays. Throws
 * `input-invalid` with the line where that cannot be done by replacing the reference: for aliases, escapes, block
 * scalars and a reference on a different line than its key. An entry of the base is replaced by one of the declaration.
 * @param pin - in place of the one of the entry.
 */
export function withTag(file: DeclarationFile, index: number, version: string, pin?: XpkgPin): string {
  const declaration = readDeclaration(file.name, file.bytes)
  const entry = declaration.packages[index]
  const before = entry?.package ?? ''
  const {digest: _digest, tag: _tag, ...name} = parseImageName(before) ?? {path: before}
  const after = formatImageName({...name, ...(isDigest(version) ? {digest: version} : {tag: version})})
  if (entry !== undefined && index >= ownEntries(file))
    return withOwnEntry(file, {...entry, package: after, ...present({pin})}, at => at === index)
  const isEdited = (text: string, fields: Partial<DeclaredPackage>) =>
    isDeclaration(text, {
      ...declaration,
      packages: declaration.packages.map((own, at) => (at === index ? {...own, ...fields} : own)),
    })
  const {line} = entryPlace(file, index)
  const moved = replacements(file, line, {before, after}).filter(text => isEdited(text, {package: after}))
  const [first] = moved
  if (first === undefined) throw notEditable(file, line, ONLY_PLAIN, afterText(after, pin))
  if (pin === undefined) return first
  const pinned = moved.flatMap(text => pinnedTexts(text, line, {after, pin, own: entry?.pin}))
  const edited = pinned.find(text => isEdited(text, {package: after, pin}))
  if (edited === undefined) throw notEditable(file, line, notPinnable(pin), afterText(after, pin))
  return edited
}

const ONLY_PLAIN = 'only a reference in plain text or in quotes, on the line of its key, can be edited'

function notPinnable(pin: XpkgPin): string {
  return `the entry cannot get pin: ${pin}, by which the content of its tag stays fixed`
}

function afterText(reference: string, pin: XpkgPin | undefined): string {
  return pin === undefined ? reference : `${reference}, with pin: ${pin}`
}

/** The texts in which the entry of a line may get a pin: in place of its own, on a line below the package, or beside it. */
function pinnedTexts(
  text: string,
  line: number,
  {after, pin, own}: {readonly after: string; readonly pin: XpkgPin; readonly own: XpkgPin | undefined},
): readonly string[] {
  if (own !== undefined) return replacedPins(text, line, own, pin)
  const lines = linesOf(text)
  const at = line - 1
  const ownLine = lines[at] ?? ''
  const [, indent = ''] = /^([ \t]*(?:-[ \t]+)?)/.exec(ownLine) ?? []
  const [end = '\n'] = /\r?\n$/.exec(ownLine) ?? []
  const below = `${ownLine.replace(/\r?\n$/, '')}${end}${indent.replace('-', ' ')}pin: ${pin}${end}`
  const [, key = ''] = /(["'])package\1/.exec(ownLine) ?? []
  const beside = ['', '"', "'"].map(quote =>
    ownLine.replace(`${after}${quote}`, `$&, ${key}pin${key}: ${key}${pin}${key}`),
  )
  return [below, ...beside].map(edited => lines.with(at, edited).join(''))
}

/** The texts in which one of the pins that are the nearest to a line is another one. */
function replacedPins(text: string, line: number, own: XpkgPin, pin: XpkgPin): readonly string[] {
  const {start} = rangeOfLine(text, line)
  return [...text.matchAll(new RegExp(`(\\bpin["']? *: *["']?)${own}\\b`, 'g'))]
    .sort((one, other) => Math.abs(one.index - start) - Math.abs(other.index - start))
    .slice(0, MAX_REPLACEMENTS)
    .map(
      ({0: whole, 1: key = '', index}) => text.slice(0, index) + key + pin + text.slice(index + whole.length),
    )
}

/** Where an entry names its package: in the file of a declaration, or in that of its base. */
export interface EntryPlace {
  readonly file: string
  readonly line: number
}

/** Returns where an entry of a declaration names its package. */
export function entryPlace({name, bytes}: DeclarationFile, index: number): EntryPlace {
  const document = readYaml(bytes, name)[0]
  const ofBase = remainingEntries(document?.value)[index - ownEntries({name, bytes})]
  if (ofBase !== undefined) return {file: ofBase.file, line: ofBase.line}
  return {file: name, line: document?.lineOf(['packages', index, 'package']) ?? 1}
}

/** In a line with more of them, a comment can make the search slow. */
const MAX_REPLACEMENTS = 8

/** The texts of a file in which one occurrence of a text within a line is replaced. */
function replacements(
  {bytes}: DeclarationFile,
  line: number,
  {before, after}: {readonly before: string; readonly after: string},
): readonly string[] {
  const text = textOf(bytes)
  const {start, end} = rangeOfLine(text, line)
  const edited: string[] = []
  for (let at = text.indexOf(before, start); at !== -1 && at < end; at = text.indexOf(before, at + 1)) {
    if (edited.length === MAX_REPLACEMENTS) break
    edited.push(text.slice(0, at) + after + text.slice(at + before.length))
  }
  return edited
}

/** The offsets of a line, counted from 1, with the line breaks of `sourceText`. */
function rangeOfLine(text: string, line: number): {readonly start: number; readonly end: number} {
  const breaks = [...text.matchAll(/\r\n?|\n/g)]
  const before = breaks[line - 2]
  return {
    start: before === undefined ? 0 : before.index + before[0].length,
    end: breaks[line - 1]?.index ?? text.length,
  }
}

function notEditable({name}: DeclarationFile, line: number, message: string, after: string): CrossplaneError {
  const field = 'package'
  return new CrossplaneError('input-invalid', `cannot edit the declaration ${name}: ${message}`, {
    diagnostics: [{severity: 'error', rule: 'declaration-edit', message, file: name, line, field}],
    suggestions: [`Edit line ${line} of ${name} by hand: ${after}`],
  })
}
