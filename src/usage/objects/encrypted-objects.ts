import {asObject, type JsonObject} from '../../yaml/json-value.js'

/** Returns an object without what SOPS adds to a file that it encrypts: the object that is applied does not have it. */
export function withoutEncryption(object: JsonObject): JsonObject {
  const {sops, ...own} = object
  return typeof asObject(sops).mac === 'string' ? own : object
}
