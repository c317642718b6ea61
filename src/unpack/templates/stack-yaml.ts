import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {CrdDefinition} from '../package.js'

/** A CRD of the package. */
interface DefinedCrd {
  readonly definition: Pick<CrdDefinition, 'group' | 'kind' | 'plural' | 'version'>
}

/**
 * Returns the behavior.yaml with the meaning of a stack.yaml, which Crossplane read in January 2020 alone, for the first
 * directory of the first CRD; undefined if it names no CRD.
 */
export function behaviorOfStackYaml(stack: JsonValue, crds: readonly DefinedCrd[]): JsonObject | undefined {
  const value = asObject(stack)
  const behaviors = asObject(asObject(value.spec).behaviors ?? value.behaviors)
  const [[name, crd] = []] = Object.entries(asObject(behaviors.crds))
  if (name === undefined) return undefined
  const [hook] = Object.values(asObject(asObject(crd).hooks)).flatMap(value => asObjects(value))
  const type =
    [hook?.engine, asObject(crd).engine, behaviors.engine].map(typeOf).find(text => text !== '') ?? 'helm3'
  const {image} = asObject(behaviors.source)
  return {
    crd: crdOf(name, crds),
    engine: {type: type === 'helm2' ? 'helm3' : type},
    source: {...(image === undefined ? {} : {image}), path: asText(hook?.directory)},
  }
}

function typeOf(engine: JsonValue | undefined): string {
  return asText(asObject(engine).type)
}

/** `Kind.group/version`; in the draft also the name of the CRD, whose version and kind are in the CRD. */
function crdOf(name: string, crds: readonly DefinedCrd[]): JsonObject {
  const [resource = '', version] = name.split('/')
  const dot = resource.indexOf('.')
  const [first, group] = [resource.slice(0, Math.max(0, dot)), resource.slice(dot + 1)]
  const own = crds.find(
    ({definition}) =>
      definition.group === group &&
      [definition.kind, definition.kind.toLowerCase(), definition.plural].includes(first),
  )?.definition
  return {apiVersion: `${group}/${version ?? own?.version ?? 'v1alpha1'}`, kind: own?.kind ?? first}
}
