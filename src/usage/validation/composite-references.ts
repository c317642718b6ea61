import type {ValueError} from '../../crd/instances/check-object.js'
import {groupOf} from '../../kubernetes/object-key.js'
import {asObject, asText, type FieldPath} from '../../yaml/json-value.js'
import {valueAt} from '../../yaml/value-at.js'
import type {SurfacePackage} from '../compare-sets.js'
import type {UsedObject} from '../objects/used-object.js'
import {kindKey} from '../set-kinds.js'

/** What a composite resource or a claim is an instance of. */
interface CompositeKind {
  /** The kind of the composite resource. */
  readonly composite: string
  /** Whether every instance uses the Composition that the XRD names. */
  readonly isEnforced: boolean
}

/** A kind of composite resources without its version: the XRD decides in which one Crossplane reads them. */
interface ComposedFor {
  readonly group: string
  readonly kind: string
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
      if (other === undefined || all.some(one => one.group === of.group && one.kind === of.kind)) return []
      const message = `${to} ${name} is for ${other.kind}.${other.group}, not for ${of.kind}.${of.group}`
      return [{place, message}]
    })
}

const EXTENSIONS = 'apiextensions.crossplane.io'

type Target = 'Composition' | 'CompositionRevision'
type Targets = Readonly<Record<Target, ReadonlyMap<string, readonly ComposedFor[]>>>

interface NamedTarget {
  readonly name: string
  readonly of: ComposedFor
}

function byName(all: readonly NamedTarget[]): ReadonlyMap<string, readonly ComposedFor[]> {
  const named = new Map<string, ComposedFor[]>()
  for (const {name, of} of all) named.set(name, [...(named.get(name) ?? []), of])
  return named
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
      const of = {group: groupOf(asText(apiVersion)), kind: asText(kind)}
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
    for (const {source, kind, spec} of surface.crds) {
      if (source === 'xrd') composite = kind
      if (source === 'xrd' || source === 'claim')
        kinds.set(kindKey(asText(spec.group), kind), {composite, isEnforced: false})
    }
  }
  for (const {spec} of own.filter(isXrd).map(({value}) => ({spec: asObject(value.spec)}))) {
    const composite = asText(asObject(spec.names).kind)
    const isEnforced = asText(asObject(spec.enforcedCompositionRef).name) !== ''
    for (const kind of [composite, asText(asObject(spec.claimNames).kind)])
      kinds.set(kindKey(asText(spec.group), kind), {composite, isEnforced})
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
    const of = {group: asText(spec.group), kind: asText(asObject(spec.names).kind)}
    return ['enforcedCompositionRef', 'defaultCompositionRef'].map(field => ({
      ...{place: ['spec', field, 'name'], to: 'Composition', of},
    }))
  }
  const definition = composites.get(kindKey(group, kind))
  if (definition === undefined || definition.isEnforced) return []
  const of = {group, kind: definition.composite}
  return [['spec'], ['spec', 'crossplane']].flatMap(place =>
    machineryReferences(valueAt(value, place), place, of),
  )
}

/** Crossplane follows a reference to a revision only if updates are manual, and then no other one. */
function machineryReferences(
  machinery: ReturnType<typeof valueAt>,
  place: FieldPath,
  of: ComposedFor,
): readonly FoundReference[] {
  const {compositionUpdatePolicy, compositionRevisionRef} = asObject(machinery)
  const isRevision =
    compositionUpdatePolicy === 'Manual' && asText(asObject(compositionRevisionRef).name) !== ''
  return isRevision
    ? [{place: [...place, 'compositionRevisionRef', 'name'], to: 'CompositionRevision', of}]
    : [{place: [...place, 'compositionRef', 'name'], to: 'Composition', of}]
}
