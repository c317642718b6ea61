import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {ChangedXpkg} from '../../plan/git/xpkg-losses.js'
import {crdSpecs} from '../../xpkg/content/crd-specs.js'
import {present} from '../../present.js'
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
      const next = crdSpecs(objects)
      return crds.map(({metadata: {name}, spec, status}): CrdVersions => {
        const stored = asTexts(asObject(status).storedVersions)
        return {name, before: asObject(spec), ...afterOf(next.get(name)), stored}
      })
    }),
  )
}

/** Returns how a change of a set changes the CRDs of packages for a current Crossplane. */
export function judgedXpkgCrds(changes: readonly ChangedXpkg[]): readonly JudgedCrdChange[] {
  return changes.flatMap(({repository, before, after, kept}): readonly JudgedCrdChange[] => {
    if (after === undefined) return []
    if ('reason' in before) return [unknownDelta(repository)]
    const next = crdSpecs(after.objects)
    return crdDeltas(
      [...crdSpecs(before.objects)].map(([name, spec]) => ({
        ...{name, before: spec, ...afterOf(next.get(name))},
        ...present({stored: kept.get(name)}),
      })),
    )
  })
}

function afterOf(after: JsonObject | undefined): Pick<CrdVersions, 'after'> {
  return after === undefined ? {} : {after}
}
