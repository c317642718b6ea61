import {grouped} from 'kubectl-crossplane/plugin'
import type {Engine, TemplateFacts} from '../engines/engine.js'
import type {TemplateLine} from '../objects/template-object.js'
import type {Templates} from '../render-resource.js'
import {templateFacts} from '../template-facts.js'

/** The fields of custom resources that templates read, as their texts say. */
export interface ReadFields {
  /** Lists the fields that a line reads, such as `spec.size`. */
  at(line: TemplateLine | undefined): readonly string[]
  /** Reports whether any template reads a field, a part of it, or all of a map around it, or may read it by a computed name. */
  has(field: string): boolean
}

/** Reads the facts of templates; a kustomization has none. */
export async function readFields(templates: Templates, engine: Engine): Promise<ReadFields> {
  return fieldsReadBy(await templateFacts(templates, engine), templates)
}

/** The same from facts that were read before. */
export function fieldsReadBy(
  facts: Pick<TemplateFacts, 'templates' | 'chart'>,
  {behavior, files}: Templates,
): ReadFields {
  const prefix = behavior.engine.type === 'helm3' ? `${behavior.source.path}/` : ''
  return fieldsIn(facts, [...files.values()], prefix)
}

function fieldsIn(
  {templates, chart}: Pick<TemplateFacts, 'templates' | 'chart'>,
  texts: readonly Uint8Array[],
  prefix: string,
): ReadFields {
  const isDynamic = templates.some(({dynamic}) => dynamic)
  const all = templates.flatMap(({path, reads}) =>
    reads.flatMap(({field: [first, ...rest], line, whole}) => {
      const root = first === 'Values' ? 'spec' : first
      return root === undefined
        ? []
        : [{file: `${prefix}${path}`, line, whole, field: [root, ...rest].join('.')}]
    }),
  )
  const ofSpec = all.filter(({field}) => field.startsWith('spec.'))
  const byLine = grouped(ofSpec, placeKey)
  const ofChart = (chart?.reads ?? []).map(path => ['spec', ...path].join('.'))
  const read = new Set([...all.map(({field}) => field), ...ofChart].flatMap(fieldsAround))
  const whole = new Set([...all.flatMap(each => (each.whole ? [each.field] : [])), ...ofChart])
  const mentioned = new Map<string, boolean>()
  const isMentionedOnce = (name: string) => {
    const known = mentioned.get(name) ?? isMentioned(name, texts)
    mentioned.set(name, known)
    return known
  }
  return {
    at: place => (place === undefined ? [] : (byLine.get(placeKey(place)) ?? []).map(({field}) => field)),
    has: field =>
      (isDynamic && isMentionedOnce(field.slice(field.lastIndexOf('.') + 1))) ||
      read.has(field) ||
      fieldsAround(field).some(each => whole.has(each)),
  }
}

function placeKey({file, line}: TemplateLine): string {
  return `${line} ${file}`
}

/** The field itself and all that it is in: `a.b.c`, `a.b`, `a`. */
function fieldsAround(field: string): readonly string[] {
  const dots = [...field.matchAll(/\./g)].map(({index}) => field.slice(0, index))
  return [...dots, field]
}

/** Reports whether a text has the name of a field; not more than that is known of computed names. */
function isMentioned(name: string, texts: readonly Uint8Array[]): boolean {
  return texts.some(bytes => Buffer.from(bytes).includes(name))
}
