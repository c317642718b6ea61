import {groupOf} from '../../kubernetes/object-key.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import type {ComposedKinds} from './xpkg.js'

/** A kind of a Kubernetes object. */
type Kind = ComposedKinds['kinds'][number]

/** Functions that compose no resources of their own. */
export const WITHOUT_RESOURCES = /(^|-)function-(auto-ready|cel-filter|environment-configs|sequencer)$/

/** A kind that a Composition composes, and its place. */
export interface ComposedUse extends Kind {
  /** The name of the step; absent for a Composition without a pipeline. */
  readonly step?: string
  /** The name of the resource of patches and transforms. */
  readonly resource?: string
  readonly place: FieldPath
}

/** A step whose function can compose other kinds as well. */
export interface UnreadStep {
  readonly step: string
  readonly function: string
  readonly place: FieldPath
}

/**
 * Returns the kinds that a Composition composes: all of patches and transforms, and those that the texts of other steps,
 * such as templates, show. Steps that can compose other kinds as well are unread.
 */
export function composedKinds(composition: JsonObject): ComposedKinds {
  const {uses, unread} = composedUses(composition)
  const distinct = new Map(
    uses.map(({group, version, kind}) => [`${group}/${version}/${kind}`, {group, version, kind}]),
  )
  return {kinds: [...distinct.values()], unread: [...new Set(unread.map(one => one.function))]}
}

/** Returns the same with the places of all, also of an operation. */
export function composedUses({spec: own}: JsonObject): {
  readonly uses: readonly ComposedUse[]
  readonly unread: readonly UnreadStep[]
} {
  const template = asObject(own).operationTemplate
  const spec = template === undefined ? asObject(own) : asObject(asObject(template).spec)
  const within = template === undefined ? ['spec'] : ['spec', 'operationTemplate', 'spec']
  const steps = asObjects(spec.pipeline).map((step, at) => ({
    step: asText(step.step),
    function: asText(asObject(step.functionRef).name),
    input: asObject(step.input),
    isKnown: isPatchAndTransform(step),
    place: [...within, 'pipeline', at],
  }))
  const isUnread = (step: (typeof steps)[number]) => !WITHOUT_RESOURCES.test(step.function) && !step.isKnown
  return {
    uses: [
      ...basesOf(spec, {place: within}),
      ...steps.flatMap(({step, input, isKnown, place}) =>
        isKnown
          ? basesOf(input, {step, place: [...place, 'input']})
          : kindsOfTexts(input).map(kind => ({...kind, step, place})),
      ),
    ],
    unread: steps.filter(isUnread).map(({input: _input, isKnown: _known, ...step}) => step),
  }
}

/** Reports whether a step calls function-patch-and-transform: it reads any input, whatever its kind. */
export function isPatchAndTransform({functionRef, input}: JsonObject): boolean {
  if (groupOf(asText(asObject(input).apiVersion)) === 'pt.fn.crossplane.io') return true
  return /(?:^|-)function-patch-and-transform$/.test(asText(asObject(functionRef).name))
}

function basesOf(
  {resources}: JsonObject,
  {place, ...of}: Pick<ComposedUse, 'step' | 'place'>,
): readonly ComposedUse[] {
  return asObjects(resources).flatMap(({base, name}, at) =>
    kindOf(asObject(base).apiVersion, asObject(base).kind).map(kind => ({
      ...{...kind, ...of, resource: asText(name)},
      place: [...place, 'resources', at, 'base'],
    })),
  )
}

function kindOf(apiVersion: JsonValue | undefined, kind: JsonValue | undefined): readonly Kind[] {
  const [group = '', version] = asText(apiVersion).split('/')
  return version === undefined || asText(kind) === '' ? [] : [{group, version, kind: asText(kind)}]
}

/** Returns the kinds that the texts of an input name, such as its templates or programs. */
export function kindsOfTexts(input: JsonObject): readonly Kind[] {
  return textsIn(input, 0).flatMap(kindsInText)
}

const MAX_DEPTH = 5

/** The texts of an input, such as its templates or programs. */
function textsIn(value: JsonValue | undefined, depth: number): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  return Object.values(value).flatMap(inner => textsIn(inner, depth + 1))
}

const API_VERSION = /^\s*(?:- )?["']?apiVersion["']?\s*[:=]\s*["']?([a-z0-9.-]+\/[a-z0-9]+)["']?\s*$/
const KIND = /^\s*(?:- )?["']?kind["']?\s*[:=]\s*["']?([A-Z][A-Za-z0-9]*)["']?\s*$/

/** The kinds that neighboring lines of a text name. */
function kindsInText(text: string): readonly Kind[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const apiVersion = API_VERSION.exec(line)?.[1]
    if (apiVersion === undefined) return []
    const beside = KIND.exec(lines[index + 1] ?? '') ?? KIND.exec(lines[index - 1] ?? '')
    return kindOf(apiVersion, beside?.[1])
  })
}
