import type {JsonObject} from '../../yaml/json-value.js'
import type {XpkgObject} from './xpkg.js'

/** Returns the `spec` of each CRD that objects lead to, by name, without schemas: only the files of a package have these. */
export function crdSpecs(objects: readonly XpkgObject[]): ReadonlyMap<string, JsonObject> {
  return new Map(
    objects.flatMap(({crds = [], defines}) =>
      crds.map(({group, kind, plural, scope, served, stored}) => {
        const names = new Set([...served, stored, ...(defines?.versions ?? [])])
        const versions = [...names].map(name => ({
          ...{name, served: served.includes(name), storage: name === stored},
        }))
        return [`${plural}.${group}`, {group, scope, names: {kind, plural}, versions}] as const
      }),
    ),
  )
}
