import {CrossplaneError} from '../errors.js'

/** So much of something, spent as it is met; whoever spends more gets `limit-exceeded`. */
export class Allowance {
  readonly #limit: number
  readonly #unit: string
  #spent = 0

  /** `unit` completes the sentence "… holds more than 64 …". */
  constructor(limit: number, unit: string) {
    this.#limit = limit
    this.#unit = unit
  }

  /** Takes `amount` off; `holder` names the thing that asked for it, at the start of a sentence. */
  spend(amount: number, holder: string): void {
    this.#spent += amount
    if (this.#spent <= this.#limit) return
    throw new CrossplaneError('limit-exceeded', `${holder} holds more than ${this.#limit} ${this.#unit}.`)
  }
}
