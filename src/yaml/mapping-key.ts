import type {YamlRule} from './yaml-error.js'
import {goScalar, isWord, MERGE_TAG} from './go-scalars.js'

/** The key `<<`, which merges the entries of other mappings. */
export const MERGE = Symbol('<<')

/** A key in JSON, a merge, or the reason why it is invalid. */
export type MappingKey = string | typeof MERGE | {readonly rule: YamlRule; readonly message: string}

/**
 * Resolves a scalar as a key, given as `goScalar` takes it. JSON has strings only, so numbers and booleans become the
 * strings of sigs.k8s.io/yaml.
 */
export function mappingKey(text: string, plain: boolean, tag: string): MappingKey {
  if (text === '<<' && isMerge(plain, tag)) return MERGE
  if (tag === '' && (!plain || isWord(text))) return text
  const scalar = goScalar(text, plain, tag)
  switch (scalar.kind) {
    case 'rejected':
      return scalar
    case 'null':
      return {rule: 'yaml-key', message: 'null is not a valid key'}
    case 'int':
      return integerKey(scalar.value)
    case 'float':
      return floatKey(Number(scalar.value))
    default:
      return String(scalar.value)
  }
}

/** Also with the tag `!`, which otherwise makes every value a string: go-yaml ignores it here. */
function isMerge(plain: boolean, tag: string): boolean {
  return tag === '' ? plain : tag === '!' || tag === MERGE_TAG
}

function integerKey(value: number | bigint): MappingKey {
  if (value >= 2n ** 63n) return {rule: 'yaml-key', message: `${value} is too large for a key`}
  return String(value)
}

/** As Go prints a float of 32 bits: `strconv.FormatFloat(value, 'g', -1, 32)`. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  const single = Math.fround(value)
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf'
  const sign = single < 0 || Object.is(single, -0) ? '-' : ''
  return sign + withGoExponent(shortestDigits(Math.abs(single)))
}

/** The shortest decimal that reads back as the same float of 32 bits, in exponent notation. */
function shortestDigits(single: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = single.toExponential(digits)
    if (Math.fround(Number(text)) === single) return text
  }
  return single.toExponential(9)
}

/** Go writes numbers with exponents from -4 to 5 in full, the other exponents with at least two digits. */
function withGoExponent(scientific: string): string {
  const [mantissa = '', power = '0'] = scientific.split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < 6) return String(Number(scientific))
  const digits = String(Math.abs(exponent)).padStart(2, '0')
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`
}
