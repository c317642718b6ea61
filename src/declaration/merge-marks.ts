import type {Diagnostic} from '../diagnostic.js'

/** A fault for each place that git left open where two branches changed the same lines; `file` is its name for messages. */
export function mergeMarks(file: string, bytes: Uint8Array, rule: string): Diagnostic[] {
  const lines = Buffer.from(bytes).toString('latin1').split('\n')
  return lines.flatMap((text, index) =>
    /^<{7}(?: |\r?$)/.test(text)
      ? [{severity: 'error', rule, message: 'two changes of it were not merged yet', file, line: index + 1}]
      : [],
  )
}
