import {groupOf} from '../../../../kubernetes/object-key.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../../yaml/json-value.js'
import type {SurfacePackage} from '../../../compare-sets.js'
import type {UsedObject} from '../../../objects/used-object.js'

/** A composite resource, or a claim that becomes one, with the Composition that it certainly uses. */
export interface CompositeUse {
  readonly object: UsedObject
  readonly isClaim: boolean
  readonly composition: JsonObject
}

/**
 * Pairs the composite resources and claims among objects with the Compositions among them.
 * @param claimed - the XRDs with claims that packages have; those among the objects come first.
 */
export function compositeUses(
  objects: readonly UsedObject[],
  claimed: readonly JsonObject[] = [],
): readonly CompositeUse[] {
  const compositions = objects.filter(isComposition).map(({value}) => value)
  const xrds = [...objects.filter(isXrd).map(({value}) => asObject(value.spec)), ...claimed]
  return objects.flatMap((object): readonly CompositeUse[] => {
    const xrd = xrds.find(({group, names, claimNames}) => {
      const kinds = [asText(asObject(names).kind), asText(asObject(claimNames).kind)]
      return group === groupOf(object.apiVersion) && kinds.includes(object.kind)
    })
    const kind = asText(asObject(xrd?.names).kind) || object.kind
    const of = {apiVersion: object.apiVersion, kind}
    const composition = compositionOf(
      object.value,
      xrd,
      compositions.filter(one => isFor(one, of)),
    )
    return composition === undefined ? [] : [{object, isClaim: kind !== object.kind, composition}]
  })
}

/**
 * Returns what is known of the XRDs of packages that offer claims: their group and kinds. Not of those that enforce a Composition, whose name is
 * not known.
 */
export function claimedXrds(packages: readonly SurfacePackage[]): readonly JsonObject[] {
  return packages.flatMap(({surface: {crds}}) =>
    crds.flatMap(({source, spec, kind, choice}, at) => {
      // A claim follows its XRD.
      const xrd = source === 'claim' ? crds[at - 1] : undefined
      if (xrd?.source !== 'xrd' || choice?.isEnforced === true) return []
      return [{group: asText(spec.group), names: {kind: xrd.kind}, claimNames: {kind}}]
    }),
  )
}

function isOfCrossplane({apiVersion}: UsedObject): boolean {
  return groupOf(apiVersion) === 'apiextensions.crossplane.io'
}

function isComposition(object: UsedObject): boolean {
  return isOfCrossplane(object) && object.kind === 'Composition'
}

function isXrd(object: UsedObject): boolean {
  return isOfCrossplane(object) && object.kind === 'CompositeResourceDefinition'
}

function isFor({spec}: JsonObject, of: {readonly apiVersion: string; readonly kind: string}): boolean {
  const {apiVersion, kind} = asObject(asObject(spec).compositeTypeRef)
  return apiVersion === of.apiVersion && kind === of.kind
}

/** Crossplane takes any Composition that fits if nothing selects one. */
function compositionOf(
  {spec}: JsonObject,
  xrd: JsonObject | undefined,
  candidates: readonly JsonObject[],
): JsonObject | undefined {
  const own = {...asObject(spec), ...asObject(asObject(spec).crossplane)}
  const names = [xrd?.enforcedCompositionRef, own.compositionRef]
    .map(reference => asText(asObject(reference).name))
    .filter(name => name !== '')
  const [name] = names
  if (name !== undefined) return candidates.find(one => nameOf(one) === name)
  const labels = Object.entries(asObject(asObject(own.compositionSelector).matchLabels))
  const selected = candidates.filter(({metadata}) =>
    labels.every(([key, value]) => asObject(asObject(metadata).labels)[key] === value),
  )
  const fallback = asText(asObject(xrd?.defaultCompositionRef).name)
  if (labels.length === 0 && fallback !== '') return candidates.find(one => nameOf(one) === fallback)
  return selected.length === 1 ? selected[0] : undefined
}

function nameOf({metadata}: JsonObject): string {
  return asText(asObject(metadata).name)
}

const RESOURCE_NAME = 'crossplane.io/composition-resource-name'

/** Returns the objects that are composed resources. */
export function composedResources(objects: readonly UsedObject[]): readonly UsedObject[] {
  return objects.filter(
    ({value}) => asText(asObject(asObject(value.metadata).annotations)[RESOURCE_NAME]) !== '',
  )
}

/** Returns the composed resources of a composite resource among objects, by their names in the Composition. */
export function observedResources(
  objects: readonly UsedObject[],
  composite: JsonObject,
): ReadonlyMap<string, JsonObject> {
  const name = nameOf(composite)
  return new Map(
    objects.flatMap(({value}): [string, JsonObject][] => {
      const {annotations, labels, ownerReferences} = asObject(value.metadata)
      const resource = asText(asObject(annotations)[RESOURCE_NAME])
      const owners = [
        asText(asObject(labels)['crossplane.io/composite']),
        ...asObjects(ownerReferences).map(owner => asText(owner.name)),
      ].filter(owner => owner !== '')
      const isOwn = resource !== '' && (owners.length === 0 || owners.includes(name))
      return isOwn ? [[resource, value]] : []
    }),
  )
}
