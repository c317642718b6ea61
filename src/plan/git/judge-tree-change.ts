import {ownVersions} from '../../crd/convert/convert-crd.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {objectKey} from '../../kubernetes/object-key.js'
import {count, escaped, listNames, plural, shellWord} from '../../text.js'
import {asObject, asText} from '../../yaml/json-value.js'
import type {ClusterSnapshot} from '../cluster/state/cluster-snapshot.js'
import {crdChange} from '../cluster/crds/crd-change.js'
import {gateCrd, migrationRejection} from '../cluster/crds/crd-gate.js'
import {objectName, someOf} from '../cluster/crds/crd-texts.js'
import type {DesiredObject} from '../cluster/state/desired-object.js'
import {
  type CrdUses,
  lostInstanceText,
  lostScope,
  type LostScope,
  servedKind,
} from '../cluster/crds/lost-instances.js'
import {unlisted} from '../cluster/uninstall/plan-uninstall.js'
import {uninstallImpact} from '../cluster/uninstall/uninstall-impact.js'
import type {CrdFileChange} from '../folder/crd-file-changes.js'
import type {CrdImpact, Dependent} from '../uninstall-impact.js'
import type {DroppedCrd} from './judge-dropped-crds.js'
import {notInCluster} from './not-in-cluster.js'

/** The changes of a tree that instances in a cluster can prevent. */
export interface TreeChange {
  readonly changed: readonly CrdFileChange[]
  /** CRDs that store objects in another version, and keep the former one. */
  readonly migrated?: readonly Pick<CrdFileChange, 'path' | 'name'>[]
  /** CRDs of `changed` and others whose schemas accept less than before. */
  readonly narrowed?: readonly Pick<CrdFileChange, 'path' | 'name'>[]
  readonly dropped: readonly DroppedCrd[]
  readonly removal?: TreeRemoval
}

/** Returns the names of the CRDs whose instances decide about a change. */
export function crdNames({
  changed,
  migrated = [],
  narrowed = [],
  dropped,
  removal,
}: TreeChange): readonly string[] {
  const named = [...changed, ...migrated, ...narrowed, ...dropped].map(({name}) => name)
  return [...new Set([...named, ...(removal?.crds ?? [])])]
}

/** An install that leaves a tree: its controller, or afterwards its CRDs. */
export interface TreeRemoval {
  readonly install: Inventory['install']
  /** The names of its CRDs. */
  readonly crds: readonly string[]
  /** Whether the CRDs leave the tree. */
  readonly areDeleted: boolean
}

/** Judges the changed CRDs of a tree by the gate of a cluster: a replacement is a warning, because users carry it out. */
export function judgeChangedCrds(
  changed: readonly Pick<CrdFileChange, 'path' | 'name'>[],
  desired: readonly DesiredObject[],
  snapshot: ClusterSnapshot,
): readonly Diagnostic[] {
  return changed.flatMap(crdFileChange => {
    const object = desired.find(({key}) => key === crdKey(crdFileChange.name))
    const live = snapshot.live.get(crdKey(crdFileChange.name))
    if (object === undefined) return []
    if (live === undefined) return [notInCluster(objectName(crdFileChange.name), crdFileChange.path)]
    const change = crdChange(object, live)
    if (change === undefined) return []
    const verdict = gateCrd(object, live, change, snapshot, {replaceCrds: true})
    if (verdict.kind === 'passed' || verdict.kind === 'migrate') return verdict.risks
    if (verdict.kind === 'replace') return [toReplace(crdFileChange, verdict.reason)]
    return [{severity: 'error', file: crdFileChange.path, ...verdict.reason}]
  })
}

/** Judges CRDs that store objects in another version: custom resources must be valid in it, and lose nothing. */
export function judgeMigratedCrds(
  migrated: TreeChange['migrated'] = [],
  desired: readonly DesiredObject[],
  snapshot: ClusterSnapshot,
): readonly Diagnostic[] {
  return migrated.flatMap(({path, name}) => {
    const object = desired.find(({key}) => key === crdKey(name))
    const survey = snapshot.surveys.get(crdKey(name))
    if (object === undefined || survey === undefined) return []
    const to = ownVersions(asObject(object.content.spec)).find(({storage}) => storage === true)
    const reason = migrationRejection(name, asText(to?.name), survey)
    return reason === undefined ? [] : [{severity: 'error', file: path, ...reason}]
  })
}

/** Returns the key of a CRD in a snapshot. */
function crdKey(name: string): string {
  return objectKey({...CRD_KIND, name})
}

