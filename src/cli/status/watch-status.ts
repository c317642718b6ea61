import type {Diagnostic} from '../../diagnostic.js'
import type {CrossplaneError} from '../../errors.js'
import type {Clock} from '../../http/clock.js'
import type {ListedPackage} from '../../pipeline/cluster/core/list-packages.js'
import type {InstallStatus} from '../../pipeline/cluster/install-status.js'
import {packageTransitions, transitions, watchStatuses} from '../../pipeline/cluster/watch-status.js'
import {whileWatching} from '../shell/process-events.js'
import {lines, parts} from '../shell/text/lines.js'
import {show, showWarnings} from '../shell/document/show.js'
import {formatPackages, formatPackageTransition, packageReasons} from './show-packages.js'
import {showReadFailure} from '../shell/document/show-read-failure.js'
import {formatStatuses, formatTransition, type Shown} from './show-statuses.js'

/** Erases the screen and moves the cursor to its beginning: ECMA-48 CUP and ED. */
const CLEAR = '\u001b[H\u001b[2J'

/** The health of a cluster at one time: installs, and packages for a current Crossplane. */
export interface ClusterHealth {
  readonly statuses: readonly InstallStatus[]
  readonly packages: readonly ListedPackage[]
  readonly warnings: readonly Diagnostic[]
}

/** How a table is shown; `now` is in milliseconds since the epoch. */
interface HealthTable {
  readonly isWide: boolean
  readonly now: number
  readonly shown: Shown
}

/**
 * Shows the health of installs and packages until a signal ends it, and returns the exit status. A terminal is redrawn; elsewhere
 * each change of state is a line. Warnings, such as of what must not be listed, are repeated only when they change.
 */
export async function watchStatus(
  look: () => Promise<ClusterHealth>,
  table: () => HealthTable,
  clock: Clock,
): Promise<number> {
  const reportFailed = (error: CrossplaneError) => showReadFailure(error, table().shown.argv)
  return await whileWatching(async signal => {
    let before: ClusterHealth = {statuses: [], packages: [], warnings: []}
    for await (const health of watchStatuses(look, {clock, signal, reportFailed})) {
      const {isTTY} = process.stdout
      const {warnings} = health
      if (isTTY) await show(`${CLEAR}${formatHealth(health, table())}`)
      if (isTTY || joinedMessages(warnings) !== joinedMessages(before.warnings))
        showWarnings({warnings}, table().shown.argv)
      if (!isTTY) await show(lines(changedLines(before, health)))
      before = health
    }
  })
}

/** Formats installs and packages, each as a table; empty without any. */
export function formatHealth({statuses, packages}: ClusterHealth, {isWide, now, shown}: HealthTable): string {
  return parts([
    statuses.length === 0 ? '' : formatStatuses(statuses, isWide, shown),
    formatPackages(packages, {isWide, paint: shown.paint, now}),
    lines(packageReasons(packages, shown.paint)),
  ])
}

function changedLines(before: ClusterHealth, after: ClusterHealth): readonly string[] {
  return [
    ...transitions(before.statuses, after.statuses).map(formatTransition),
    ...packageTransitions(before.packages, after.packages).map(formatPackageTransition),
  ]
}

function joinedMessages(warnings: readonly Diagnostic[]): string {
  return warnings.map(({message}) => message).join('\n')
}
