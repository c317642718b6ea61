import type {ProgressEvent} from '../../../registry/progress.js'
import type {StepEvent} from './step-event.js'
import {formatBytes} from '../text/byte-count.js'
import {count} from '../../../text.js'

type Moved = Exclude<ProgressEvent, {readonly kind: 'retry'}>
type Transfer = Exclude<Moved, {readonly kind: 'entry-read' | 'entry-written'}>

/** Describes what a command does: its waits, its transfers to and from registries, or its last step. */
export class Transfers {
  readonly #now = new Map<string, Moved>()
  readonly #waits = new Map<string, string>()
  #last: Moved['kind'] | undefined
  #retry = ''
  #step = ''

  /** Returns one line about all of them, such as `Reading 2 layers: 12.3 of 200.0 MB`. */
  after(event: ProgressEvent | StepEvent): string {
    this.#retry = event.kind === 'retry' ? `; ${retryLine(event)}` : ''
    if (event.kind === 'step') this.#step = event.name
    else if (event.kind === 'wait') this.#waits.set(event.task, event.name)
    else if (event.kind === 'wait-end') this.#waits.delete(event.task)
    else if (event.kind !== 'retry') {
      this.#last = event.kind
      this.#now.set(`${event.kind} ${event.name}`, event)
    }
    const {name, numbers} = this.#current()
    return `${name}${numbers}${this.#retry}`
  }

  /** Returns the same without numbers: it changes only with what is done. */
  step(): string {
    return this.#current().name
  }

  #current(): {readonly name: string; readonly numbers: string} {
    const wait = [...this.#waits.values()].at(-1)
    if (wait !== undefined) return {name: wait, numbers: ''}
    if (this.#last === 'entry-read') return this.#entries('Reading an index', this.#last)
    if (this.#last === 'entry-written') return this.#entries('Writing an index', this.#last)
    const uploads = this.#of('upload')
    const moving = uploads.length > 0 ? uploads : this.#of('layer')
    if (moving.length === 0) return {name: this.#step === '' ? CONTACT : this.#step, numbers: ''}
    const what = count(moving.length, uploads.length > 0 ? 'blob' : 'layer')
    const verb = uploads.length > 0 ? 'Uploading' : 'Reading'
    const numbers = `: ${formatBytes(sum(moving, 'done'))} of ${formatBytes(sum(moving, 'total'))}`
    return {name: `${verb} ${what}`, numbers}
  }

  #entries(name: string, kind: Moved['kind']) {
    const moving = this.#of(kind)
    return {name, numbers: `: ${sum(moving, 'done')} of ${sum(moving, 'total')} entries`}
  }

  #of(kind: Moved['kind']): Moved[] {
    return [...this.#now.values()].filter(transfer => transfer.kind === kind)
  }
}

const CONTACT = 'Contacting the registry'

function sum(steps: readonly Moved[], key: 'done' | 'total'): number {
  return steps.reduce((all, step) => all + step[key], 0)
}

/**
 * Returns a line for each step, for output that cannot be overwritten: none for transfers in progress, nor for
 * entries of an index, which are many.
 */
export function stepLine(event: ProgressEvent | StepEvent): string | undefined {
  if (event.kind === 'retry') return retryLine(event)
  if (event.kind === 'step' || event.kind === 'wait' || event.kind === 'wait-end') return undefined
  if (event.kind === 'entry-read' || event.kind === 'entry-written') return undefined
  if (event.done < event.total) return undefined
  return `${STEPS[event.kind]} ${event.name} (${formatBytes(event.total)})`
}

const STEPS: Readonly<Record<Transfer['kind'], string>> = {
  manifest: 'manifest',
  layer: 'read layer',
  upload: 'uploaded',
  present: 'already there:',
  mounted: 'mounted',
}

function retryLine({name, done, total, wait}: Extract<ProgressEvent, {readonly kind: 'retry'}>): string {
  return `${name}: attempt ${done} of ${total} failed, retrying in ${(wait / 1000).toFixed(1)}s`
}
