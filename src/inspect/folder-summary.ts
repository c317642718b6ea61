import {installKey, type Lock, lockedName, mismatchKey} from '../declaration/lock.js'
import {isCrd} from '../kubernetes/crd-kind.js'
import {nameOf, objectText} from '../kubernetes/object-key.js'
import {movedCrds} from '../plan/folder/moved-crds.js'
import {objectIn} from '../plan/folder/object-in-file.js'
import type {ChangedXpkg, XpkgSetChange} from '../plan/git/xpkg-losses.js'
import type {Operation} from '../plan/plan.js'
import {present} from '../present.js'
import type {FirstOwner} from '../resolve/first-owners.js'
import type {SignerChange} from '../resolve/signer-changes.js'
import {crdSpecs} from '../xpkg/content/crd-specs.js'
import {jsonEqual} from '../yaml/json-equal.js'
import {asObject, asObjects, asText, type JsonObject} from '../yaml/json-value.js'
import {crdDifference} from './crd-difference.js'
import {activationChange, imagesIn, type PlanSummary, rulesIn} from './plan-summary.js'

/** The effect of a change of rendered files on packages. */
export interface FolderSummary extends PlanSummary {
  /** The CRDs whose files change, by name; those of which a reviewer must know first. */
  readonly crds: readonly ChangedCrd[]
  /** The bindings that get another role, or that are added or removed with the base. */
  readonly bindings: readonly {readonly object: string; readonly before?: string; readonly after?: string}[]
  /** The roles of Crossplane itself that change. */
  readonly baseRoles: readonly {readonly name: string; readonly change: ChangedCrd['change']}[]
  /** The installs of which objects change and the package does not, as NAMESPACE/NAME. */
  readonly installs: readonly {readonly install: string; readonly objects: readonly string[]}[]
}

/** A CRD whose file changes. */
interface ChangedCrd {
  readonly name: string
  readonly change: 'added' | 'changed' | 'removed'
  /** What differs, of a changed one. */
  readonly difference?: string
}

/** What a change of rendered files is judged by. */
interface FolderChange {
  readonly operations: readonly Operation[]
  /** The current contents of files that are replaced or deleted, by path. */
  readonly before: ReadonlyMap<string, string>
  readonly oldLock?: Lock
  readonly newLock: Lock
  readonly owners: readonly FirstOwner[]
  readonly signers?: readonly SignerChange[]
  /** What new versions of packages for a current Crossplane bring, whose CRDs are in no file. */
  readonly xpkgs?: {readonly set: Pick<XpkgSetChange, 'changes'>} | undefined
}

/** Summarizes a change of rendered files, from their contents and the locks before and after it. */
export function folderSummary({operations, before, ...change}: FolderChange): FolderSummary {
  const moved = movedCrds(operations, before)
  const former = new Set(moved.values())
  const isSame = ({path = '', content}: Operation) => before.get(moved.get(path) ?? '') === content
  const crds = operations.filter(
    operation => isCrd(operation.object) && !former.has(operation.path ?? '') && !isSame(operation),
  )
  // CRDs and the lock are large, and their content is of no importance here.
  const objects = operations
    .filter(({object}) => object !== undefined && !isCrd(object))
    .map(operation => ({
      isBase: isBase(operation),
      old: objectIn(before.get(operation.path ?? '')),
      new: objectIn(operation.content),
    }))
  const oldRules = new Set(objects.flatMap(object => rulesIn(object.old)))
  const newRules = new Set(objects.flatMap(object => rulesIn(object.new)))
  const packages = packageChanges(change.oldLock, change.newLock)
  return {
    packages,
    installs: changedInstalls(operations, change.newLock, new Set(packages.map(({install}) => install))),
    crds: crdChanges([
      ...crds.map(operation => weighedCrd(operation, before, moved)),
      ...(change.xpkgs?.set.changes ?? []).flatMap(packageCrds),
    ]),
    bindings: objects.flatMap(bindingChange),
    baseRoles: baseRoles(operations),
    gained: [...newRules].filter(words => !oldRules.has(words)),
    lost: [...oldRules].filter(words => !newRules.has(words)),
    images: objects.flatMap(imageChange),
    ...activationChange(objects),
    owners: change.owners,
    ...present({signers: change.signers}),
    mismatches: newMismatches(change.oldLock, change.newLock),
  }
}

function newMismatches(old: Lock | undefined, next: Lock): PlanSummary['mismatches'] {
  const accepted = new Set((old?.acceptedMismatches ?? []).map(mismatchKey))
  return next.acceptedMismatches
    .filter(mismatch => !accepted.has(mismatchKey(mismatch)))
    .map(({crd, owner, requirer = 'the request'}) => ({crd, owner, install: requirer}))
}

interface ChangedObject {
  readonly isBase: boolean
  readonly old?: JsonObject
  readonly new?: JsonObject
}

const CRD_CHANGES: {readonly [action in Operation['action']]?: 'added' | 'removed'} = {
  'create-only': 'added',
  delete: 'removed',
}

function crdChanges(crds: readonly WeighedCrd[]): readonly ChangedCrd[] {
  return [...crds].sort((one, other) => other.weight - one.weight).map(({crd}) => crd)
}

