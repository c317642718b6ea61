import {CrossplaneError} from '../errors.js'

export type YamlRule =
  | 'yaml-syntax' // not YAML, or not as kubectl reads it
  | 'yaml-encoding' // bytes that are not text, or text that YAML readers reject
  | 'yaml-limit' // larger, deeper or more repeated than the limits of a file
  | 'yaml-number' // a number that JSON cannot hold, or not exactly
  | 'yaml-alias-cycle' // an alias inside of its own value
  | 'yaml-key' // a key that is not valid in JSON

/** Stops reading a text because of an error at this offset. */
export type Reject = (rule: YamlRule, message: string, offset: number) => never

/** Throws `input-invalid` with one diagnostic at this line, which counts from 1. */
export function throwYamlError(rule: YamlRule, message: string, file: string, line: number): never {
  throw new CrossplaneError('input-invalid', `cannot read ${file} as YAML: line ${line}: ${message}`, {
    diagnostics: [{severity: 'error', rule, message, file, line}],
  })
}
