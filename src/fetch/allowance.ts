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

  /** Takes `amount` off; `holder` names what has it. */
  spend(amount: number, holder: string): void {
    this.#spent += amount
    if (this.#spent <= this.#limit) return
    throw new CrossplaneError(
      'limit-exceeded',
      `cannot read ${holder}: it has more than ${this.#limit} ${this.#unit}`,
    )
  }
}
