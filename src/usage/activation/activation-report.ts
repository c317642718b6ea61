import {groupOf, nameOf, objectText} from '../../kubernetes/object-key.js'
import {compareText} from '../../reference/compare-text.js'
import {isNeeded} from '../../render/xpkg/activation-policy.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import type {SurfacePackage} from '../compare-sets.js'
import type {ObjectsRead} from '../objects/read-objects.js'
import type {UnreadObjects, UsedObject} from '../objects/used-object.js'
import {type ComposingObject, composingObject, type CrdSurface} from '../package-surface.js'
import {type ActivationChoice, type ActivationState, activationStates} from './activation.js'

/** A use of a kind: an object of a file, or a Composition of a file or a package. */
export interface KindUse {
  /** The package that has the file; absent for files of users. */
  readonly package?: string
  readonly file: string
  /** Absent for an object of a cluster. */
  readonly line?: number
  /** `Kind namespace/name` */
  readonly object: string
  /** The step of a pipeline. */
  readonly step?: string
  readonly resource?: string
}

/** A managed resource that something uses. */
export interface UsedKind {
  /** `PLURAL.GROUP` */
  readonly name: string
  readonly kind: string
  readonly package: string
  readonly state: Exclude<ActivationState, 'always'>
  readonly uses: readonly KindUse[]
  /** The number of objects in the cluster; absent without a cluster, and where they could not be counted. */
  readonly live?: number
  /** Whether other managed resources of the package need it. */
  readonly isNeeded?: true
}

/** Which managed resources of a set are used, and which are active. */
export interface Activation {
  /** By name. */
  readonly used: readonly UsedKind[]
  /** The names of those that are active although nothing uses them: their CRDs could be saved. */
  readonly unused: readonly string[]
  /** What can use other kinds. */
  readonly unread: readonly UnreadObjects[]
  /** The packages whose kinds are all active, as they lack the capability safe-start. */
  readonly alwaysActive: readonly string[]
  readonly totals: ActivationTotals
}

interface ActivationTotals {
  /** The managed resources that policies decide about. */
  readonly managed: number
  readonly active: number
  readonly used: number
  /** Those that are used and not active. */
  readonly missing: number
}

/** The numbers of live objects, by the names of CRDs; undefined where they could not be counted. */
type LiveCounts = ReadonlyMap<string, number | undefined>

/** What a cluster uses. */
export interface LiveUse {
  readonly counts: LiveCounts
  /** Its Compositions and operations: they can have no instances yet. */
  readonly composing: readonly JsonObject[]
  /** What could not be listed. */
  readonly unread: readonly UnreadObjects[]
}

/** A managed resource that policies decide about. */
export interface ManagedKind {
  readonly package: string
  readonly crd: CrdSurface
  readonly state: UsedKind['state']
}

/** Returns the managed resources of a set that policies decide about, each once. */
export function managedKinds(
  packages: readonly SurfacePackage[],
  choice: ActivationChoice,
): readonly ManagedKind[] {
  const stateOf = activationStates(packages, choice)
  const kinds = new Map<string, ManagedKind>()
  for (const own of packages)
    for (const crd of own.surface.crds) {
      const state = stateOf(own, crd)
      if (state !== 'always' && !kinds.has(crd.name)) kinds.set(crd.name, {package: own.package, crd, state})
    }
  return [...kinds.values()].sort((a, b) => compareText(a.crd.name, b.crd.name))
}

/** Returns which managed resources objects and Compositions use, and which are active. */
export function activationOf(
  packages: readonly SurfacePackage[],
  managed: readonly ManagedKind[],
  {objects, unread}: Pick<ObjectsRead, 'objects' | 'unread'>,
  cluster?: LiveUse,
): Activation {
  const live = cluster?.counts
  const own = composingObjects(packages, objects)
  const composing = [...own, ...newComposing(cluster?.composing ?? [], own)]
  const usesOf = usesByKind(objects, composing)
  const isLive = (name: string) => live?.has(name) === true && live.get(name) !== 0
  const usedPackages = new Set<string>()
  for (const {package: name, crd} of managed)
    if (usesOf(crd).length > 0 || isLive(crd.name)) usedPackages.add(name)
  const used = managed.flatMap(({package: name, crd, state}): readonly UsedKind[] => {
    const uses = usesOf(crd)
    const needed = isNeeded(crd.kind) && usedPackages.has(name)
    if (uses.length === 0 && !isLive(crd.name) && !needed) return []
    const count = live?.get(crd.name)
    return [
      {
        ...{name: crd.name, kind: crd.kind, package: name, state, uses},
        ...(count === undefined ? {} : {live: count}),
        ...(needed ? {isNeeded: true} : {}),
      },
    ]
  })
  const names = new Set(used.map(({name}) => name))
  const active = managed.filter(({state}) => state === 'active')
  return {
    used,
    unused: active.flatMap(({crd}) => (names.has(crd.name) ? [] : [crd.name])),
    unread: [...unread, ...composing.flatMap(unreadSteps), ...(cluster?.unread ?? []), ...uncounted(live)],
    alwaysActive: alwaysActive(packages, managed),
    totals: {
      ...{managed: managed.length, active: active.length, used: used.length},
      missing: used.filter(({state}) => state === 'inactive').length,
    },
  }
}

interface PlacedComposing extends ComposingObject {
  readonly package?: string
}

