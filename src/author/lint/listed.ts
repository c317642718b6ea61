import {firstOf} from '../../fetch/quoted.js'

const MOST = 5

/** Names as a list in a sentence of a finding. */
export function listed(names: readonly string[]): string {
  return firstOf(names, MOST)
}
