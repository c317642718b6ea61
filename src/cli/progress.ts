import type {ReportProgress} from '../registry/progress.js'
import {plainText} from './plain-text.js'
import {stepLine, Transfers} from './transfers.js'

/** Shows on stderr how far something is, until it has ended. */
export interface Progress {
  readonly report: ReportProgress
  /** Takes away what was painted: what comes next is written on a line of its own. */
  end(): void
}

/** A spinner on a terminal, a line for each step elsewhere; also where lines of a trace would tear a spinner up. */
export async function progress(argv: readonly string[]): Promise<Progress> {
  const canPaint = process.stderr.isTTY && process.env.TERM !== 'dumb' && !argv.includes('--debug')
  return canPaint ? await spinner() : steps()
}

function steps(): Progress {
  const report: ReportProgress = event => {
    const line = stepLine(event)
    if (line !== undefined) process.stderr.write(`${plainText(line)}\n`)
  }
  return {report, end: () => undefined}
}

async function spinner(): Promise<Progress> {
  const {default: ora} = await import('ora')
  const painted = ora({stream: process.stderr, discardStdin: false})
  const transfers = new Transfers()
  const report: ReportProgress = event => {
    painted.text = plainText(transfers.after(event))
    if (!painted.isSpinning) painted.start()
  }
  return {report, end: () => painted.stop()}
}
