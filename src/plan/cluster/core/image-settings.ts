import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {nameOf, objectKey} from '../../../kubernetes/object-key.js'
import type {XpkgSetObject} from '../../../render/xpkg/xpkg-set.js'
import {escaped} from '../../../text.js'
import {jsonEqual} from '../../../yaml/json-equal.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'
import {kubectlGet} from '../objects/object-reasons.js'
import {coreReference} from './read-core-object.js'
import {isOurs} from './requested-as.js'
import {matchedPrefixes, rewriteTarget} from './unused-image-configs.js'

/** A set whose ImageConfigs keep what others say, and warnings about what they cannot keep, by the keys of requests. */
interface KeptSettings {
  readonly objects: readonly XpkgSetObject[]
  readonly risks: ReadonlyMap<string, readonly Diagnostic[]>
}

/** What ImageConfigs say besides the rewriting, as users know it. */
export const IMAGE_SETTINGS = {
  registry: 'pull secret',
  verification: 'verification of signatures',
  runtime: 'runtime config',
} as const

export type ImageSetting = keyof typeof IMAGE_SETTINGS

/**
 * Keeps the settings of a cluster's ImageConfigs for packages that a set pins. The core looks for them by the reference after the
 * rewriting: a prefix with a tag does not match the digest of a pin, which then gets the setting itself. It does not where the
 * repository that is read changes: a pull secret is only for the registry that it was made for.
 */
export function withImageSettings(
  objects: readonly XpkgSetObject[],
  imageConfigs: readonly KubernetesObject[],
): KeptSettings {
  const own = objects.map(({object}) => object).filter(({kind}) => kind === 'ImageConfig')
  const names = new Set(own.map(({metadata}) => metadata.name))
  // Earlier pins have what they kept.
  const others = imageConfigs.filter(object => !names.has(object.metadata.name) && !isPin(object))
  const all = [...others, ...own]
  const kept = new Map<KubernetesObject, JsonObject>()
  const risks = new Map<string, readonly Diagnostic[]>()
  for (const {object} of objects) {
    const reference = asText(asObject(object.spec).package)
    if (reference === '') continue
    const [before, after] = [rewritten(reference, others), rewritten(reference, all)]
    const lost = lostSettings({before, after}, others, all)
    const pin = own.find(one => matchedPrefixes(one).includes(reference))
    const isSame = coreReference(before).repository === coreReference(after).repository
    if (lost.length === 0) continue
    if (pin !== undefined && isSame)
      kept.set(
        pin,
        Object.fromEntries(lost.map(({setting, by}) => [setting, asObject(by.spec)[setting] ?? null])),
      )
    else
      risks.set(
        objectKey(nameOf(object)),
        lost.filter(({isReplaced}) => !isReplaced).map(one => lostRisk(one, before, after)),
      )
  }
  return {
    objects: objects.map(one => ({...one, object: withSettings(one.object, kept.get(one.object))})),
    risks,
  }
}

/** Reports whether this program pins a package by an ImageConfig. */
export function isPin(object: KubernetesObject): boolean {
  return isOurs(object) && rewriteTarget(object).includes('@')
}

/** A setting that a package had before it was rewritten in another way. */
interface LostSetting {
  readonly setting: ImageSetting
  readonly by: KubernetesObject
  /** Whether it has another one now. */
  readonly isReplaced: boolean
}

function lostSettings(
  {before, after}: {readonly before: string; readonly after: string},
  others: readonly KubernetesObject[],
  all: readonly KubernetesObject[],
): readonly LostSetting[] {
  if (before === after) return []
  return (Object.keys(IMAGE_SETTINGS) as ImageSetting[]).flatMap((setting): readonly LostSetting[] => {
    const had = bestMatch(before, others, object => isSet(object, setting))?.object
    const has = bestMatch(after, all, object => isSet(object, setting))?.object
    if (had === undefined) return []
    const isKept = has !== undefined && jsonEqual(asObject(has.spec)[setting], asObject(had.spec)[setting])
    return isKept ? [] : [{setting, by: had, isReplaced: has !== undefined}]
  })
}

/** Reports whether an ImageConfig has a setting, where `registry` counts only with a pull secret. */
export function isSet({spec}: KubernetesObject, setting: ImageSetting): boolean {
  const value = asObject(spec)[setting]
  if (setting !== 'registry') return value !== undefined
  return asText(asObject(asObject(asObject(value).authentication).pullSecretRef).name) !== ''
}

/** Returns a reference as a core reads it. */
export function rewritten(reference: string, imageConfigs: readonly KubernetesObject[]): string {
  const best = bestMatch(reference, imageConfigs, object => rewriteTarget(object) !== '')
  if (best === undefined) return reference
  return `${rewriteTarget(best.object)}${reference.slice(best.prefix.length)}`
}

/** Returns the ImageConfig that applies to a reference. Of two with the longest prefix, the core takes the first one. */
export function bestMatch(
  reference: string,
  imageConfigs: readonly KubernetesObject[],
  isWanted: (object: KubernetesObject) => boolean,
): {readonly object: KubernetesObject; readonly prefix: string} | undefined {
  const [best] = imageConfigs
    .filter(isWanted)
    .flatMap(object => matchedPrefixes(object).map(prefix => ({object, prefix})))
    .filter(({prefix}) => prefix !== '' && reference.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length)
  return best
}

function withSettings(object: KubernetesObject, settings: JsonObject | undefined): KubernetesObject {
  if (settings === undefined) return object
  const spec = asObject(object.spec)
  const matchImages = [...asObjects(spec.matchImages), {type: 'Prefix', prefix: rewriteTarget(object)}]
  return {...object, spec: {...spec, matchImages, ...settings}}
}

function lostRisk({setting, by}: LostSetting, before: string, after: string): Diagnostic {
  const [from, to] = [before, after].map(text => escaped(coreReference(text).repository))
  const {name} = by.metadata
  return {
    severity: 'warning',
    rule: 'xpkg-image-setting',
    message: `Crossplane will read ${to} in place of ${from}, and the ${IMAGE_SETTINGS[setting]} of ImageConfig ${escaped(name)} is not for it`,
    suggestions: [kubectlGet(nameOf(by))],
  }
}
