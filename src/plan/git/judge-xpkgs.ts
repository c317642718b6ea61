import type {Lock} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {escaped, listAll, listNames, listSome, shellWord} from '../../text.js'
import {crdSpecs} from '../../xpkg/content/crd-specs.js'
import {objectName} from '../cluster/crds/crd-texts.js'
import type {FileLosses} from '../folder/with-losses.js'
import {type CrdFileChange, specChange, unacceptableRejections} from '../folder/crd-file-changes.js'
import type {XpkgResolver} from '../../xpkg/pins.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {ARGOCD_HEALTH} from '../folder/tree-guard.js'
import type {Plan} from '../plan.js'
import {resolverCommand} from '../cluster/core/resolver-change.js'
import type {ChangedSetting, TreeSettings} from '../folder/tree-settings.js'
import {droppedCrdRejections} from './judge-dropped-crds.js'
import {type SetLoss, setLosses, type XpkgSetChange} from './xpkg-losses.js'

/** Rejects what new versions take away where no cluster shows whether custom resources exist. */
export function unseenXpkgRejections(
  set: XpkgSetChange,
  choices: {readonly keepsInstances: boolean},
): readonly Diagnostic[] {
  return unseenRejections(crdChanges(set), choices)
}

function unseenRejections(
  changes: readonly (PackageCrds | UnreadCrds)[],
  {keepsInstances}: {readonly keepsInstances: boolean},
): readonly Diagnostic[] {
  return changes.flatMap(change => {
    if ('reason' in change) return [unreadable(change)]
    const dropped = keepsInstances
      ? []
      : droppedCrdRejections(
          change.dropped.map(name => ({name})),
          [CHECK],
        )
    const rejected = change.changed.map(one => unseenRejection(one))
    return [...dropped, ...rejected].map(rejection => ofPackage(rejection, change))
  })
}

/** Rejects what no API server accepts, whether custom resources exist or not. */
export function unacceptableXpkgRejections(set: XpkgSetChange): readonly Diagnostic[] {
  return crdChanges(set).flatMap(change => {
    if ('reason' in change) return []
    return change.changed
      .flatMap(one => unacceptableRejections([one], [listCommand(one), MIGRATE]))
      .map(rejection => ofPackage(rejection, change))
  })
}

/** The settings of a tree, before and after a commit. */
interface CommittedSettings {
  readonly changed: readonly ChangedSetting[]
  readonly tree?: TreeSettings
  readonly next?: TreeSettings
}

/** Rejects versions that change together with the resolver: Crossplane could install a package twice meanwhile. */
export function resolverCommitRejections(
  settings: CommittedSettings,
  set: Pick<XpkgSetChange, 'changes'>,
): readonly Diagnostic[] {
  const resolver = changedResolver(settings)
  const versions = versionTexts(set)
  if (resolver === undefined || versions.length === 0) return []
  const message = `versions change together with the resolver, for which Crossplane can install a package twice: ${listSome(versions)}`
  return [
    {
      severity: 'error',
      rule: 'xpkg-resolver-version',
      message,
      suggestions: [
        `Commit the change of the resolver alone: ${resolverCommand(resolver)} --change-settings`,
        `Once that is deployed, complete it in the cluster, and then commit the versions: ${resolverCommand(resolver)}`,
      ],
    },
  ]
}

/** Says what a commit leaves to a cluster: to complete a change of the resolver, and to judge versions by its Lock. */
export function resolverCommitNotes(
  settings: CommittedSettings,
  set: Pick<XpkgSetChange, 'changes'>,
  {hasCluster}: {readonly hasCluster: boolean},
): readonly Diagnostic[] {
  const resolver = changedResolver(settings)
  const hasVersions = versionTexts(set).length > 0
  if (resolver !== undefined && !hasVersions) {
    const message =
      'once a controller has applied this commit, complete the change of the resolver in each cluster, with its --context, before versions change'
    return [{severity: 'note', rule: 'xpkg-resolver-step', message, suggestions: [resolverCommand(resolver)]}]
  }
  if (hasCluster || !hasVersions || resolverOf(settings.next) === 'on') return []
  const message =
    'whether the Lock of the cluster still has packages that require those whose version changes is not known: --context with a cluster of this tree compares it'
  return [{severity: 'note', rule: 'xpkg-lock-unknown', message}]
}

/**
 * Names what leaves a set because new versions require it no more, and what leaves with that. Crossplane installs what its Lock requires, and a controller can
 * delete such a request before the new version is in the Lock.
 */
