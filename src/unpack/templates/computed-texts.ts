import {CrossplaneError} from '../../errors.js'
import {isJsonObject, type JsonValue} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import type {PackageFile} from '../package-file.js'

/** Lists the texts that a field with actions can print, as far as the texts of the templates say. */
export type ComputedTexts = (value: string, file: string) => readonly string[]

/** Named templates within named templates are followed this deep, and an expression has at most so many texts. */
const LIMITS = {depth: 8, texts: 50} as const

/** Reads what the expressions of a chart can refer to: its named templates, and the default values of its charts. */
export function computedTexts(files: readonly PackageFile[]): ComputedTexts {
  const texts: Texts = {defines: defines(files), defaults: defaults(files)}
  return (value, file) => [...new Set(textsOf(value, file, texts, 0))].slice(0, LIMITS.texts)
}

interface Texts {
  readonly defines: ReadonlyMap<string, string>
  /** The values of a chart, by the folder of the chart. */
  readonly defaults: (folder: string) => JsonValue
}

const DEFINE = /\{\{-?\s*define\s+"([^"]+)"\s*-?\}\}/g
const ACTION = /\{\{-?\s*([^]*?)\s*-?\}\}/g
const CONTROL = /^(?:if|else|end|with|range|define|block|break|continue|\/\*|\$\w*\s*:?=)/
/** A text in quotes, a field of the values, or the name of a named template. */
const OPERAND = /\b(?:include|template)\s+"([^"]+)"|"((?:[^"\\]|\\.)*)"|`([^`]*)`|\.Values((?:\.\w+)+)/g

/** The body of a named template ends where the next begins: what stands between them belongs to none. */
function defines(files: readonly PackageFile[]): ReadonlyMap<string, string> {
  const bodies = new Map<string, string>()
  for (const {path, bytes} of files) {
    if (!path.includes('templates/')) continue
    const text = new TextDecoder().decode(bytes)
    const starts = [...text.matchAll(DEFINE)]
    for (const [index, match] of starts.entries()) {
      const end = starts[index + 1]?.index ?? text.length
      bodies.set(match[1] ?? '', text.slice(match.index + match[0].length, end))
    }
  }
  return bodies
}

function defaults(files: readonly PackageFile[]): Texts['defaults'] {
  const read = new Map<string, JsonValue>()
  return folder => {
    const before = read.get(folder)
    if (before !== undefined) return before
    const value = valuesOf(files.find(({path}) => path === `${folder}values.yaml`))
    read.set(folder, value)
    return value
  }
}

/** Rendering reports values that cannot be read. */
function valuesOf(file: PackageFile | undefined): JsonValue {
  try {
    return file === undefined ? {} : (readYaml(file.bytes, file.path)[0]?.value ?? {})
  } catch (error) {
    if (error instanceof CrossplaneError) return {}
    throw error
  }
}

/** Words outside of actions, which conditions may choose from, and what the actions can print. */
function textsOf(value: string, file: string, texts: Texts, depth: number): readonly string[] {
  if (depth > LIMITS.depth) return []
  const actions = [...value.matchAll(ACTION)].map(([, action = '']) => action)
  const printing = actions.filter(action => !CONTROL.test(action))
  const printed = printing.flatMap(action => operandsOf(action, file, texts, depth))
  const plain = value.replace(ACTION, '\n').replace(/\s#.*$/, '')
  const [, before = '', after = ''] = /^\s*["']?(\S*?)\{\{[^]*\}\}([^\s"']*)["']?\s*$/.exec(value) ?? []
  const isPart = actions.length === 1 && printing.length === 1 && before + after !== ''
  if (isPart) return printed.map(text => `${before}${text}${after}`)
  return [
    ...plain
      .split(/\s+/)
      .map(unquoted)
      .filter(text => text !== ''),
    ...printed,
  ]
}

function unquoted(text: string): string {
  return /^(["'])(.*)\1$/.exec(text)?.[2] ?? text
}

function operandsOf(action: string, file: string, texts: Texts, depth: number): readonly string[] {
  return [...action.matchAll(OPERAND)].flatMap(([, name, quoted, raw, path]) => {
    if (name !== undefined) return textsOf(texts.defines.get(name) ?? '', file, texts, depth + 1)
    if (path === undefined) return [quoted ?? raw ?? '']
    const value = path
      .split('.')
      .slice(1)
      .reduce<JsonValue>(fieldOf, texts.defaults(chartFolder(file)))
    return typeof value === 'string' ? [value] : []
  })
}

function fieldOf(value: JsonValue, name: string): JsonValue {
  return isJsonObject(value) ? (value[name] ?? null) : null
}

function chartFolder(file: string): string {
  return /^((?:charts\/[^/]+\/)*)/.exec(file)?.[1] ?? ''
}
