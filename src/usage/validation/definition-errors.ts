import {checkStrictly, type ObjectJudge, type ValueError} from '../../crd/instances/check-object.js'
import {coreSchemas} from '../../xpkg/content/core-schemas.js'
import {asObject, asText, isJsonObject, type JsonObject} from '../../yaml/json-value.js'

const KINDS = ['Composition', 'CompositeResourceDefinition']

/**
 * Returns why an API server with the CRDs of a current Crossplane rejects a Composition or an XRD. What only Crossplane v1 has
 * is not reported: the mode Resources, and the configuration of stores.
 */
export function definitionErrors(object: JsonObject, judge: ObjectJudge): readonly ValueError[] {
  const schema = coreSchemas()[`${asText(object.apiVersion)} ${asText(object.kind)}`]
  if (!KINDS.includes(asText(object.kind)) || !isJsonObject(schema) || isOfResources(object)) return []
  return checkStrictly(object, schema, judge).filter(
    ({place: [first, second]}) =>
      first !== 'status' && second !== 'publishConnectionDetailsWithStoreConfigRef',
  )
}

function isOfResources({spec}: JsonObject): boolean {
  const {mode, resources} = asObject(spec)
  return mode === 'Resources' || resources !== undefined
}
