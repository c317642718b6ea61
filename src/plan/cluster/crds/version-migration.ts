import {ownVersions} from '../../../crd/convert/convert-crd.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, asText, asTexts, type JsonObject} from '../../../yaml/json-value.js'

/** The move of the custom resources of a CRD to the storage version of its package. */
export interface VersionMigration {
  /** The versions that objects may be stored in and that the package no longer has, in the order of `storedVersions`. */
  readonly from: readonly string[]
  /** The storage version of the package. */
  readonly to: string
}

/**
 * Returns the migration by which a live CRD can lose stored versions. Undefined if it loses none, or if they cannot be
 * served beside the new ones: a v1beta1 CRD, versions that only a webhook converts, or ones that the live CRD lacks.
 */
export function versionMigration(
  content: KubernetesObject,
  live: KubernetesObject,
): VersionMigration | undefined {
  const spec = asObject(content.spec)
  const strategy = asText(asObject(spec.conversion).strategy)
  if (!content.apiVersion.endsWith('/v1') || (strategy !== '' && strategy !== 'None')) return undefined
  const to = ownVersions(spec).find(({storage}) => storage === true)
  const from = lostStoredVersions(content, live)
  const present = namesOf(live)
  if (to === undefined || from.length === 0 || !from.every(name => present.includes(name))) return undefined
  return {from, to: asText(to.name)}
}

/** Returns the versions that objects may be stored in and that the new content of a CRD lacks. */
function lostStoredVersions(content: KubernetesObject, {status}: KubernetesObject): readonly string[] {
  const kept = namesOf(content)
  return asTexts(asObject(status).storedVersions).filter(name => !kept.includes(name))
}

function namesOf({spec}: KubernetesObject): readonly string[] {
  return ownVersions(asObject(spec)).map(({name}) => asText(name))
}

/** Returns a CRD with versions of an older one beside its own; objects are stored in its own storage version. */
export function withVersions(
  content: KubernetesObject,
  older: KubernetesObject,
  names: readonly string[],
): KubernetesObject {
  const spec = asObject(content.spec)
  const added = ownVersions(asObject(older.spec))
    .filter(({name}) => names.includes(asText(name)))
    .map((version): JsonObject => ({...version, served: true, storage: false}))
  return {...content, spec: {...spec, versions: [...ownVersions(spec), ...added]}}
}
