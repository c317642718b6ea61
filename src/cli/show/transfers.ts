import type {ProgressEvent} from '../../registry/progress.js'
import {formatBytes} from './byte-count.js'

type Transfer = Extract<
  ProgressEvent,
  {readonly kind: 'layer' | 'upload' | 'manifest' | 'present' | 'mounted'}
>

/** What moves to or from registries now, in words for people. */
export class Transfers {
  readonly #now = new Map<string, Transfer>()
  #waiting = ''

  /** One line on all of it, such as `Reading 2 layers: 12.3 of 200.0 MB`. */
  after(event: ProgressEvent): string {
    if (event.kind === 'retry') this.#waiting = `; ${retryLine(event)}`
    else {
      this.#waiting = ''
      this.#now.set(`${event.kind} ${event.name}`, event)
    }
    return `${this.#summary()}${this.#waiting}`
  }

  #summary(): string {
    const uploads = this.#of('upload')
    const moving = uploads.length > 0 ? uploads : this.#of('layer')
    if (moving.length === 0) return 'Asking the registry'
    const sum = (key: 'done' | 'total') => moving.reduce((bytes, each) => bytes + each[key], 0)
    const what = `${moving.length} ${uploads.length > 0 ? 'blob' : 'layer'}${moving.length === 1 ? '' : 's'}`
    const verb = uploads.length > 0 ? 'Uploading' : 'Reading'
    return `${verb} ${what}: ${formatBytes(sum('done'))} of ${formatBytes(sum('total'))}`
  }

  #of(kind: Transfer['kind']): Transfer[] {
    return [...this.#now.values()].filter(each => each.kind === kind)
  }
}

/** A line for each step, where nothing can be painted over: none for what is only on its way. */
export function stepLine(event: ProgressEvent): string | undefined {
  if (event.kind === 'retry') return retryLine(event)
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
