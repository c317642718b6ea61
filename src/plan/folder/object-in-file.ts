import {CrossplaneError} from '../../errors.js'
import {nameOf} from '../../kubernetes/object-key.js'
import {isJsonObject, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'

/** The document in a file; `undefined` where the text is not YAML, such as one with conflict markers. */
export function documentIn(text: string): JsonValue | undefined {
  return documentsIn(text)?.[0]
}

/** The documents in a file; `undefined` where the text is not YAML. */
export function documentsIn(text: string): readonly JsonValue[] | undefined {
  try {
    return readYaml(Buffer.from(text), 'a managed file').map(({value}) => value)
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}

/** The named object that a file holds, if any; with `kind`, text that does not mention it is not parsed. */
export function objectIn(text: string | undefined, kind = ''): JsonObject | undefined {
  if (text?.includes(kind) !== true) return undefined
  const value = documentIn(text)
  if (!isJsonObject(value) || (kind !== '' && value.kind !== kind)) return undefined
  return nameOf(value).name === '' ? undefined : value
}
