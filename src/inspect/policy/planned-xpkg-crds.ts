import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {ChangedXpkg} from '../../plan/git/judge-xpkg-crds.js'
import type {XpkgObject} from '../../xpkg/content/xpkg.js'
import {asObject, asTexts, type JsonObject} from '../../yaml/json-value.js'
import {type CrdVersions, crdDeltas, unknownDelta} from './crd-delta.js'
import type {JudgedCrdChange} from './judged-plan.js'

/** Returns how new versions of packages change the CRDs that a core has installed for them. */
export function judgedCoreCrds(
  changes: readonly {readonly crds: readonly KubernetesObject[]; readonly objects: readonly XpkgObject[]}[],
): readonly JudgedCrdChange[] {
  return crdDeltas(
    changes.flatMap(({crds, objects}) => {
      const next = specsOf(objects)
      return crds.map(({metadata: {name}, spec, status}): CrdVersions => {
        const stored = asTexts(asObject(status).storedVersions)
        return {name, before: asObject(spec), ...afterOf(next.get(name)), stored}
      })
    }),
  )
}

/** Returns how a commit changes the CRDs of packages for a current Crossplane. */
export function judgedXpkgCrds(changes: readonly ChangedXpkg[]): readonly JudgedCrdChange[] {
  return changes.flatMap(({repository, before, after}): readonly JudgedCrdChange[] => {
    if ('reason' in before) return [unknownDelta(repository)]
    const next = specsOf(after)
    return crdDeltas(
      [...specsOf(before)].map(([name, spec]) => ({name, before: spec, ...afterOf(next.get(name))})),
    )
  })
}

function afterOf(after: JsonObject | undefined): Pick<CrdVersions, 'after'> {
  return after === undefined ? {} : {after}
}

/** The CRDs that objects lead to, without schemas: these are in the files of a package alone. */
function specsOf(objects: readonly XpkgObject[]): ReadonlyMap<string, JsonObject> {
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
