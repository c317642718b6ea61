import type {Diagnostic} from '../diagnostic.js'

/** Returns a diagnostic for each conflict marker of Git; `file` is the name for messages. */
export function mergeMarks(file: string, bytes: Uint8Array, rule: string): Diagnostic[] {
  const lines = Buffer.from(bytes).toString('latin1').split('\n')
  return lines.flatMap((text, index) =>
    /^<{7}(?: |\r?$)/.test(text)
      ? [{severity: 'error', rule, message: 'unresolved merge conflict', file, line: index + 1}]
      : [],
  )
}
