import type {KubernetesObject} from '../unpack/kubernetes-object.js'
import {CrossplaneError} from '../errors.js'
import type {JsonValue} from '../yaml/json-value.js'
import {type InstallId, type InstallSet, PHASES, type SetObject, type Warning} from './install-set.js'
import {isClaim} from './labels.js'

/**
 * One set of many installs' objects: by phase, and within a phase in the order given. What installs share is one
 * object with all their claims. Throws `conflict` where two installs want different things of one object.
 */
export function assembleInstallSet(
  installs: readonly InstallId[],
  objects: readonly SetObject[],
  warnings: readonly Warning[],
): InstallSet {
  const merged = new Map<string, SetObject>()
  for (const each of objects) {
    const key = identityOf(each.object)
    const earlier = merged.get(key)
    merged.set(key, earlier === undefined ? each : share(earlier, each))
  }
  const all = [...merged.values()]
  return {
    installs,
    objects: PHASES.flatMap(phase => all.filter(each => each.phase === phase)),
    warnings,
  }
}

/** API group, kind, namespace and name: what a cluster tells objects apart by, whatever their version. */
function identityOf({apiVersion, kind, metadata}: KubernetesObject): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return [group, kind, metadata.namespace ?? '', metadata.name].join('\0')
}

function share(earlier: SetObject, later: SetObject): SetObject {
  const shared = earlier.install === undefined && later.install === undefined
  if (!shared || !sameButClaims(earlier.object, later.object)) throw conflict(earlier, later)
  const labels = {...earlier.object.metadata.labels, ...later.object.metadata.labels}
  if (Object.keys(labels).length === 0) return earlier
  return {...earlier, object: {...earlier.object, metadata: {...earlier.object.metadata, labels}}}
}

function sameButClaims(a: KubernetesObject, b: KubernetesObject): boolean {
  return fingerprint(withoutClaims(a)) === fingerprint(withoutClaims(b))
}

function withoutClaims(object: KubernetesObject): JsonValue {
  const labels = Object.entries(object.metadata.labels ?? {}).filter(([name]) => !isClaim(name))
  return {...object, metadata: {...object.metadata, labels: Object.fromEntries(labels)}}
}

function fingerprint(value: JsonValue): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))
}

function conflict(earlier: SetObject, later: SetObject): CrossplaneError {
  const {kind, metadata} = later.object
  const owners = [earlier, later].map(({install}) =>
    install === undefined ? 'another' : `${install.namespace}/${install.name}`,
  )
  return new CrossplaneError(
    'conflict',
    `${kind} ${metadata.name} would belong to two installs that differ: ${owners.join(' and ')}`,
    {suggestions: ['Give one of them another name, or install one version of the package for both.']},
  )
}
