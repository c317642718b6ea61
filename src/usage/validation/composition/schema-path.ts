import {
  additionalOf,
  EMBEDDED,
  INT_OR_STRING,
  itemsOf,
  PRESERVE,
  propertyOf,
  type Schema,
} from '../../../crd/schema-node.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import {OBJECT_META} from '../object-meta.js'

/** A step of a path of a patch: the name of a field, an index, or `[*]` for all items. */
export type PathStep = string | number

/** Why a path is malformed. */
interface Malformed {
  readonly error: string
}

/** Reads a path as Crossplane does, such as `spec.list[0].name` or `metadata.labels[a.b/c]`; returns why it is malformed. */
export function parsePath(path: string): readonly PathStep[] | Malformed {
  const steps: PathStep[] = []
  let at = 0
  while (at < path.length) {
    const next = nextStep(path, at)
    if ('error' in next) return next
    steps.push(next.step)
    at = next.end
  }
  return steps
}

function nextStep(path: string, start: number): PlacedStep | Malformed {
  if (path[start] !== '.') return stepAt(path, start)
  const isField = start > 0 && /[^.[\]]/.test(path[start + 1] ?? '')
  return isField ? stepAt(path, start + 1) : malformed('.', start)
}

/** A step, and the position after it. */
interface PlacedStep {
  readonly step: PathStep
  readonly end: number
}

function stepAt(path: string, at: number): PlacedStep | Malformed {
  if (path[at] === ']') return malformed(']', at)
  if (path[at] !== '[') {
    const [step = ''] = /^[^.[\]]+/.exec(path.slice(at)) ?? []
    return {step: unquoted(step), end: at + step.length}
  }
  const end = path.indexOf(']', at)
  if (end < 0) return {error: `a [ at position ${at} is not closed`}
  if (end === at + 1) return malformed(']', end)
  const nested = path.indexOf('[', at + 1)
  if (nested >= 0 && nested < end) return malformed('[', nested)
  return {step: bracketed(path.slice(at + 1, end)), end: end + 1}
}

function malformed(character: string, at: number): Malformed {
  return {error: `unexpected ${character} at position ${at}`}
}

/** Crossplane reads an index before it strips quotes: a number in quotes is the name of a field, and so is one that is too large. */
function bracketed(quoted: string): PathStep {
  if (/^\d+$/.test(quoted) && Number(quoted) < INDEX_LIMIT) return Number(quoted)
  const text = unquoted(quoted)
  return text === '*' ? '[*]' : text
}

const INDEX_LIMIT = 2 ** 32

function unquoted(text: string): string {
  return text.replaceAll(/^['"]+|['"]+$/g, '')
}

/** The schema of a path; undefined where any value is possible; or why no value can be there. */
export type PathSchema = {readonly schema: Schema | undefined} | {readonly error: string}

/** Follows a path through the schema of a kind. */
export function schemaAtPath(root: Schema, steps: readonly PathStep[]): PathSchema {
  let node: Schema | undefined = withMeta(root)
  for (const [index, step] of steps.entries()) {
    if (node === undefined) return {schema: undefined}
    const next = below(node, step)
    if ('error' in next) return {error: `${pathText(steps.slice(0, index + 1))} ${next.error}`}
    node = next.schema === undefined || next.schema[EMBEDDED] !== true ? next.schema : withMeta(next.schema)
  }
  return {schema: node}
}

function withMeta(schema: Schema): Schema {
  const own = {apiVersion: {type: 'string'}, kind: {type: 'string'}, metadata: OBJECT_META}
  return {...schema, properties: {...asObject(schema.properties), ...own}}
}

function below(node: Schema, step: PathStep): PathSchema {
  const type = asText(node.type)
  if (node[INT_OR_STRING] === true || ['string', 'integer', 'number', 'boolean'].includes(type))
    return {error: 'is within a value that is not an object'}
  if (type === '') return {schema: undefined}
  const isIndex = typeof step === 'number' || step === '[*]'
  if (type === 'array') {
    if (!isIndex) return {error: 'is a field of a list: write the index in brackets'}
    return {schema: itemsOf(node)}
  }
  if (typeof step === 'number') return {error: 'is an index of an object'}
  return fieldOf(node, step)
}

function fieldOf(node: Schema, name: string): PathSchema {
  const {additionalProperties} = node
  const own = propertyOf(node, name)
  if (own !== undefined) return {schema: own}
  const additional = additionalOf(node)
  if (additional !== undefined) return {schema: additional}
  if (additionalProperties === true || node[PRESERVE] === true) return {schema: undefined}
  return name === '[*]' ? {error: 'has no items'} : {error: 'does not exist'}
}

/** Formats a path. */
export function pathText(steps: readonly PathStep[]): string {
  return steps.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (step === '[*]') return `${text}${step}`
    return /[.[\]]/.test(step) ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`
  }, '')
}
