import type {ProgressEvent} from '../../registry/progress.js'
import {formatBytes} from './byte-count.js'
import {count} from '../../text.js'

type Step = Exclude<ProgressEvent, {readonly kind: 'retry'}>
type Transfer = Exclude<Step, {readonly kind: 'entry-read' | 'entry-written'}>

/** Describes the current transfers to and from registries. */
export class Transfers {
  readonly #now = new Map<string, Step>()
  #last: Step['kind'] | undefined
  #waiting = ''

  /** Returns one line about all of them, such as `Reading 2 layers: 12.3 of 200.0 MB`. */
  after(event: ProgressEvent): string {
    if (event.kind === 'retry') this.#waiting = `; ${retryLine(event)}`
    else {
      this.#waiting = ''
      this.#last = event.kind
      this.#now.set(`${event.kind} ${event.name}`, event)
    }
    return `${this.#summary()}${this.#waiting}`
  }

  #summary(): string {
    if (this.#last === 'entry-read') return this.#entries('Reading an index', this.#last)
    if (this.#last === 'entry-written') return this.#entries('Writing an index', this.#last)
    const uploads = this.#of('upload')
    const moving = uploads.length > 0 ? uploads : this.#of('layer')
    if (moving.length === 0) return 'Asking the registry'
    const what = count(moving.length, uploads.length > 0 ? 'blob' : 'layer')
    const verb = uploads.length > 0 ? 'Uploading' : 'Reading'
    return `${verb} ${what}: ${formatBytes(sum(moving, 'done'))} of ${formatBytes(sum(moving, 'total'))}`
  }

  #entries(verb: string, kind: Step['kind']): string {
    const moving = this.#of(kind)
    return `${verb}: ${sum(moving, 'done')} of ${sum(moving, 'total')} entries`
  }

  #of(kind: Step['kind']): Step[] {
    return [...this.#now.values()].filter(step => step.kind === kind)
  }
}

function sum(steps: readonly Step[], key: 'done' | 'total'): number {
  return steps.reduce((all, step) => all + step[key], 0)
}

/**
 * Returns a line for each step, for output that cannot be overwritten: none for transfers in progress, nor for
 * entries of an index, which are many.
 */
export function stepLine(event: ProgressEvent): string | undefined {
  if (event.kind === 'retry') return retryLine(event)
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
  return `${name}: attempt ${done} of ${total} failed, the next in ${(wait / 1000).toFixed(1)} s`
}
