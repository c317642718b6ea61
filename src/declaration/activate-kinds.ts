import {CrossplaneError} from '../errors.js'
import {compareText} from '../reference/compare-text.js'
import {asObject, asText, isJsonArray} from '../yaml/json-value.js'
import {readYaml, type YamlDocument} from '../yaml/read-yaml.js'
import {type DeclarationFile, isDeclaration, textOf} from './edit-declaration.js'
import {linesOf} from './lines-of.js'
import {readDeclaration} from './read-declaration.js'

/**
 * Returns the text of a declaration that activates exactly these names and patterns; every other character stays, and so do
 * comments and the order of those that it has. Throws `input-invalid` where `xpkg.activate` is not in plain lines.
 */
export function withActivated(file: DeclarationFile, names: readonly string[]): string {
  const declaration = readDeclaration(file.name, file.bytes)
  const text = textOf(file.bytes)
  const current = declaration.xpkg?.activate
  const list = typeof current === 'object' ? current : []
  const activate = merged(list, names)
  if (typeof current === 'object' && activate.join() === list.join()) return text
  const document = readYaml(file.bytes, file.name)[0]
  const edited = document === undefined ? [] : editedTexts(text, document, activate)
  const expected = {...declaration, xpkg: {...declaration.xpkg, activate}}
  const result = edited.find(one => isDeclaration(one, expected))
  if (result === undefined) throw notEditable(file, document, activate)
  return result
}

/** Keeps the order of what there is; a new name is before the first one that is greater. */
function merged(list: readonly string[], names: readonly string[]): readonly string[] {
  const result = [...new Set(list)].filter(name => names.includes(name))
  for (const name of [...new Set(names)].sort(compareText)) {
    if (result.includes(name)) continue
    const at = result.findIndex(other => compareText(other, name) > 0)
    result.splice(at < 0 ? result.length : at, 0, name)
  }
  return result
}

/** The ways in which the list can be written; which of them is right is known once it is read. */
function editedTexts(text: string, document: YamlDocument, activate: readonly string[]): readonly string[] {
  const lines = linesOf(text)
  const ending = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n'
  const block = (indent: string) => [
    `${indent}activate:${activate.length === 0 ? ' []' : ''}${ending}`,
    ...activate.map(name => itemLine(indent, name, ending)),
  ]
  const inserted = (at: number, added: readonly string[]) => {
    const before = lines.slice(0, at).join('')
    const gap = before === '' || /[\r\n]$/.test(before) ? '' : ending
    return [...[before, gap], ...added, ...lines.slice(at)].join('')
  }
  const {xpkg} = asObject(document.value)
  if (xpkg === undefined) {
    const at = Math.max(document.lineOf(['kind']), document.lineOf(['apiVersion']))
    return [inserted(at, [`xpkg:${ending}`, ...block('  ')])]
  }
  const {activate: current} = asObject(xpkg)
  if (current === undefined) {
    const at = document.lineOf(['xpkg'])
    return [inserted(at, block(/^ */.exec(lines[at] ?? '')?.[0] ?? '  '))]
  }
  const start = document.lineOf(['xpkg', 'activate']) - 1
  const items = isJsonArray(current)
    ? current.map((name, at) => ({name: asText(name), line: document.lineOf(['xpkg', 'activate', at]) - 1}))
    : []
  return [
    replacedValue(lines, start, activate, ending),
    replacedItems(lines, {start, items}, activate, ending),
  ]
}

/** Quotes patterns: a `*` at the start is an alias in YAML. */
function itemLine(indent: string, name: string, ending: string): string {
  return `${indent}- ${/^[a-z]/.test(name) ? name : `'${name}'`}${ending}`
}

const KEY = /^( *)(["']?activate["']? *:)/

/** A word, or a list in brackets, on the line of its key. */
function replacedValue(
  lines: readonly string[],
  start: number,
  activate: readonly string[],
  ending: string,
): string {
  const line = lines[start] ?? ''
  const [, indent = '', key = ''] = KEY.exec(line) ?? []
  const value = /^ *(?:\[[^\]#]*\]|["']?[a-z]+["']?)( *(?:#[^\r\n]*)?)[\r\n]*$/.exec(
    line.slice(indent.length + key.length),
  )
  if (key === '' || value === null) return ''
  const isFlow = /^ *\[ *[^\] ]/.test(line.slice(indent.length + key.length))
  const shown = activate.map(name => itemLine('', name, '').slice(2)).join(', ')
  const [own, items] =
    isFlow || activate.length === 0
      ? [` [${shown}]`, []]
      : ['', activate.map(name => itemLine(indent, name, ending))]
  const changed = `${indent}${key}${own}${(value[1] ?? '').trimEnd()}${ending}`
  return [...lines.slice(0, start), changed, ...items, ...lines.slice(start + 1)].join('')
}

interface ListedNames {
  readonly start: number
  readonly items: readonly {readonly name: string; readonly line: number}[]
}

/** One name per line: lines of names that stay keep their comments. */
function replacedItems(
  lines: readonly string[],
  {start, items}: ListedNames,
  activate: readonly string[],
  ending: string,
): string {
  const last = items.at(-1)?.line ?? start
  const indent = /^ */.exec(lines[items[0]?.line ?? -1] ?? '')?.[0] ?? ''
  const kept = items.filter(({name}) => activate.includes(name))
  /** The new names before one that stays, or at the end. */
  const newBefore = (name: string | undefined) => {
    const end = name === undefined ? activate.length : activate.indexOf(name)
    const from = activate.slice(0, end).findLastIndex(other => kept.some(one => one.name === other)) + 1
    return activate.slice(from, end).map(other => itemLine(indent, other, ending))
  }
  const between = lines.slice(start + 1, last + 1).flatMap((line, offset) => {
    const own = items.find(item => item.line === start + 1 + offset)
    if (own === undefined) return [ended(line, ending)]
    return kept.includes(own) ? [...newBefore(own.name), ended(line, ending)] : []
  })
  return [...lines.slice(0, start + 1), ...between, ...newBefore(undefined), ...lines.slice(last + 1)].join(
    '',
  )
}

function ended(line: string, ending: string): string {
  return /[\r\n]$/.test(line) ? line : `${line}${ending}`
}

function notEditable(
  {name}: DeclarationFile,
  document: YamlDocument | undefined,
  activate: readonly string[],
): CrossplaneError {
  const line = document?.lineOf(['xpkg', 'activate']) ?? 1
  const message = 'xpkg.activate is not a word, or a list of one name per line'
  return new CrossplaneError('input-invalid', `cannot edit the declaration ${name}: ${message}`, {
    diagnostics: [
      {severity: 'error', rule: 'declaration-edit', message, file: name, line, field: 'xpkg.activate'},
    ],
    suggestions: [`Set xpkg.activate in ${name} by hand: ${activate.join(', ')}`],
  })
}
