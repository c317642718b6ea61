import {CrossplaneError} from '../../errors.js'
import type {Allowance} from '../../fetch/allowance.js'
import {quoted} from '../../text.js'

/**
 * The links of an image outside of `.registry/`, of all its layers. A runtime writes an entry to the target of the
 * links among its parents, which can be in `.registry/`. A link is kept even if it is replaced: the few entries that
 * are compared with them (`readEntry` selects them) do not occur below links in images that tools build.
 */
export class OutsideLinks {
  readonly #paths = new Set<string>()
  readonly #bytes: Allowance

  /** Every stored path is taken from `bytes`. */
  constructor(bytes: Allowance) {
    this.#bytes = bytes
  }

  add(path: readonly string[], holder: string): void {
    const text = path.join('/')
    this.#bytes.spend(text.length, holder)
    this.#paths.add(text)
  }

  has(path: readonly string[]): boolean {
    return this.#paths.has(path.join('/'))
  }

  /** Throws `source-unsafe` for a path with a link among its parents. */
  expectNotBelow(path: readonly string[], holder: string): void {
    const link = path.findIndex((_, index) => index > 0 && this.has(path.slice(0, index)))
    if (link === -1) return
    throw new CrossplaneError(
      'source-unsafe',
      `cannot read ${holder}: ${quoted(path.join('/'))} may reach .registry/ through the link ` +
        quoted(path.slice(0, link).join('/')),
      {suggestions: ['Build the image again with the file itself below .registry/.']},
    )
  }
}
