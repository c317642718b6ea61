import {CrossplaneError} from '../errors.js'
import {formatImageName, parseImageName} from '../reference/image-name.js'
import type {XpkgPin} from '../xpkg/pins.js'
import {present} from '../present.js'
import {readYaml} from '../yaml/read-yaml.js'
import {ownEntries, withOwnEntry} from './add-package.js'
import {remainingEntries} from './declared-base.js'
import {type DeclarationFile, isDeclaration, textOf} from './edit-declaration.js'
import {linesOf} from './lines-of.js'
import {readDeclaration} from './read-declaration.js'

/**
 * Returns the text of a declaration in which the package of an entry has another tag, in place of tag and digest; every other character stays. Throws
 * `input-invalid` with the line where that cannot be done by replacing the reference: for aliases, escapes, block
 * scalars and a reference on a different line than its key. An entry of the base is replaced by one of the declaration.
 * @param pin - in place of the one of the entry.
 */
export function withTag(file: DeclarationFile, index: number, tag: string, pin?: XpkgPin): string {
  const declaration = readDeclaration(file.name, file.bytes)
  const entry = declaration.packages[index]
  const before = entry?.package ?? ''
  const {digest: _digest, ...name} = parseImageName(before) ?? {path: before}
  const after = formatImageName({...name, tag})
  if (entry !== undefined && index >= ownEntries(file))
    return withOwnEntry(file, {...entry, package: after, ...present({pin})}, at => at === index)
  const packages = declaration.packages.map((declaredPackage, at) =>
    at === index ? {...declaredPackage, package: after, ...present({pin})} : declaredPackage,
  )
  const {line} = entryPlace(file, index)
  const texts = replacements(file, line, {before, after})
  const edited = (
    pin === undefined ? texts : texts.flatMap(text => pinnedTexts(text, line, {after, pin, own: entry?.pin}))
  ).find(text => isDeclaration(text, {...declaration, packages}))
  if (edited === undefined)
    throw notEditable(file, line, pin === undefined ? after : `${after}, with pin: ${pin}`)
  return edited
}

/** The texts in which the entry of a line may get a pin: in place of its own, on a line below the package, or beside it. */
function pinnedTexts(
  text: string,
  line: number,
  {after, pin, own}: {readonly after: string; readonly pin: XpkgPin; readonly own: XpkgPin | undefined},
): readonly string[] {
  const lines = linesOf(text)
  const at = line - 1
  const [, indent = ''] = /^([ \t]*(?:-[ \t]+)?)/.exec(lines[at] ?? '') ?? []
  const [end = '\n'] = /\r?\n$/.exec(lines[at] ?? '') ?? []
  const below = `${(lines[at] ?? '').replace(/\r?\n$/, '')}${end}${indent.replace('-', ' ')}pin: ${pin}${end}`
  const replaced = (index: number, other: string) => lines.with(index, other).join('')
  return [
    ...(own === undefined
      ? []
      : lines.flatMap((other, index) => {
          const edited = other.replace(new RegExp(`(\\bpin: *)${own}\\b`), `$1${pin}`)
          return edited === other ? [] : [replaced(index, edited)]
        })),
    replaced(at, below),
    replaced(
      at,
      (lines[at] ?? '').replace(after, () => `${after}, pin: ${pin}`),
    ),
  ]
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

function notEditable({name}: DeclarationFile, line: number, reference: string): CrossplaneError {
  const message = 'only a reference in plain text or in quotes, on the line of its key, can be edited'
  const field = 'package'
  return new CrossplaneError('input-invalid', `cannot edit the declaration ${name}: ${message}`, {
    diagnostics: [{severity: 'error', rule: 'declaration-edit', message, file: name, line, field}],
    suggestions: [`Edit line ${line} of ${name} by hand: ${reference}`],
  })
}
