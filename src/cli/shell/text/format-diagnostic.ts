import type {Diagnostic} from '../../../diagnostic.js'
import {plainText} from './plain-text.js'

/** Formats `file:line: message [rule]`, as compilers do; names of files and messages can be untrusted text. */
export function formatDiagnostic({file, line, message, rule}: Diagnostic): string {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `
  return plainText(`${place}${message} [${rule}]`)
}