export function droppedNotes(
  settings: CommittedSettings,
  before: Pick<Lock, 'xpkgs'> | undefined,
  {xpkgs: after = []}: Pick<Lock, 'xpkgs'>,
): readonly Diagnostic[] {
  if (resolverOf(settings.next) === 'off') return []
  const former = before?.xpkgs ?? []
  const stays = new Set(after.map(one => one.repository))
  const dropped = droppedBy(former, stays)
  return former.flatMap(({repository}) => {
    const by = dropped.get(repository)
    if (by === undefined) return []
    const names = listNames(by.map(one => escaped(one)))
    const why = by.every(one => stays.has(one))
      ? `new versions of ${names} do not require ${escaped(repository)}, which leaves: if it is deleted from the cluster before they are active`
      : `${escaped(repository)} leaves with ${names}: if it is deleted from the cluster before the new versions are active`
    const message = `${why}, Crossplane installs it again, and no file has it then`
    return [{severity: 'note', rule: 'xpkg-dropped', message}]
  })
}

/** Returns what leaves by what required it: packages that stay, and otherwise those that leave in this way themselves. */
function droppedBy(
  former: NonNullable<Lock['xpkgs']>,
  stays: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const dropped = new Map<string, readonly string[]>()
  const add = (causes: Pick<ReadonlySet<string>, 'has'>) => {
    const added = former.flatMap(({repository}) => {
      if (stays.has(repository) || dropped.has(repository)) return []
      const by = former.filter(one => causes.has(one.repository) && Object.hasOwn(one.requires, repository))
      return by.length === 0 ? [] : [[repository, by.map(one => one.repository)] as const]
    })
    for (const [repository, by] of added) dropped.set(repository, by)
    return added.length
  }
  add(stays)
  while (add(dropped) > 0);
  return dropped
}

/**
 * Says that a commit changes the health checks of Argo CD: its settings are no part of the tree, and a sync can wait for an object without them.
 * @param tree - the folder of the tree, as a user finds it.
 */
export function healthCheckNotes(
  {plan, before}: {readonly plan: Pick<Plan, 'operations'>; readonly before: ReadonlyMap<string, string>},
  tree: string,
): readonly Diagnostic[] {
  const isWritten = plan.operations.some(({path, action}) => path === ARGOCD_HEALTH && action !== 'delete')
  if (!before.has(ARGOCD_HEALTH) || !isWritten) return []
  const file = shellWord(`${tree}/${ARGOCD_HEALTH}`)
  const message =
    'this commit changes the health checks of Argo CD, whose settings get them only by kubectl: until then, a sync can wait without end'
  return [
    {
      severity: 'note',
      rule: 'argocd-health',
      message,
      suggestions: [`kubectl patch --filename ${file} --patch-file ${file}`],
    },
  ]
}

function versionTexts({changes}: Pick<XpkgSetChange, 'changes'>): readonly string[] {
  return changes.flatMap(({repository, versions, after}) =>
    after === undefined ? [] : [`${escaped(repository)} ${escaped(versions)}`],
  )
}

/** Settings that only one side has been rendered with, such as of the first packages, change nothing. */
function changedResolver({changed, tree, next}: CommittedSettings): XpkgResolver | undefined {
  const isChanged = changed.some(({field}) => field === 'xpkg.resolver' || field === 'xpkg.pin')
  const after = resolverOf(next)
  return isChanged && resolverOf(tree) !== after ? after : undefined
}

function resolverOf(settings: TreeSettings | undefined): XpkgResolver {
  const usual = settings?.fields.get('xpkg.pin') === 'digest' ? 'off' : 'on'
  return (settings?.fields.get('xpkg.resolver') ?? usual) === 'off' ? 'off' : 'on'
}

/** Returns what a new lock takes away, as warnings: no tree changes yet. */
export function lockedSetWarnings(set: XpkgSetChange): readonly Diagnostic[] {
  return [...lockedCrdWarnings(crdChanges(set)), ...setLosses(set).map(lossRejection).map(asWarning)]
}

/** Returns what new versions of locked packages, of any format, take away from CRDs, as warnings. */
export function lockedCrdWarnings(changes: readonly (PackageCrds | UnreadCrds)[]): readonly Diagnostic[] {
  return unseenRejections(changes, {keepsInstances: false}).map(asWarning)
}

/** What a new version of a package takes away. */
interface PackageLosses extends Omit<FileLosses, 'path'> {
  readonly repository: string
}

