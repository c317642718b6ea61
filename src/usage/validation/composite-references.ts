import type {ValueError} from '../../crd/instances/check-object.js'
import {grouped} from '../../grouped.js'
import {groupOf} from '../../kubernetes/object-key.js'
import {compositionChoice, type CompositionChoice} from '../../xpkg/content/xrd-crds.js'
import {asObject, asText, type FieldPath, type JsonObject} from '../../yaml/json-value.js'
import {valueAt} from '../../yaml/value-at.js'
import type {SurfacePackage} from '../compare-sets.js'
import {isOpenText} from '../objects/open-values.js'
import type {UsedObject} from '../objects/used-object.js'
import {kindKey} from '../set-kinds.js'

/** What a composite resource or a claim is an instance of. */
interface CompositeKind extends CompositionChoice {
  /** The kind of the composite resource. */
  readonly composite: string
}

/** A kind of composite resources without its version: the XRD decides in which one Crossplane reads them. */
interface ComposedFor {
  readonly group: string
  readonly kind: string
  /** Whether a part of it is a variable: it can be any kind. */
  readonly isOpen?: boolean
}

/** Returns what finds the references of an object to Compositions, or to their revisions, that are for composite resources of another kind. */
export function compositeReferences(
  packages: readonly SurfacePackage[],
  objects: readonly UsedObject[],
): (object: UsedObject) => readonly Omit<ValueError, 'keyword'>[] {
  const own = objects.filter(({apiVersion}) => groupOf(apiVersion) === EXTENSIONS)
  const targets: Targets = {
    Composition: byName([...ofPackages(packages), ...ofObjects(own, 'Composition')]),
    CompositionRevision: byName(ofObjects(own, 'CompositionRevision')),
  }
  const composites = compositeKinds(packages, own)
  return ({apiVersion, kind, value}) =>
    referencesOf(composites, {apiVersion, kind, value}).flatMap(({place, to, of}) => {
      const name = asText(valueAt(value, place))
      const all = targets[to].get(name) ?? []
      const [other] = all
      // With several of one name, one of which is for the kind, it is not known which one is meant.
      if (other === undefined || isOpenText(name) || all.some(one => isSame(one.of, of))) return []
      const message = `${to} ${name} is for ${other.of.kind}.${other.of.group}, not for ${of.kind}.${of.group}`
      return [{place, message}]
    })
}

function isSame(one: ComposedFor, other: ComposedFor): boolean {
  return (
    one.isOpen === true || other.isOpen === true || (one.group === other.group && one.kind === other.kind)
  )
}

const EXTENSIONS = 'apiextensions.crossplane.io'

type Target = 'Composition' | 'CompositionRevision'
type Targets = Readonly<Record<Target, ReadonlyMap<string, readonly NamedTarget[]>>>

interface NamedTarget {
  readonly name: string
  readonly of: ComposedFor
}

/** An object with a generateName has no name yet. */
function byName(all: readonly NamedTarget[]): ReadonlyMap<string, readonly NamedTarget[]> {
  return grouped(
    all.filter(({name}) => name !== ''),
    ({name}) => name,
  )
}

function ofPackages(packages: readonly SurfacePackage[]): readonly NamedTarget[] {
  return packages.flatMap(({surface}) =>
    (surface.activation?.compositions ?? []).flatMap(({name, of}) => (of === undefined ? [] : [{name, of}])),
  )
}

function ofObjects(objects: readonly UsedObject[], target: Target): readonly NamedTarget[] {
  return objects
    .filter(({kind}) => kind === target)
    .flatMap(({value}) => {
      const {apiVersion, kind} = asObject(asObject(value.spec).compositeTypeRef)
      const isOpen = [apiVersion, kind].some(isOpenText)
      const of = {group: groupOf(asText(apiVersion)), kind: asText(kind), isOpen}
      return of.kind === '' ? [] : [{name: asText(asObject(value.metadata).name), of}]
    })
}

/** XRDs among the objects replace those of packages. */
function compositeKinds(
  packages: readonly SurfacePackage[],
  own: readonly UsedObject[],
): ReadonlyMap<string, CompositeKind> {
  const kinds = new Map<string, CompositeKind>()
  for (const {surface} of packages) {
    let composite = ''
    // The CRD of claims follows that of their composite resources.
    for (const {source, kind, spec, choice} of surface.crds) {
      if (source === 'xrd') composite = kind
      if (choice !== undefined) kinds.set(kindKey(asText(spec.group), kind), {...choice, composite})
    }
  }
  for (const {value} of own.filter(isXrd)) {
    const spec = asObject(value.spec)
    const composite = asText(asObject(spec.names).kind)
    const keys = [composite, asText(asObject(spec.claimNames).kind)].map(kind =>
      kindKey(asText(spec.group), kind),
    )
    // Neither the places of the references nor the kind are known of a definition with variables.
    const isOpen = [composite, spec.scope].some(isOpenText)
    for (const key of keys)
      if (isOpen) kinds.delete(key)
      else kinds.set(key, {...compositionChoice(value), composite})
  }
  return kinds
}

function isXrd({kind}: Pick<UsedObject, 'kind'>): boolean {
  return kind === 'CompositeResourceDefinition'
}

interface FoundReference {
  readonly place: FieldPath
  readonly to: Target
  readonly of: ComposedFor
}

function referencesOf(
  composites: ReadonlyMap<string, CompositeKind>,
  {apiVersion, kind, value}: Pick<UsedObject, 'apiVersion' | 'kind' | 'value'>,
): readonly FoundReference[] {
  const spec = asObject(value.spec)
  const group = groupOf(apiVersion)
  if (group === EXTENSIONS && isXrd({kind})) {
    const own = asObject(spec.names).kind
    const of = {
      ...{group: asText(spec.group), kind: asText(own)},
      isOpen: [spec.group, own].some(isOpenText),
    }
    return ['enforcedCompositionRef', 'defaultCompositionRef'].map(field => ({
      ...{place: ['spec', field, 'name'], to: 'Composition', of},
    }))
  }
  const definition = composites.get(kindKey(group, kind))
  if (definition === undefined || definition.enforced !== '') return []
  const place = definition.isModern ? ['spec', 'crossplane'] : ['spec']
  const of = {group, kind: definition.composite}
  return machineryReferences(asObject(valueAt(value, place)), definition).map(([field, to]) => ({
    ...{place: [...place, field, 'name'], to, of},
  }))
}

/**
 * Crossplane follows a reference to a revision only if updates are manual, and then no other one. The policy of a claim is not that of
 * its composite resource where the XRD has one.
 */
function machineryReferences(
  {compositionUpdatePolicy, compositionRevisionRef}: JsonObject,
  {isManual}: CompositionChoice,
): readonly (readonly [field: string, to: Target])[] {
  const hasRevision = asText(asObject(compositionRevisionRef).name) !== ''
  const isUnknown = isOpenText(compositionUpdatePolicy) || (compositionUpdatePolicy === undefined && isManual)
  if (hasRevision && isUnknown) return []
  return hasRevision && compositionUpdatePolicy === 'Manual'
    ? [['compositionRevisionRef', 'CompositionRevision']]
    : [['compositionRef', 'Composition']]
}
