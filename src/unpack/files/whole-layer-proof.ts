import type {LayerChange} from './layer-change.js'
import {REGISTRY} from './registry-path.js'

/**
 * Decides whether layers below `start` can be left out: layer `start` has to begin with an empty `.registry/` that
 * replaces any other, and no entry may pass through a link of a layer that is not read. See docs/decisions/0008.
 */
export class WholeLayerProof {
  readonly #start: number
  readonly #beginning: LayerChange[] = []

  constructor(start: number) {
    this.#start = start
  }

  /** Reports whether a change, of all changes in their order, keeps the proof valid. */
  allows(layer: number, change: LayerChange): boolean {
    if (this.#start === 0) return true
    if (change.kind === 'outside-entry' || change.kind === 'outside-link') return false
    if (this.isComplete) return true
    this.#beginning.push(change)
    return layer === this.#start && hidesAllBelow(this.#beginning)
  }

  get isComplete(): boolean {
    return this.#start === 0 || this.#beginning.length === 2
  }
}

const PROOF = ['directory', 'hide-children'] as const

function hidesAllBelow(beginning: readonly LayerChange[]): boolean {
  return beginning.every(
    ({kind, path}, at) => kind === PROOF[at] && path.length === 1 && path[0] === REGISTRY,
  )
}
