import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {ComposedKinds} from './xpkg.js'

/** A kind of a Kubernetes object. */
type Kind = ComposedKinds['kinds'][number]

/** Functions that compose no resources of their own. */
const WITHOUT_RESOURCES = /(^|-)function-(auto-ready|cel-filter|environment-configs|sequencer)$/
const PATCH_AND_TRANSFORM = 'pt.fn.crossplane.io/'

/**
 * Returns the kinds that a Composition composes: all of patches and transforms, and those that the texts of other steps,
 * such as templates, show. Steps that can compose other kinds as well are unread.
 */
export function composedKinds({spec}: JsonObject): ComposedKinds {
  const steps = asObjects(asObject(spec).pipeline)
  const unread = steps
    .map(step => ({name: asText(asObject(step.functionRef).name), input: asObject(step.input)}))
    .filter(({name, input}) => !WITHOUT_RESOURCES.test(name) && !isPatchAndTransform(input))
    .map(({name}) => name)
  const kinds = [
    ...basesOf(asObject(spec)),
    ...steps.flatMap(step => {
      const input = asObject(step.input)
      return isPatchAndTransform(input) ? basesOf(input) : textsIn(input, 0).flatMap(kindsInText)
    }),
  ]
  const distinct = new Map(kinds.map(kind => [`${kind.group}/${kind.version}/${kind.kind}`, kind]))
  return {kinds: [...distinct.values()], unread: [...new Set(unread)]}
}

function isPatchAndTransform({apiVersion}: JsonObject): boolean {
  return asText(apiVersion).startsWith(PATCH_AND_TRANSFORM)
}

function basesOf({resources}: JsonObject): readonly Kind[] {
  return asObjects(resources).flatMap(({base}) => kindOf(asObject(base).apiVersion, asObject(base).kind))
}

function kindOf(apiVersion: JsonValue | undefined, kind: JsonValue | undefined): readonly Kind[] {
  const [group = '', version] = asText(apiVersion).split('/')
  return version === undefined || asText(kind) === '' ? [] : [{group, version, kind: asText(kind)}]
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
