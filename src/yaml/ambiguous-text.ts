import {isTypedWord} from './go-scalars.js'

/**
 * Reports whether some reader of YAML 1.1 or 1.2, or go-yaml, reads text without quotes as a different type than text, or
 * tries to and fails. The schemas: https://yaml.org/type/ and https://yaml.org/spec/1.2.2/#103-core-schema.
 */
export function isAmbiguous(text: string): boolean {
  if (isTypedWord(text) || text === '<<' || text === '=') return true
  if (!NUMBER_STARTS.has(text.charAt(0))) return false
  return GO_NUMBER.test(text.replaceAll('_', '')) || OTHERS.some(form => form.test(text))
}

const NUMBER_STARTS: ReadonlySet<string> = new Set('0123456789+-._')

/** The numbers of go-yaml without their underscores: they include all others but those below. */
const GO_NUMBER =
  /^[-+]?(?:0[bB][-+]?[01]+|0[oO]?[-+]?[0-7]+|0[xX][-+]?[0-9a-fA-F]+|(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)$/

/** The forms of YAML 1.1 only. Its readers also reject what has the form and no value: `0x_`, `2001-02-30`. */
const OTHERS: readonly RegExp[] = [
  /^[-+]?0[bx]_+$/,
  // durations like `12:30:45` and `190:20:30.15`
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/,
  /^\d{4}-\d\d-\d\d$/,
  /^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$/,
]
