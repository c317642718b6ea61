import {watchStatuses} from '../../pipeline/cluster/watch-status.js'
import type {DriftReport} from '../../pipeline/drift/find-drift.js'
import type {Clock} from '../../http/clock.js'
import type {CrossplaneError} from '../../errors.js'
import {lines} from '../shell/text/lines.js'
import {plainText} from '../shell/text/plain-text.js'
import {show} from '../shell/document/show.js'
import {reportTexts} from './show-sides.js'
import {whileWatching} from '../shell/process-events.js'
import {showReadFailure} from '../shell/document/show-read-failure.js'

/** Milliseconds between two reads: of sides that are near, and of a repository that is cloned each time. */
const PAUSE = 5000
const CLONE_PAUSE = 60_000

/** Prints a line for each difference that appears or disappears, until a signal ends it; returns the exit status. */
export async function watchDrift(
  look: () => Promise<DriftReport>,
  clock: Clock,
  isCloned: boolean,
  argv: readonly string[],
): Promise<number> {
  const pause = isCloned ? CLONE_PAUSE : PAUSE
  const reportFailed = (error: CrossplaneError) => showReadFailure(error, argv)
  return await whileWatching(async signal => {
    let before: readonly string[] = []
    for await (const report of watchStatuses(look, {clock, signal, pause, reportFailed})) {
      const texts = reportTexts(report)
      await show(lines(changesOf(before, texts).map(text => plainText(text))))
      before = texts
    }
  })
}

function changesOf(before: readonly string[], after: readonly string[]): readonly string[] {
  return [
    ...after.filter(text => !before.includes(text)),
    ...before.filter(text => !after.includes(text)).map(text => `the same again: ${text}`),
  ]
}
