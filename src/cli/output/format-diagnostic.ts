import type {Diagnostic} from '../../diagnostic.js'
import {plainText} from './plain-text.js'

/** `file:line: message [rule]`, as compilers write it; names of files and messages hold what packages say. */
export function formatDiagnostic({file, line, message, rule}: Diagnostic): string {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `
  return plainText(`${place}${message} [${rule}]`)
}
