import {CrossplaneError} from '../../../errors.js'
import {quoted} from '../../../text.js'

/** A part of a template: text, the values at a path, or a body for each value at a path. */
type Part =
  | {readonly kind: 'text'; readonly text: string}
  | {readonly kind: 'values'; readonly steps: readonly Step[]}
  | {readonly kind: 'range'; readonly steps: readonly Step[]; readonly body: readonly Part[]}

/** The values below some values; `root` is the document. */
type Step = (values: readonly unknown[], root: unknown) => readonly unknown[]

/**
 * Compiles a template in kubectl's JSONPath dialect: https://kubernetes.io/docs/reference/kubectl/jsonpath/. It has
 * fields, `*`, indexes, slices, unions, `..`, filters that compare with a literal, and `{range}…{end}`; a missing field
 * has no value. Throws `usage`.
 */
export function compileJsonPath(template: string): (document: unknown) => string {
  const parts = parseTemplate(template)
  return document => formatParts(parts, document, document)
}

function formatParts(parts: readonly Part[], value: unknown, root: unknown): string {
  return parts.map(part => formatPart(part, value, root)).join('')
}

function formatPart(part: Part, value: unknown, root: unknown): string {
  if (part.kind === 'text') return part.text
  const values = follow(part.steps, value, root)
  if (part.kind === 'values') return values.map(formatValue).join(' ')
  return values.map(item => formatParts(part.body, item, root)).join('')
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? Number(part) : part))
}

function follow(steps: readonly Step[], value: unknown, root: unknown): readonly unknown[] {
  return steps.reduce<readonly unknown[]>((values, step) => step(values, root), [value])
}

/** Text outside of braces is printed unchanged. */
function parseTemplate(template: string): readonly Part[] {
  const open: {readonly steps: readonly Step[]; readonly body: Part[]}[] = [{steps: [], body: []}]
  const add = (part: Part) => open.at(-1)?.body.push(part)
  for (const {text, expression} of sections(template)) {
    if (expression === undefined) add({kind: 'text', text})
    else if (expression === 'end') {
      const closed = open.length > 1 ? open.pop() : undefined
      if (closed === undefined) throw invalid(template, '{end} without {range}')
      add({kind: 'range', ...closed})
    } else if (/^range\s/.test(expression)) {
      open.push({steps: parsePath(expression.slice('range'.length).trim(), template), body: []})
    } else add(parseExpression(expression, template))
  }
  if (open.length > 1) throw invalid(template, '{range} without {end}')
  return open[0]?.body ?? []
}

