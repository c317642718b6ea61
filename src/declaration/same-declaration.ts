import {CrossplaneError} from '../errors.js'
import {jsonEqual} from '../yaml/json-equal.js'
import type {JsonValue} from '../yaml/json-value.js'
import {readYaml} from '../yaml/read-yaml.js'

/** Reports whether two texts are the same declaration, or the same entry of one, in the form of two formatters. */
export function isSameDeclaration(one: string, other: string): boolean {
  const [values, others] = [valuesIn(one), valuesIn(other)]
  return values !== undefined && others !== undefined && jsonEqual(values, others)
}

function valuesIn(text: string): readonly JsonValue[] | undefined {
  try {
    return readYaml(Buffer.from(text), 'declaration').map(({value}) => value)
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}
