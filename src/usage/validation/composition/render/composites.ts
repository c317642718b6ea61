import {grouped} from '../../../../grouped.js'
import {groupOf} from '../../../../kubernetes/object-key.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../../../yaml/json-value.js'
import type {SurfacePackage} from '../../../compare-sets.js'
import type {UsedObject} from '../../../objects/used-object.js'
import {kindKey} from '../../../set-kinds.js'

/** A composite resource, or a claim that becomes one, with the Composition that it certainly uses. */
export interface CompositeUse {
  readonly object: UsedObject
  readonly isClaim: boolean
  readonly composition: JsonObject
}

/**
 * Pairs the composite resources and claims among objects with the Compositions among them.
 * @param packages - whose XRDs and Compositions decide as well; those among the objects come first.
 */
export function compositeUses(
  objects: readonly UsedObject[],
  packages: readonly SurfacePackage[],
): readonly CompositeUse[] {
  const compositions = grouped(candidatesOf(objects, packages), ({spec}) =>
    textOf(asObject(spec).compositeTypeRef),
  )
  const xrds = xrdsByKind([
    ...objects.filter(isXrd).map(({value}) => asObject(value.spec)),
    ...packageXrds(packages),
  ])
  return objects.flatMap((object): readonly CompositeUse[] => {
    const {apiVersion, kind: own, value} = object
    const xrd = xrds.get(kindKey(groupOf(apiVersion), own))
    const kind = asText(asObject(xrd?.names).kind) || own
    const candidates = compositions.get(textOf({apiVersion, kind})) ?? []
    const composition = compositionOf(value, xrd, candidates)
    return composition === undefined ? [] : [{object, isClaim: kind !== own, composition}]
  })
}

function textOf(type: JsonValue | undefined): string {
  const {apiVersion, kind} = asObject(type)
  return `${asText(apiVersion)} ${asText(kind)}`
}

/** Returns specs of XRDs by the kinds of their composite resources and claims; of several, the first one. */
function xrdsByKind(specs: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  const byKind = new Map<string, JsonObject>()
  for (const spec of specs) {
    for (const names of [spec.names, spec.claimNames]) {
      const key = kindKey(asText(spec.group), asText(asObject(names).kind))
      if (!byKind.has(key)) byKind.set(key, spec)
    }
  }
  return byKind
}

/** A cluster has one Composition of a name: that of a user is in the place of one of a package. */
function candidatesOf(
  objects: readonly UsedObject[],
  packages: readonly SurfacePackage[],
): readonly JsonObject[] {
  const all = objects.filter(isComposition)
  const own = all.filter(({configuration}) => configuration === undefined).map(({value}) => value)
  const judged = all.filter(({configuration}) => configuration !== undefined).map(({value}) => value)
  const ofPackages = [...judged, ...without(judged, packages.flatMap(compositionsOf))]
  return [...own, ...without(own, ofPackages)]
}

function compositionsOf({surface: {compositions = []}}: SurfacePackage): readonly JsonObject[] {
  return compositions
}

function without(named: readonly JsonObject[], others: readonly JsonObject[]): readonly JsonObject[] {
  const names = new Set(named.map(nameOf))
  return others.filter(one => !names.has(nameOf(one)))
}

/** Returns what is known of the XRDs of packages: their group and kinds, and the Compositions that they name. */
function packageXrds(packages: readonly SurfacePackage[]): readonly JsonObject[] {
  return packages.flatMap(({surface: {crds}}) =>
    crds.flatMap(({source, spec, kind, choice}, at) => {
      if (source !== 'xrd' || choice === undefined) return []
      // A claim follows its XRD.
      const claim = crds[at + 1]
      return [
        {
          group: asText(spec.group),
          names: {kind},
          ...(claim?.source === 'claim' ? {claimNames: {kind: claim.kind}} : {}),
          enforcedCompositionRef: {name: choice.enforced},
          defaultCompositionRef: {name: choice.fallback},
        },
      ]
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
