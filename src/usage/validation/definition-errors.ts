import {
  checkStrictly,
  type ObjectJudge,
  UNKNOWN_FIELD,
  type ValueError,
} from '../../crd/instances/check-object.js'
import {RULES} from '../../crd/schema-node.js'
import {coreSchemas} from '../../xpkg/content/core-schemas.js'
import {asObject, asText, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {valueAt} from '../../yaml/value-at.js'
import {type CoreGeneration, isOfResources} from './composition/composition-mode.js'
import type {ValidationRule} from './validation.js'

const KINDS = ['Composition', 'CompositeResourceDefinition']

/**
 * Returns why an API server with the CRDs of Crossplane v2 rejects a Composition or an XRD; those of Crossplane v1 are not judged. Without a known
 * generation, what Crossplane v1 accepts is not reported. Returns undefined for an object that is not judged.
 */
export function definitionErrors(
  object: JsonObject,
  judge: ObjectJudge,
  generation: CoreGeneration | undefined,
): readonly ValueError[] | undefined {
  const schema = definitionSchema(object)
  if (schema === undefined || generation === 'v1' || isOfResources(object)) return undefined
  return checkStrictly(object, schema, judge).filter(
    error => error.place[0] !== 'status' && (generation === 'v2' || !isAcceptedByV1(object, error)),
  )
}

/** Returns the rule of a keyword that a value violates. */
export function ruleOf(keyword: string): ValidationRule {
  if (keyword === UNKNOWN_FIELD) return 'unknown-field'
  return keyword === RULES ? 'rule-violated' : 'invalid'
}

function definitionSchema({apiVersion, kind}: JsonObject): JsonObject | undefined {
  if (!KINDS.includes(asText(kind))) return undefined
  const schema = coreSchemas()[`${asText(apiVersion)} ${asText(kind)}`]
  return isJsonObject(schema) ? schema : undefined
}

/** Fields of Compositions of Crossplane v1, also beside a pipeline. */
const FIELDS_OF_V1 = ['environment', 'patchSets', 'publishConnectionDetailsWithStoreConfigRef', 'resources']

function isAcceptedByV1(object: JsonObject, {keyword, place}: ValueError): boolean {
  const [first, second = ''] = place
  if (keyword === UNKNOWN_FIELD)
    return object.kind === 'Composition' && first === 'spec' && FIELDS_OF_V1.includes(String(second))
  if (keyword !== RULES) return false
  const value = asObject(valueAt(object, place))
  return place.at(-1) === 'conversion' ? value.strategy === 'None' : value.source === 'None'
}
