import type {Engine, TemplateFacts} from '../engines/engine.js'
import type {TemplateLine} from '../objects/template-object.js'
import type {Templates} from '../render-resource.js'
import {templateFacts} from '../template-facts.js'
import {isWithin} from './spec-fields.js'

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
  const ofChart = (chart?.reads ?? []).map(path => ['spec', ...path].join('.'))
  return {
    at: place =>
      all
        .filter(
          ({file, line, field}) => file === place?.file && line === place.line && field.startsWith('spec.'),
        )
        .map(({field}) => field),
    has: field =>
      (isDynamic && isMentioned(field, texts)) ||
      ofChart.some(each => isWithin(each, field) || isWithin(field, each)) ||
      all.some(each => isWithin(each.field, field) || (each.whole && isWithin(field, each.field))),
  }
}

/** Reports whether a text has the name of a field; not more than that is known of computed names. */
function isMentioned(field: string, texts: readonly Uint8Array[]): boolean {
  const name = field.slice(field.lastIndexOf('.') + 1)
  return texts.some(bytes => Buffer.from(bytes).includes(name))
}
