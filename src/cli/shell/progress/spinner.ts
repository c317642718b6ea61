import type {Ora} from 'ora'
import type {Progress, ReportSteps} from './step-event.js'
import {Delayed} from './delayed.js'
import {plainText} from '../text/plain-text.js'
import {Transfers} from './transfers.js'

/** Milliseconds before anything is painted: most commands end before. */
const DELAY = 400

/** Moves to the beginning of the line and erases it: ECMA-48 EL. */
const ERASE = '\r\u001b[K'

/**
 * What a command does, on one line of a terminal. The line is static until the spinner is loaded, and while the thread is
 * too busy to turn it.
 */
export function spinner(): Pick<Progress, 'report' | 'end' | 'print'> {
  const line = new StatusLine()
  const transfers = new Transfers()
  let text = ''
  const late = new Delayed(DELAY, () => line.show(text))
  const report: ReportSteps = event => {
    text = plainText(transfers.after(event))
    if (line.isShown) line.show(text)
    late.event()
  }
  const end = () => {
    late.stop()
    line.hide()
  }
  return {print: printed => line.print(printed), report, end}
}

class StatusLine {
  isShown = false
  #ora: Ora | undefined
  #loading: Promise<void> | undefined
  #drawn = ''

  show(text: string): void {
    this.isShown = true
    if (this.#ora === undefined) {
      this.#draw(text)
      this.#loading ??= this.#load()
    } else {
      this.#ora.text = text
      if (!this.#ora.isSpinning) this.#ora.start()
    }
  }

  hide(): void {
    this.isShown = false
    this.#erase()
    this.#ora?.stop()
  }

  print(line: string): void {
    this.#erase()
    this.#ora?.clear()
    process.stderr.write(`${line}\n`)
  }

  /** The text is shortened: a line that wraps cannot be erased. */
  #draw(text: string): void {
    const shown = `- ${text}`.slice(0, process.stderr.columns - 1)
    if (shown !== this.#drawn) process.stderr.write(`${ERASE}${shown}`)
    this.#drawn = shown
  }

  #erase(): void {
    if (this.#drawn !== '') process.stderr.write(ERASE)
    this.#drawn = ''
  }

  async #load(): Promise<void> {
    const {default: ora} = await import('ora')
    const text = this.#drawn.slice(2)
    this.#ora = ora({stream: process.stderr, discardStdin: false, text})
    if (!this.isShown) return
    this.#erase()
    this.#ora.start()
  }
}
