import type {Ora} from 'ora'
import type {PulledPackage} from '../../pipeline/locate/remote-repository.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Trace} from '../../registry/http/trace.js'
import {painter} from './paint.js'
import {plainText} from './plain-text.js'
import {wantsJson} from '../wants-json.js'
import {stepLine, Transfers} from './transfers.js'

/** Tells on stderr what a command does while it does it. */
export interface Progress {
  readonly report: ReportProgress
  readonly warn: (message: string) => void
  /** Takes lines of a trace; only where one is wanted (--debug). */
  readonly trace?: Trace
  readonly pulled: (name: ImageName, found: PulledPackage) => void
  /** Takes away what was painted: what comes next is written on a line of its own. */
  readonly end: () => void
}

/**
 * A spinner on a terminal, a line for each step elsewhere; also where lines of a trace would tear a spinner up. With
 * `-o json` nothing but warnings, and what --debug asks for: whoever reads stderr there looks for an error document.
 */
export function progress(argv: readonly string[]): Progress {
  const wantsTrace = argv.includes('--debug')
  const isQuiet = wantsJson(argv) && !wantsTrace
  // A terminal that says it has no columns, as under script(1), would have ora clear lines for ever.
  const isTerminal = process.stderr.isTTY && process.stderr.columns > 0 && process.env.TERM !== 'dumb'
  const canPaint = isTerminal && !wantsTrace
  const {say, report, end} = canPaint ? spinner() : steps()
  return {
    report: isQuiet ? () => undefined : report,
    end,
    warn: message => {
      say(`${painter(argv)('yellow', 'Warning:')} ${plainText(message)}`)
    },
    pulled: (name, {digest, fromCache}) => {
      if (isQuiet) return
      say(`${fromCache ? 'From the cache:' : 'Pulled'} ${formatImageName({...name, digest})}`)
    },
    ...(wantsTrace ? {trace: line => say(plainText(line))} : {}),
  }
}

interface Teller extends Pick<Progress, 'report' | 'end'> {
  readonly say: (line: string) => void
}

function steps(): Teller {
  const say = (line: string) => {
    process.stderr.write(`${line}\n`)
  }
  const report: ReportProgress = event => {
    const line = stepLine(event)
    if (line !== undefined) say(plainText(line))
  }
  return {say, report, end: () => undefined}
}

/** Loaded when there is something to show: most commands are done before. */
function spinner(): Teller {
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
    say: line => {
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