/** Divides a template into text outside of braces, and expressions within, in which braces can be quoted. */
function sections(template: string): {readonly text: string; readonly expression?: string}[] {
  const parts: {readonly text: string; readonly expression?: string}[] = []
  let rest = template
  while (rest !== '') {
    const [, text = '', expression] =
      /^([^{]*)(?:\{((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'}])*)\})?/s.exec(rest) ?? []
    const length = text.length + (expression === undefined ? 0 : expression.length + 2)
    if (length === 0) throw invalid(template, 'unclosed {')
    if (text !== '') parts.push({text})
    if (expression !== undefined) parts.push({text: '', expression: expression.trim()})
    rest = rest.slice(length)
  }
  return parts
}

function parseExpression(expression: string, template: string): Part {
  if (/^["']/.test(expression)) return {kind: 'text', text: unquoted(expression)}
  return {kind: 'values', steps: parsePath(expression, template)}
}

const FIELD = /^\.?([A-Za-z_][\w-]*(?:\\\.[\w-]+)*)/
const BRACKETS = /^\.?\[((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\]"'])*)\]/

function parsePath(text: string, template: string): readonly Step[] {
  const steps: Step[] = []
  let rest = text
  const start = /^[$@]/.exec(rest)
  if (start !== null) {
    rest = rest.slice(1)
    if (start[0] === '$') steps.push((_values, root) => [root])
  }
  while (rest !== '') {
    const [step, length] = parseStep(rest, template)
    steps.push(step)
    rest = rest.slice(length)
  }
  return steps
}

function parseStep(text: string, template: string): readonly [step: Step, length: number] {
  if (text === '.') return [values => values, 1]
  if (text.startsWith('..')) return descentStep(text)
  if (/^\.?\*/.test(text)) return [ofEach(children), text.indexOf('*') + 1]
  const name = FIELD.exec(text)
  if (name !== null) return [ofEach(field(nameIn(name))), name[0].length]
  const [whole, inside = ''] = BRACKETS.exec(text) ?? []
  if (whole === undefined) throw invalid(template, `unrecognized ${quoted(text)}`)
  return [bracketStep(inside.trim(), template), whole.length]
}

/** `..name`, or `..` before brackets. */
function descentStep(text: string): readonly [step: Step, length: number] {
  const name = FIELD.exec(text.slice(1))
  if (name === null) return [ofEach(descendants), 2]
  return [ofEach(value => descendants(value).flatMap(field(nameIn(name)))), 1 + name[0].length]
}

function nameIn([, name = '']: RegExpExecArray): string {
  return name.replaceAll('\\.', '.')
}

function bracketStep(inside: string, template: string): Step {
  if (inside === '*') return ofEach(children)
  const filter = /^\?\((.*)\)$/s.exec(inside)?.[1]
  if (filter !== undefined) return filterStep(filter.trim(), template)
  const union = inside
    .split(/,(?=(?:[^"']|"[^"]*"|'[^']*')*$)/)
    .map(text => memberStep(text.trim(), template))
  return values => union.flatMap(member => values.flatMap(member))
}

function memberStep(member: string, template: string): (value: unknown) => readonly unknown[] {
  if (/^["']/.test(member)) return field(unquoted(member))
  const slice = /^(-?\d+)?(?::(-?\d+)?)?(?::(\d+))?$/.exec(member)
  if (slice === null || member === '') throw invalid(template, `unrecognized ${quoted(member)}`)
  const [, from, to, by] = slice
  if (!member.includes(':')) return value => [elements(value).at(Number(from))].filter(isPresent)
  const range = [from, to].map(bound => (bound === undefined ? undefined : Number(bound)))
  return value =>
    elements(value)
      .slice(...range)
      .filter((_, index) => index % Number(by ?? 1) === 0)
}

const COMPARE: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => Number(a) < Number(b),
  '<=': (a, b) => Number(a) <= Number(b),
  '>': (a, b) => Number(a) > Number(b),
  '>=': (a, b) => Number(a) >= Number(b),
}

/** `@.field` is true where it has a value; a comparison is with a literal. */
function filterStep(filter: string, template: string): Step {
  const [, path = '', operator, literal = ''] =
    /^(@[^=!<>\s]*)\s*(?:(==|!=|<=|>=|<|>)\s*(.+))?$/s.exec(filter) ?? []
  const steps = parsePath(path, template)
  if (path === '') throw invalid(template, `unrecognized filter ${quoted(filter)}`)
  const expected = operator === undefined ? undefined : literalIn(literal.trim(), template)
  const holds = (values: readonly unknown[]) =>
    operator === undefined
      ? values.length > 0
      : values.some(value => COMPARE[operator]?.(value, expected) === true)
  return (values, root) => values.flatMap(children).filter(child => holds(follow(steps, child, root)))
}

function literalIn(text: string, template: string): unknown {
  if (/^["']/.test(text)) return unquoted(text)
  if (/^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text)) return JSON.parse(text)
  throw invalid(template, `unrecognized ${quoted(text)}`)
}

function unquoted(text: string): string {
  const inside = text.slice(1, -1)
  return inside.replace(/\\(.)/gs, (_whole, character: string) => ESCAPES[character] ?? character)
}

const ESCAPES: Readonly<Record<string, string>> = {n: '\n', t: '\t', r: '\r'}

function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

function ofEach(below: (value: unknown) => readonly unknown[]): Step {
  return values => values.flatMap(below)
}

function field(name: string): (value: unknown) => readonly unknown[] {
  return value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return []
    return [(value as Readonly<Record<string, unknown>>)[name]].filter(isPresent)
  }
}

function children(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).filter(isPresent) : []
}

function descendants(value: unknown): readonly unknown[] {
  return [value, ...children(value).flatMap(descendants)]
}

function isPresent(value: unknown): boolean {
  return value !== undefined
}

function invalid(template: string, reason: string): CrossplaneError {
  return new CrossplaneError('usage', `invalid JSONPath ${quoted(template)}: ${reason}`, {
    suggestions: [`Write a template of kubectl, such as -o jsonpath='{.packages[*].package}'.`],
  })
}
