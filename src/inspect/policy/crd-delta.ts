import {ownVersions} from '../../crd/convert/convert-crd.js'
import {narrowedVersions} from '../../crd/instances/narrowed-versions.js'
import type {CrdChangeKind} from '../../declaration/policy/policy.js'
import {breakingChanges} from '../../plan/cluster/crds/breaking-change.js'
import {asText, type JsonObject} from '../../yaml/json-value.js'
import type {JudgedCrdChange} from './judged-plan.js'

/** A CRD before and after a change. */
export interface CrdVersions {
  readonly name: string
  /** The `spec` that it has. */
  readonly before: JsonObject
  /** The `spec` that it gets; absent if it is dropped. */
  readonly after?: JsonObject
  /** Further versions in which objects can be stored besides that of the former `spec`. */
  readonly stored?: readonly string[]
  /** Whether the API server drops fields that the new schema does not name. */
  readonly isPruning?: boolean
}

/** Returns how CRDs change; nothing for those that lose nothing. */
export function crdDeltas(crds: readonly CrdVersions[]): readonly JudgedCrdChange[] {
  return crds.flatMap(crd => {
    const delta = crdDelta(crd)
    return delta.changes.length === 0 ? [] : [delta]
  })
}

/** Returns the change of what cannot be read: it can have lost anything. */
export function unknownDelta(name: string): JudgedCrdChange {
  return {name, changes: ['unknown'], removedVersions: [], unservedVersions: [], fields: []}
}

function crdDelta({name, before, after, stored = [], isPruning = true}: CrdVersions): JudgedCrdChange {
  const none = {name, removedVersions: [], unservedVersions: [], fields: []}
  if (after === undefined) return {...none, changes: ['dropped']}
  const removed = lost(before, after, () => true)
  const unserved = lost(before, after, ({served}) => served === true).filter(
    version => !removed.includes(version),
  )
  const kept = [...stored, ...namesOf(before, ({storage}) => storage === true)]
  const narrowed = narrowedVersions(before, after).filter(({kind}) => isPruning || kind !== 'pruned')
  const broken = breakingChanges(before, after, []).map(({rule}) => rule)
  const changes: Readonly<Record<CrdChangeKind, boolean>> = {
    dropped: false,
    'fields-pruned': narrowed.some(({kind}) => kind === 'pruned'),
    'names-changed': broken.includes('crd-names-changed'),
    'schema-narrowed': narrowed.some(({kind}) => kind === 'rejected'),
    'scope-changed': broken.includes('crd-scope-changed'),
    'stored-version-removed': kept.some(version => removed.includes(version)),
    'version-removed': removed.length > 0,
    'version-unserved': unserved.length > 0,
  }
  return {
    name,
    changes: (Object.keys(changes) as CrdChangeKind[]).filter(kind => changes[kind]),
    removedVersions: removed,
    unservedVersions: unserved,
    fields: [...new Set(narrowed.map(({field}) => field))],
  }
}

type VersionFilter = (version: JsonObject) => boolean

function namesOf(spec: JsonObject, isWanted: VersionFilter): readonly string[] {
  return ownVersions(spec)
    .filter(isWanted)
    .map(({name}) => asText(name))
}

/** The versions that the former CRD has and the new one lacks, of those that are wanted. */
function lost(before: JsonObject, after: JsonObject, isWanted: VersionFilter): readonly string[] {
  const kept = new Set(namesOf(after, isWanted))
  return namesOf(before, isWanted).filter(name => !kept.has(name))
}
