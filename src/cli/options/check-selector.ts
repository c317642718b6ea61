import {parseLabelSelector} from '../../kubernetes/label-selector.js'

/** Checks the value of `-l`. Throws `usage`. */
export function checkSelector(selector: string): string {
  parseLabelSelector(selector)
  return selector
}
