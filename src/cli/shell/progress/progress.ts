import {formatImageName} from '../../../reference/image-name.js'
import type {Progress, ReportSteps} from './step-event.js'
import {isQuietRun} from '../flags/quiet-run.js'
import {Delayed} from './delayed.js'
import {painter} from '../text/paint.js'
import {plainText} from '../text/plain-text.js'
import {selectsJson} from '../flags/selects-json.js'
import {spinner} from './spinner.js'
import {stepLine, Transfers} from './transfers.js'

/**
 * A spinner on a terminal; elsewhere, and with --debug, a line per step, and one for everything that takes longer than a
 * second. With --quiet and with `-o json` only warnings: programs look for an error document on standard error. Use of the
 * cache is only reported with --debug.
 */
export function progress(argv: readonly string[]): Progress {
  const isTraced = argv.includes('--debug')
  const isQuiet = isQuietRun(argv) || (selectsJson(argv) && !isTraced)
  // With 0 columns, as under script(1), ora would clear lines forever.
  const isTerminal = process.stderr.isTTY && process.stderr.columns > 0 && process.env.TERM !== 'dumb'
  const canPaint = isTerminal && !isTraced
  const {print, report, end} = canPaint ? spinner() : steps()
  return {
    report: isQuiet ? () => undefined : report,
    end,
    print,
    warn: message => {
      print(`${painter(argv)('yellow', 'Warning:')} ${plainText(message)}`)
    },
    pulled: (name, {digest, fromCache, mirror}) => {
      if (isQuiet || (fromCache && !isTraced)) return
      const from = mirror === undefined ? '' : ` from ${mirror}`
      print(`${fromCache ? 'From the cache:' : 'Pulled'} ${formatImageName({...name, digest})}${from}`)
    },
    ...(isTraced ? {trace: line => print(plainText(line))} : {}),
  }
}

/** Returns the milliseconds after which a line says what a command waits for. */
function noticeDelay({CROSSPLANE_WAIT_NOTICE: seconds = ''}: NodeJS.ProcessEnv): number {
  return 1000 * (/^\d{1,6}$/.test(seconds) ? Number(seconds) : 1)
}

/** Each text is printed once: two that alternate would fill a log. */
function steps(): Pick<Progress, 'report' | 'end' | 'print'> {
  const transfers = new Transfers()
  const printed = new Set<string>()
  const print = (line: string) => {
    process.stderr.write(`${line}\n`)
  }
  const late = new Delayed(noticeDelay(process.env), () => {
    const step = transfers.step()
    if (step !== '' && !printed.has(step)) print(plainText(step))
    printed.add(step)
  })
  const report: ReportSteps = event => {
    transfers.after(event)
    const line = stepLine(event)
    if (line !== undefined) print(plainText(line))
    late.event()
  }
  return {print, report, end: () => late.stop()}
}
