import {quoted} from '../text.js'
import type {JsonObject} from '../yaml/json-value.js'

/** Returns why an entry of `dependsOn` names no dependency, to follow its path; undefined if it does. */
export function dependencyError({crd, package: repository}: JsonObject): string | undefined {
  if (crd !== undefined && repository !== undefined)
    return 'names both a crd and a package; only one is allowed'
  if (crd === undefined && repository === undefined) return 'names neither a crd nor a package'
  if (typeof crd === 'string' && /^(\.|\/|$)/.test(crd)) return `names no resource: ${quoted(crd)}`
  return undefined
}
