import {CrossplaneError} from '../errors.js'

export type YamlRule =
  | 'yaml-syntax' // no YAML, or none that kubectl reads
  | 'yaml-encoding' // bytes that are no text, or text that no reader of YAML takes
  | 'yaml-limit' // larger, deeper or more repeated than a file may be
  | 'yaml-number' // a number that JSON cannot hold, or not exactly
  | 'yaml-alias-cycle' // an alias inside of what it stands for
  | 'yaml-key' // a key that is no key in JSON

/** Ends the reading of a text because of what is wrong at this offset of it. */
export type Refuse = (rule: YamlRule, message: string, offset: number) => never

/** Throws `input-invalid` with one diagnostic at this line, which counts from 1. */
export function throwYamlError(rule: YamlRule, message: string, file: string, line: number): never {
  throw new CrossplaneError('input-invalid', `cannot read ${file} as YAML: line ${line}: ${message}`, {
    diagnostics: [{severity: 'error', rule, message, file, line}],
  })
}
