import {
  asObject,
  type FieldPath,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../src/yaml/json-value.js'
import {at, isEmbedded, isPayload, placesIn, withAt} from './values.js'

const UNKNOWN: JsonObject = {unheardOf: {a: [1, 'x', null, {}]}}

/** The objects of a body whose schemas name their fields, so that a field can be unknown there. */
export function describedPlaces(schema: JsonObject, body: JsonObject): FieldPath[] {
  return placesIn(schema)
    .filter(place => place.schema.properties !== undefined && !isEmbedded(place.schema))
    .map(({path}) => path)
    .filter(path => isJsonObject(at(body, path)))
}

/** Lists the places of a body of which the schema declares only an object or a resource. */
export function payloadPlaces(schema: JsonObject): FieldPath[] {
  return placesIn(schema)
    .filter(place => isPayload(place.schema) || isEmbedded(place.schema))
    .map(({path}) => path)
}

export function withUnknown(body: JsonObject, places: readonly FieldPath[]): JsonObject {
  return asObject(
    places.reduce<JsonValue>(
      (whole, path) => withAt(whole, path, {...asObject(at(whole, path)), ...UNKNOWN}),
      body,
    ),
  )
}
