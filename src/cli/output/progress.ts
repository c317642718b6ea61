import type {Ora} from 'ora'
import {formatImageName} from '../../reference/image-name.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Progress} from '../ports/progress.js'
import {isQuietRun} from '../flags/quiet-run.js'
import {painter} from './paint.js'
import {plainText} from './plain-text.js'
import {selectsJson} from '../flags/selects-json.js'
import {stepLine, Transfers} from './transfers.js'

/**
 * A spinner on a terminal; elsewhere, and with --debug, a line per step. With --quiet and with `-o json` only warnings:
 * programs look for an error document on standard error. Use of the cache is only reported with --debug.
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
    warn: message => {
      print(`${painter(argv)('yellow', 'Warning:')} ${plainText(message)}`)
    },
    pulled: (name, {digest, fromCache}) => {
      if (isQuiet || (fromCache && !isTraced)) return
      print(`${fromCache ? 'From the cache:' : 'Pulled'} ${formatImageName({...name, digest})}`)
    },
    ...(isTraced ? {trace: line => print(plainText(line))} : {}),
  }
}

interface Writer extends Pick<Progress, 'report' | 'end'> {
  readonly print: (line: string) => void
}

function steps(): Writer {
  const print = (line: string) => {
    process.stderr.write(`${line}\n`)
  }
  const report: ReportProgress = event => {
    const line = stepLine(event)
    if (line !== undefined) print(plainText(line))
  }
  return {print, report, end: () => undefined}
}

/** The spinner is loaded when there is something to show: most commands finish before. */
function spinner(): Writer {
  const transfers = new Transfers()
  let painted: Promise<Ora> | undefined
  let [shown, ended]: [Ora | undefined, boolean] = [undefined, false]
  let text = ''
  const paint = async () => {
    const {default: ora} = await import('ora')
    shown = ora({stream: process.stderr, discardStdin: false, text})
    return ended ? shown : shown.start()
  }
  return {
    print: line => {
      shown?.clear()
      process.stderr.write(`${line}\n`)
    },
    report: event => {
      text = plainText(transfers.after(event))
      if (shown !== undefined) shown.text = text
      painted ??= paint()
    },
    end: () => {
      ended = true
      shown?.stop()
    },
  }
}