function composingObjects(
  packages: readonly SurfacePackage[],
  objects: readonly UsedObject[],
): readonly PlacedComposing[] {
  return [
    ...objects.flatMap(({apiVersion, kind, value, file, lineOf}) =>
      isComposing(groupOf(apiVersion), kind) ? [composingObject({...value, kind}, file, lineOf)] : [],
    ),
    ...packages.flatMap(({package: name, surface}) =>
      (surface.activation?.compositions ?? []).map(own => ({...own, package: name})),
    ),
  ]
}

const COMPOSING = new Set([
  ...['Composition', 'CompositionRevision'].map(kind => `apiextensions.crossplane.io/${kind}`),
  ...['Operation', 'CronOperation', 'WatchOperation'].map(kind => `ops.crossplane.io/${kind}`),
])

/** Reports whether objects of a kind compose others. */
export function isComposing(group: string, kind: string): boolean {
  return COMPOSING.has(`${group}/${kind}`)
}

/**
 * Returns what the Compositions of a cluster have and those of the same names in files and packages do not have, and what only their
 * revisions have: composite resources can stay at an earlier one.
 */
function newComposing(
  live: readonly JsonObject[],
  earlier: readonly PlacedComposing[],
): readonly PlacedComposing[] {
  const own = new Set(earlier.flatMap(one => partsOf(one, `${one.kind}/${one.name}`)))
  return live.toSorted(newestFirst).map(object => {
    const one = composingObject(object, 'the cluster', () => 0)
    const of = compositionOf(object) ?? `${one.kind}/${one.name}`
    const isNew = (part: string) => !own.has(JSON.stringify([of, part]))
    const added = {
      ...one,
      uses: one.uses.filter(use => isNew(kindPart(use))),
      unread: one.unread.filter(step => isNew(step.function)),
    }
    for (const part of partsOf(added, of)) own.add(part)
    return added
  })
}

function partsOf({uses, unread}: ComposingObject, of: string): readonly string[] {
  return [...uses.map(kindPart), ...unread.map(step => step.function)].map(part => JSON.stringify([of, part]))
}

function kindPart({group, kind}: ComposingObject['uses'][number]): string {
  return `${group}/${kind}`
}

/** Compositions, then their revisions. */
function newestFirst(a: JsonObject, b: JsonObject): number {
  const [one, other] = [revisionOf(a), revisionOf(b)]
  return one === other ? 0 : other - one
}

function revisionOf({kind, spec}: JsonObject): number {
  if (kind !== 'CompositionRevision') return Infinity
  const {revision} = asObject(spec)
  return typeof revision === 'number' ? revision : 0
}

/** The Composition of a revision. */
function compositionOf({kind, metadata}: JsonObject): string | undefined {
  if (kind !== 'CompositionRevision') return undefined
  const name = asText(asObject(asObject(metadata).labels)['crossplane.io/composition-name'])
  return name === '' ? undefined : `Composition/${name}`
}

function usesByKind(
  objects: readonly UsedObject[],
  composing: readonly PlacedComposing[],
): (crd: CrdSurface) => readonly KindUse[] {
  const uses = new Map<string, KindUse[]>()
  const add = (key: string, use: KindUse) => {
    const earlier = uses.get(key)
    if (earlier === undefined) uses.set(key, [use])
    else earlier.push(use)
  }
  for (const {apiVersion, kind, value, file, line} of objects)
    add(`${groupOf(apiVersion)}/${kind}`, {file, line, object: objectText(nameOf(value))})
  for (const {kind, name, file, uses: composed, package: holder} of composing)
    for (const {group, kind: used, version: _version, line, ...at} of composed) {
      const of = holder === undefined ? {} : {package: holder}
      add(`${group}/${used}`, {...of, file, ...lineAt(line), object: `${kind} ${name}`, ...at})
    }
  return ({spec, kind}) => uses.get(`${asText(spec.group)}/${kind}`) ?? []
}

/** Objects of a cluster have no lines. */
function lineAt(line: number): {readonly line?: number} {
  return line === 0 ? {} : {line}
}

function unreadSteps({kind, name, file, unread, package: holder}: PlacedComposing): readonly UnreadObjects[] {
  const of = holder === undefined ? '' : ` of ${holder}`
  return unread.map(({step, function: called, line}) => ({
    ...{file, ...lineAt(line)},
    reason: `step ${step} of ${kind} ${name}${of} can use other kinds: ${called}`,
  }))
}

function uncounted(live: LiveCounts = new Map()): readonly UnreadObjects[] {
  return [...live].flatMap(([name, total]) =>
    total === undefined ? [{file: name, reason: 'its objects in the cluster could not be counted'}] : [],
  )
}

function alwaysActive(
  packages: readonly SurfacePackage[],
  managed: readonly ManagedKind[],
): readonly string[] {
  const decided = new Set(managed.map(own => own.package))
  return packages.flatMap(({package: name, surface}) =>
    surface.activation?.kind === 'Provider' && surface.crds.length > 0 && !decided.has(name) ? [name] : [],
  )
}

/**
 * Returns what a declaration has to activate: exactly the kinds that are used, if all uses are known, else also all that it
 * activates now. Undefined if it activates all of them.
 */
export function namesToActivate(
  {used}: Activation,
  activated: readonly string[],
  cluster: 'absent' | 'known' | 'unread',
): readonly string[] | undefined {
  // A list that is not there yet cannot become shorter.
  if (cluster === 'known' || (cluster === 'unread' && activated.length === 0))
    return used.map(({name}) => name)
  const missing = used.filter(({state}) => state !== 'active').map(({name}) => name)
  return missing.length === 0 ? undefined : [...activated, ...missing]
}