function toReplace({path, name}: Pick<CrdFileChange, 'path' | 'name'>, reason: string): Diagnostic {
  return {
    severity: 'warning',
    rule: 'crd-replaced',
    message: `${objectName(name)}: ${reason}, so the CRD must be deleted once the commit is deployed`,
    file: path,
    subject: {object: `${CRD_KIND.kind} ${name}`},
    suggestions: [`kubectl delete customresourcedefinition ${shellWord(name)}`],
  }
}

/** Returns the instances that a removal affects, by the key of their CRD: all, if the CRD leaves the tree. */
export function removalScopes(
  removal: TreeRemoval,
  desired: readonly DesiredObject[],
  uses: CrdUses,
): ReadonlyMap<string, LostScope> {
  const inventory = removedInventory(removal, desired)
  return new Map(
    inventory.objects.flatMap(crd => {
      const key = objectKey(crd)
      const scope = removal.areDeleted
        ? wholeScope(crd, uses)
        : lostScope(crd, [inventory], uses, {keepsCrds: true})
      if (scope === undefined) return []
      const claimed = claimsOn(key, desired).map(({install}) => install.namespace)
      return [[key, {...scope, servedIn: new Set([...scope.servedIn, ...claimed])}] as const]
    }),
  )
}

/** Returns the scope of all instances of a CRD; undefined if no version is served. */
export function wholeScope(crd: LostScope['crd'], {live}: Pick<CrdUses, 'live'>): LostScope | undefined {
  const kind = servedKind(live.get(objectKey(crd))?.spec)
  return kind && {crd, kind, servedIn: new Set()}
}

function claimsOn(key: string, desired: readonly DesiredObject[]): DesiredObject['claims'] {
  return desired.find(object => object.key === key)?.claims ?? []
}

/** The CRDs of a removal whose instances no install of the tree serves in all namespaces. */
function removedInventory({install, crds}: TreeRemoval, desired: readonly DesiredObject[]): Inventory {
  const lost = crds.filter(
    name => !claimsOn(crdKey(name), desired).some(claim => claim.install.scope === 'Cluster'),
  )
  const objects = lost.map(name => ({...CRD_KIND, name}))
  return {install, phase: 'complete', toolVersion: '', objects}
}

/** Judges the removal of an install from a tree; the snapshot has the instances in the scopes of `removalScopes`. */
export function judgeRemoval(
  removal: TreeRemoval,
  desired: readonly DesiredObject[],
  snapshot: ClusterSnapshot,
): readonly Diagnostic[] {
  const inventory = removedInventory(removal, desired)
  const {objects, install} = inventory
  if (objects.length === 0) return []
  if (!objects.some(object => snapshot.live.has(objectKey(object)))) {
    const names = listNames(objects.map(({name}) => name))
    return [notInCluster(`${names} of ${install.namespace}/${install.name}`)]
  }
  const {crds, dependents} = uninstallImpact([inventory], snapshot)
  return [
    ...dependents.map(dependent),
    ...crds.flatMap(impact => [
      ...instances(impact, removal),
      ...(removal.areDeleted && impact.users.length > 0 ? [used(impact)] : []),
    ]),
    ...objects.flatMap(object => unlisted(object, snapshot)),
  ]
}

function dependent({install, crds, of}: Dependent): Diagnostic {
  return {
    severity: 'error',
    rule: 'install-required',
    message: `the install ${escaped(install)} in the cluster requires ${listNames(crds)} of ${of}`,
    suggestions: [`Uninstall ${escaped(install)} first.`],
  }
}

function instances(
  {crd, instances: total, first}: CrdImpact,
  {areDeleted}: TreeRemoval,
): readonly Diagnostic[] {
  if (total === 0) return []
  const effect = areDeleted
    ? 'would be deleted with it'
    : `would lose ${plural(total, 'its', 'their')} controller`
  return [
    {
      severity: 'error',
      rule: 'instances-exist',
      message: `${count(total, 'custom resource')} of ${crd} ${effect}: ${someOf(first.map(lostInstanceText), total)}`,
      subject: {object: `CustomResourceDefinition ${crd}`},
      suggestions: [
        `kubectl get ${shellWord(crd)} --all-namespaces`,
        'Delete the custom resources while the controller still runs.',
      ],
    },
  ]
}

function used({crd, users}: CrdImpact): Diagnostic {
  return {
    severity: 'error',
    rule: 'crd-used',
    message: `${listNames(users)} ${plural(users.length, 'uses', 'use')} ${objectName(crd)}`,
    suggestions: ['kubectl crossplane package list --all-namespaces'],
  }
}