/** Returns what new versions take away, for a tree that is rendered: by package. */
export function packageLosses(set: XpkgSetChange): readonly PackageLosses[] {
  const crds = crdChanges(set).map((change): PackageLosses => {
    const {repository} = change
    if ('reason' in change)
      return {repository, warnings: [], breaking: [{...unreadable(change), suggestions: [ASSUME_PACKAGE]}]}
    const breaking = change.changed.map(one =>
      ofPackage({...unseenRejection(one), suggestions: [listCommand(one), ASSUME]}, change),
    )
    return {repository, warnings: lockedCrdWarnings([{...change, changed: []}]), breaking}
  })
  const others = setLosses(set).map(loss => ({
    ...{repository: loss.repository, breaking: []},
    warnings: [asWarning(lossRejection(loss))],
  }))
  return [...crds, ...others]
}

function asWarning({suggestions: _ofCommits, ...one}: Diagnostic): Diagnostic {
  return {...one, severity: 'warning'}
}

/** A CRD of a package, which has no file of its own. */
type CrdChange = Omit<CrdFileChange, 'path'>

/** What a new version of a package does to CRDs. */
interface PackageCrds {
  readonly repository: string
  readonly versions: string
  readonly dropped: readonly string[]
  readonly changed: readonly CrdChange[]
}

interface UnreadCrds {
  readonly repository: string
  readonly versions: string
  readonly reason: string
}

/** A package that leaves the set keeps its request and its CRDs in the cluster until a user deletes it. */
function crdChanges({changes}: XpkgSetChange): readonly (PackageCrds | UnreadCrds)[] {
  return changes.flatMap(({before, after, kept, ...named}) => {
    if (after === undefined) return []
    const former = 'reason' in before ? before : crdSpecs(before.objects)
    return [comparedCrds(named, former, crdSpecs(after.objects), kept)]
  })
}

/** Compares the CRDs of two versions of a package, by name. @param kept - versions in which objects can be stored as well. */
export function comparedCrds(
  {repository, versions}: Pick<PackageCrds, 'repository' | 'versions'>,
  before: ReadonlyMap<string, JsonObject> | {readonly reason: string},
  after: ReadonlyMap<string, JsonObject>,
  kept?: ReadonlyMap<string, readonly string[]>,
): PackageCrds | UnreadCrds {
  if ('reason' in before) return {repository, versions, reason: before.reason}
  const old = [...before]
  return {
    ...{repository, versions},
    dropped: old.flatMap(([name]) => (after.has(name) ? [] : [name])),
    changed: old.flatMap(([name, spec]) => {
      const now = after.get(name)
      const change = now && specChange(spec, now, kept?.get(name))
      return change === undefined ? [] : [{name, ...change}]
    }),
  }
}

const CHECK = 'Pass --context with a cluster of this tree: its custom resources are counted.'
const ASSUME = 'Pass --assume-no-instances if no cluster of this tree has custom resources of it.'
const ASSUME_PACKAGE =
  'Pass --assume-no-instances if no cluster of this tree has custom resources of the package.'
const MIGRATE = 'Upgrade to a version of the package that still has it, and migrate the custom resources.'

function ofPackage(
  {message, ...rejection}: Diagnostic,
  {repository, versions}: Pick<PackageCrds, 'repository' | 'versions'>,
): Diagnostic {
  return {...rejection, message: `${repository} ${versions}: ${message}`}
}

function unreadable({repository, versions, reason}: UnreadCrds): Diagnostic {
  const message = `${repository} ${versions}: the CRDs of the former version cannot be read: ${reason}`
  return {severity: 'error', rule: 'crd-unknown', message, suggestions: [CHECK, ASSUME_PACKAGE]}
}

function unseenRejection({name, changes, unacceptable}: CrdChange): Diagnostic {
  const [{rule}] = changes
  const texts = listAll(changes.map(({text}) => text))
  return {
    severity: 'error',
    rule,
    message: `${objectName(name)}: ${texts}, but custom resources can exist`,
    subject: {object: objectName(name)},
    suggestions: [CHECK, listCommand({name}), unacceptable.length === 0 ? ASSUME : MIGRATE],
  }
}

function listCommand({name}: Pick<CrdChange, 'name'>): string {
  return `kubectl get ${shellWord(name)} --all-namespaces`
}

/** Rejects what a set no longer has and still uses, whether a cluster is known or not. */
export function lossRejection({rule, lost, by, of, repair}: SetLoss): Diagnostic {
  return {
    severity: rule === 'xpkg-policy-lost' ? 'warning' : 'error',
    rule,
    message: `${escaped(lost)} ${of}${by.length === 0 ? '' : `, but ${listAll(by.map(escaped))} ${by.length === 1 ? 'uses' : 'use'} it`}`,
    suggestions: repair,
  }
}
