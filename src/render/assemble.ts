import type {Diagnostic} from '../diagnostic.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {CrossplaneError} from '../errors.js'
import {nameOf, objectKey} from '../kubernetes/object-key.js'
import type {JsonValue} from '../yaml/json-value.js'
import {writeJson} from '../yaml/write-yaml.js'
import {type InstallSet, PHASES, type SetInstall, type SetObject} from './install-set.js'
import {claimant, withoutClaims} from './labels.js'

/**
 * Joins many installs' objects into one set: by phase, and within a phase in the order given. Objects that installs
 * share occur once, with all claims. Throws `conflict` if two installs have different content for one object.
 */
export function assembleInstallSet(
  installs: readonly SetInstall[],
  objects: readonly SetObject[],
  warnings: readonly Diagnostic[],
): InstallSet {
  const merged = new Map<string, SetObject>()
  for (const object of objects) {
    const key = objectKey(nameOf(object.object))
    const earlier = merged.get(key)
    merged.set(key, earlier === undefined ? object : share(earlier, object))
  }
  const all = [...merged.values()]
  return {
    installs,
    objects: PHASES.flatMap(phase => all.filter(object => object.phase === phase)),
    warnings,
  }
}

function share(earlier: SetObject, later: SetObject): SetObject {
  const same = sameButClaims(earlier.object, later.object)
  if (earlier.install !== undefined || later.install !== undefined || !same) throw conflict(earlier, later)
  const labels = {...earlier.object.metadata.labels, ...later.object.metadata.labels}
  return {
    ...earlier,
    ...ownersOf(earlier, later),
    object: withLabels(earlier.object, labels),
  }
}

/** What claims an object, and what owns it, in either of two sets. */
function ownersOf(earlier: SetObject, later: SetObject): Pick<SetObject, 'claims' | 'ownedBy'> {
  const claims = [...(earlier.claims ?? []), ...(later.claims ?? [])]
  const ownedBy = [...(earlier.ownedBy ?? []), ...(later.ownedBy ?? [])]
  return {...(claims.length === 0 ? {} : {claims}), ...(ownedBy.length === 0 ? {} : {ownedBy})}
}

function withLabels(object: KubernetesObject, labels: Readonly<Record<string, string>>): KubernetesObject {
  if (Object.keys(labels).length === 0) return object
  return {...object, metadata: {...object.metadata, labels}}
}

function sameButClaims(a: KubernetesObject, b: KubernetesObject): boolean {
  return writeJson(unclaimed(a)) === writeJson(unclaimed(b))
}

function unclaimed(object: KubernetesObject): JsonValue {
  return {...object, metadata: {...object.metadata, labels: withoutClaims(object.metadata.labels ?? {})}}
}

function conflict(earlier: SetObject, later: SetObject): CrossplaneError {
  const {kind, metadata} = later.object
  const [first, second] = [claimantsOf(earlier), claimantsOf(later)]
  if (first === second) {
    return new CrossplaneError(
      'conflict',
      `the install ${first} is requested twice: both have the ${kind} ${metadata.name}`,
      {
        suggestions: ['Keep one of them, or give the other a name of its own.'],
      },
    )
  }
  return new CrossplaneError(
    'conflict',
    `${kind} ${metadata.name} would be shared by ${first} and ${second}, with different content`,
    {
      suggestions: [
        'Give one install another name, or use one version of the package and one API for all installs that share it.',
      ],
    },
  )
}

/** The install that an object belongs to, or those that claim it. */
function claimantsOf({install, object}: SetObject): string {
  if (install !== undefined) return `${install.namespace}/${install.name}`
  const claims = Object.keys(object.metadata.labels ?? {}).flatMap(claimant)
  return claims.length === 0 ? 'the set itself' : claims.join(', ')
}
