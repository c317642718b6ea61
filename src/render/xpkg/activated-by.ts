import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asTexts} from '../../yaml/json-value.js'

/** Returns whether any of the policies activates a ManagedResourceDefinition, by its name. They have names, or patterns. */
export function activatedBy(policies: readonly KubernetesObject[]): (name: string) => boolean {
  return matcherOf(policies.flatMap(({spec}) => asTexts(asObject(spec).activate)))
}

/** Returns whether any of these names and patterns is that of a ManagedResourceDefinition. */
export function matcherOf(patterns: readonly string[]): (name: string) => boolean {
  return name => patterns.some(pattern => matches(pattern, name))
}

/** Anyone may write a policy: unlike a regular expression, this never takes longer than the lengths of the two multiplied. */
function matches(pattern: string, name: string): boolean {
  let [at, from, star, starFrom] = [0, 0, -1, 0]
  while (from < name.length) {
    if (pattern[at] === '*') {
      star = at
      at += 1
      starFrom = from
    } else if (pattern[at] === '?' || pattern[at] === name[from]) {
      at += 1
      from += 1
    } else if (star === -1) {
      return false
    } else {
      at = star + 1
      starFrom += 1
      from = starFrom
    }
  }
  return /^\**$/.test(pattern.slice(at))
}
