import {CrossplaneError} from '../errors.js'

/** Enforces a limit; throws `limit-exceeded`. */
export class Allowance {
  readonly #limit: number
  readonly #unit: string
  #spent = 0

  /** `unit` completes the sentence "… has more than 64 …". */
  constructor(limit: number, unit: string) {
    this.#limit = limit
    this.#unit = unit
  }

  /** Subtracts `amount`; `holder` is named in the error. */
  spend(amount: number, holder: string): void {
    this.#spent += amount
    if (this.#spent <= this.#limit) return
    throw new CrossplaneError(
      'limit-exceeded',
      `cannot read ${holder}: it has more than ${this.#limit} ${this.#unit}`,
    )
  }
}
