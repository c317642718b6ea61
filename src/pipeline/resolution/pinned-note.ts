import type {Diagnostic} from '../../diagnostic.js'
import {listSome} from '../../text.js'

/** A note that names packages which an upgrade leaves at their versions, as `PACKAGE (PIN)`. */
export function pinnedNote(pinned: readonly string[]): Diagnostic[] {
  if (pinned.length === 0) return []
  const message = `pinned packages stay at their versions: ${listSome(pinned)}; to move a pin, pass PACKAGE:TAG`
  return [{severity: 'note', rule: 'pinned-package', message}]
}
