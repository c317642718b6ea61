import type {Diagnostic} from '../../diagnostic.js'
import type {Clock} from '../../http/clock.js'
import type {InstallStatus, InstallStatuses} from '../../pipeline/cluster/install-status.js'
import {transitions, watchStatuses} from '../../pipeline/cluster/watch-status.js'
import {whileWatching} from '../process-events.js'
import {lines} from '../output/text/lines.js'
import {show, showWarnings} from '../output/document/show.js'
import {formatStatuses, formatTransition, type Shown} from '../output/installs/show-statuses.js'

/** Erases the screen and moves the cursor to its beginning: ECMA-48 CUP and ED. */
const CLEAR = '\u001b[H\u001b[2J'

/**
 * Shows the health of installs until a signal ends it, and returns the exit status. A terminal is redrawn; elsewhere each
 * change of state is a line. Warnings, such as of what must not be listed, are repeated only when they change.
 */
export async function watchStatus(
  look: () => Promise<InstallStatuses>,
  format: string,
  clock: Clock,
  shown: Shown,
): Promise<number> {
  return await whileWatching(async signal => {
    let before: readonly InstallStatus[] = []
    let warned = ''
    for await (const {statuses, warnings} of watchStatuses(look, {clock, signal})) {
      const {isTTY} = process.stdout
      if (isTTY) await show(`${CLEAR}${formatStatuses(statuses, format === 'wide', shown)}`)
      if (isTTY || joinedMessages(warnings) !== warned) showWarnings({warnings}, shown.argv)
      if (!isTTY) await show(lines(transitions(before, statuses).map(formatTransition)))
      before = statuses
      warned = joinedMessages(warnings)
    }
  })
}

function joinedMessages(warnings: readonly Diagnostic[]): string {
  return warnings.map(({message}) => message).join('\n')
}
