import type {Clock} from '../../http/clock.js'
import type {InstallStatus} from '../../pipeline/cluster/install-status.js'
import {transitions, watchStatuses} from '../../pipeline/cluster/watch-status.js'
import {whileWatching} from '../process-events.js'
import type {Paint} from './paint.js'
import {lines} from './lines.js'
import {show} from './show.js'
import {formatStatuses, formatTransition} from './show-statuses.js'

/** Erases the screen and moves the cursor to its beginning: ECMA-48 CUP and ED. */
const CLEAR = '\u001b[H\u001b[2J'

/**
 * Shows the health of installs until a signal ends it, and returns the exit status. A terminal is redrawn; elsewhere each
 * change of state is a line.
 */
export async function watchStatus(
  look: () => Promise<readonly InstallStatus[]>,
  format: string,
  clock: Clock,
  paint: Paint,
): Promise<number> {
  return await whileWatching(async signal => {
    let before: readonly InstallStatus[] = []
    for await (const statuses of watchStatuses(look, {clock, signal})) {
      if (process.stdout.isTTY) await show(`${CLEAR}${formatStatuses(statuses, format === 'wide', paint)}`)
      else await show(lines(transitions(before, statuses).map(formatTransition)))
      before = statuses
    }
  })
}
