import type {WatchEvent, WatchOptions} from '../../src/cluster/api/cluster-api.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'

/** Changes of the objects of one kind, for a watch that sees them as they are pushed. */
export class PushedEvents {
  readonly #events: WatchEvent[] = []
  #wake: () => void = () => undefined

  push(object: KubernetesObject): void {
    this.#events.push({type: 'MODIFIED', object})
    this.#wake()
  }

  /** Reports the objects that exist, then what is pushed until the signal is aborted. */
  async *watch(
    existing: Iterable<KubernetesObject>,
    {signal, listed}: Pick<WatchOptions, 'signal' | 'listed'>,
  ): AsyncGenerator<WatchEvent, void, undefined> {
    for (const object of existing) yield {type: 'ADDED', object}
    listed?.()
    const isOver = () => signal.aborted
    signal.addEventListener('abort', () => this.#wake(), {once: true})
    while (!isOver()) {
      const event = this.#events.shift()
      if (event === undefined) await new Promise<void>(resolve => (this.#wake = resolve))
      else yield event
    }
  }
}