/** The CRDs, also those of XRDs, that differ between two versions of a package; none of a version that could not be read. */
function packageCrds({before, after}: ChangedXpkg): readonly WeighedCrd[] {
  if (after === undefined || 'reason' in before) return []
  const [old, next] = [crdSpecs(before.objects), crdSpecs(after.objects)]
  return [...new Set([...old.keys(), ...next.keys()])].sort().flatMap((name): readonly WeighedCrd[] => {
    const [was, is] = [old.get(name), next.get(name)]
    if (was === undefined) return [{crd: {name, change: 'added'}, weight: WEIGHTS.added}]
    if (is === undefined) return [{crd: {name, change: 'removed'}, weight: WEIGHTS.removed}]
    if (jsonEqual(was, is)) return []
    const {words, weight} = crdDifference({spec: was}, {spec: is})
    return [{crd: {name, change: 'changed', difference: words}, weight}]
  })
}

/** A CRD that changes, and how much a reviewer must know of it. */
interface WeighedCrd {
  readonly crd: ChangedCrd
  readonly weight: number
}

function weighedCrd(
  {object, action, path = '', content}: Operation,
  before: ReadonlyMap<string, string>,
  moved: ReadonlyMap<string, string>,
): WeighedCrd {
  const name = object?.name ?? ''
  const change = (moved.has(path) ? undefined : CRD_CHANGES[action]) ?? 'changed'
  if (change !== 'changed') return {crd: {name, change}, weight: WEIGHTS[change]}
  const [old, next] = [objectIn(before.get(moved.get(path) ?? path)), objectIn(content)]
  if (old === undefined || next === undefined) return {crd: {name, change}, weight: WEIGHTS.added}
  const {words, weight} = crdDifference(old, next)
  return {crd: {name, change, difference: words}, weight}
}

/** The weights of CRDs without a difference, beside those of differences. */
const WEIGHTS = {removed: 4, added: 1}

/** A role that users get, or a binding, of Crossplane itself. */
function isBase({path = ''}: Operation): boolean {
  return /(?:^|\/)base\/[^/]+$/.test(path)
}

function baseRoles(operations: readonly Operation[]): FolderSummary['baseRoles'] {
  const roles = operations.filter(operation => isBase(operation) && operation.object?.kind === 'ClusterRole')
  return roles.map(({action, object}) => ({
    name: object?.name ?? '',
    change: CRD_CHANGES[action] ?? 'changed',
  }))
}

/** The folder of an install in a rendered tree, and a file in it. */
const INSTALL_FOLDER = /(?:^|\/)installs\/([^/]+)\/[^/]+$/

/** Returns the installs of which objects other than CRDs change, but for those whose packages do. */
function changedInstalls(
  operations: readonly Operation[],
  lock: Lock,
  others: ReadonlySet<string>,
): FolderSummary['installs'] {
  const byFolder = new Map<string, string[]>()
  for (const {object, path = ''} of operations) {
    const [, folder] = INSTALL_FOLDER.exec(path) ?? []
    if (folder === undefined || object === undefined || isCrd(object)) continue
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), objectText(object)])
  }
  const keys = lock.packages.flatMap(({installs}) => installs.map(installKey)).sort()
  return keys.flatMap(install => {
    const objects = byFolder.get(install.replace('/', '.'))
    return objects === undefined || others.has(install) ? [] : [{install, objects}]
  })
}

/** Bindings of installs come and go with them; another role, and all bindings of the base, are to be reviewed. */
function bindingChange({old, new: next, isBase: isOfBase}: ChangedObject): FolderSummary['bindings'] {
  const object = next ?? old
  if (object === undefined || !/^(?:Cluster)?RoleBinding$/.test(asText(object.kind))) return []
  const [before, after] = [old, next].map(binding => binding && roleText(binding))
  if (before === after || (!isOfBase && (old === undefined || next === undefined))) return []
  return [{object: objectText(nameOf(object)), ...present({before, after})}]
}

function roleText({roleRef, subjects}: JsonObject): string {
  const {kind, name} = asObject(roleRef)
  const groups = asObjects(subjects).filter(subject => subject.kind !== 'ServiceAccount')
  const users = groups.map(subject => `${asText(subject.kind)} ${asText(subject.name)}`)
  return `${asText(kind)} ${asText(name)}${users.length === 0 ? '' : ` for ${users.join(', ')}`}`
}

function imageChange({old, new: next}: ChangedObject): PlanSummary['images'] {
  const object = next ?? old
  if (object?.kind !== 'Deployment') return []
  const [before, after] = [imagesIn(old), imagesIn(next)]
  if (before.join() === after.join()) return []
  return [{object: objectText(nameOf(object)), before, after}]
}

function packageChanges(old: Lock | undefined, next: Lock): PlanSummary['packages'] {
  const before = packagesByInstall(old)
  const after = packagesByInstall(next)
  const installs = [...new Set([...before.keys(), ...after.keys()])].sort()
  return installs.flatMap(install => {
    const [was, is] = [before.get(install), after.get(install)]
    if (was === is) return []
    return [
      {
        install,
        ...present({before: was, after: is}),
      },
    ]
  })
}

/** The package of each install or request, as repository and tag. */
function packagesByInstall(lock: Lock | undefined): ReadonlyMap<string, string> {
  return new Map([
    ...(lock?.packages ?? []).flatMap(({identity, tag, installs}) =>
      installs.map(install => [installKey(install), `${identity}:${tag}`] as const),
    ),
    ...(lock?.xpkgs ?? []).map(xpkg => {
      const {kind, repository, tag, digest = ''} = xpkg
      const version = tag === undefined ? `@${digest}` : `:${tag}`
      return [`${kind} ${lockedName(xpkg)}`, `${repository}${version}`] as const
    }),
  ])
}
