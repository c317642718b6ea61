import {installKey, type Lock, type LockedPackage, type LockedXpkg} from '../declaration/lock.js'
import {allLockChanges, lockChanges, type PackageChange, xpkgChanges} from '../declaration/lock-changes.js'
import {writeLock} from '../declaration/write-lock.js'
import {sha256Of} from '../plan/sha256.js'
import {count, escaped, withoutCommands} from '../text.js'
import type {UsageImpact} from '../usage/objects/compare-usage.js'
import {impactLines, impactSummary} from '../usage/objects/impact-view.js'
import {alignedRows, commitRows} from './commit-rows.js'
import type {FolderSummary} from './folder-summary.js'
import {removedRequests} from './removed-requests.js'

/** What a commit says. */
export interface CommitContent {
  readonly subject: string
  readonly summary: FolderSummary
  readonly oldLock?: Lock
  readonly newLock: Lock
  /** Whether the user vouches that no instances of changed and removed CRDs exist. */
  readonly assumesNoInstances: boolean
  /** Whether instances of CRDs that leave the tree are kept without a controller. */
  readonly keepsInstances?: boolean
  /** What changes of the settings of the tree, which reviewers must know first. */
  readonly settings?: readonly string[]
  /** Commands that each cluster needs before it can accept the CRDs of the commit. */
  readonly steps?: readonly string[]
  /** What to know of versions of CRDs that are kept, or no longer. */
  readonly versionSteps?: readonly string[]
  /** What it does to objects of users. */
  readonly impact?: CommitImpact
  /** Installs with a new mark or none, as NAMESPACE/NAME: their packages are named even if no version changes. */
  readonly markedInstalls?: readonly string[]
}

/** What a change does to objects of users, without those that it does nothing to. */
interface CommitImpact extends Pick<UsageImpact, 'findings' | 'totals' | 'read'> {
  /** The number of effects that would stop it, and are accepted. */
  readonly accepted: number
}

/**
 * Formats the message of a commit: the effect of the plan for reviewers, and trailers for tools. Texts of packages are
 * escaped, so that none can add a line or a command for CI.
 */
export function commitMessage(content: CommitContent): string {
  const {subject, summary} = content
  const trailers = trailersOf(content)
  const paragraphs = [
    subject,
    (content.settings ?? []).map(line => escaped(line)).join('\n'),
    commitRows(summary).join('\n'),
    impactRows(content.impact).join('\n'),
    stepLines(content.steps ?? []).join('\n'),
    (content.versionSteps ?? []).join('\n'),
    requestLines(removedRequests(content.oldLock, content.newLock)).join('\n'),
    trailers.join('\n'),
  ]
  const text = paragraphs.filter(paragraph => paragraph !== '').join('\n\n')
  // It is printed, also by CI that shows the log of Git.
  return `${text.split('\n').map(withoutCommands).join('\n')}\n`
}

/** What hosts show of a subject without cutting it. */
const MAX_SUBJECT = 72

/** Shortens the text of a subject to what hosts show of it. */
export function shortSubject(text: string): string {
  return text.length <= MAX_SUBJECT ? text : `${text.slice(0, MAX_SUBJECT - 1)}…`
}

/** Returns the default subject: what a request does. `installs` are those that change without another package. */
export function commitSubject(
  oldLock: Lock | undefined,
  newLock: Lock,
  installs: FolderSummary['installs'] = [],
): string {
  const {packages} = allLockChanges(oldLock, newLock)
  const requested = new Set([
    ...newLock.packages.filter(({installs}) => installs.some(isRequested)).map(({identity}) => identity),
    ...(newLock.xpkgs ?? []).filter(isRequested).map(({repository}) => repository),
  ])
  // An install also changes the entries of what it requires, and may add packages that were not requested.
  const isNew = packages.filter(({change}) => change !== 'installs')
  const isRequestedHere = (packageChange: PackageChange) => requested.has(packageChange.package)
  const choices = [isNew.filter(isRequestedHere), packages.filter(isRequestedHere), isNew, packages]
  const [only, other] = choices.find(choice => choice.length > 0) ?? []
  if (only === undefined) return subjectOfInstalls(installs)
  if (other !== undefined) return `Update ${count(packages.length, 'package')}`
  const {change, package: identity, old, new: next} = only
  const version = next === undefined ? '' : old === undefined || old === next ? `:${next}` : ` to ${next}`
  return `${VERBS[change]} ${identity}${version}`
}

/** The subject where nothing of the lock changes, for example only the runtime of an install. */
function subjectOfInstalls(installs: FolderSummary['installs']): string {
  const [only, other] = installs
  if (only === undefined) return 'Update packages'
  return other === undefined ? `Update ${only.install}` : `Update ${count(installs.length, 'install')}`
}

const VERBS: Readonly<Record<PackageChange['change'], string>> = {
  added: 'Install',
  removed: 'Uninstall',
  upgraded: 'Upgrade',
  downgraded: 'Downgrade',
  rebuilt: 'Update the content of',
  installs: 'Update the installs of',
  signatures: 'Update the signatures of',
}

function isRequested({mode}: {readonly mode: string}): boolean {
  return mode === 'requested'
}

/** Effects on objects that a message names; `package check` lists all. */
const MAX_EFFECTS = 20

function impactRows(impact: CommitImpact | undefined): readonly string[] {
  if (impact === undefined) return []
  const judged = impactLines(impact.findings.filter(({verdict}) => verdict !== 'unread'))
  const accepted = impact.accepted === 0 ? '' : `; ${count(impact.accepted, 'effect')} accepted`
  const left = judged.length - MAX_EFFECTS
  return [
    `Effects on ${impactSummary(impact)}${accepted}`,
    ...alignedRows(
      judged
        .slice(0, MAX_EFFECTS)
        .map(({verdicts, place, field, message}) => [verdicts.join(', '), place, `${field}: ${message}`]),
    ),
    ...(left > 0 ? [`and ${left} more`] : []),
  ]
}

/** A reviewer must know of them before the commit is deployed. */
function stepLines(steps: readonly string[]): readonly string[] {
  if (steps.length === 0) return []
  return [
    'No API server accepts these CRDs as an update. They have no custom resources. Once',
    'this commit is deployed, run in each cluster, and the controller creates them:',
    ...steps.map((step, index) => `${index + 1}. ${escaped(step)}`),
  ]
}

/** Controllers do not delete requests: Crossplane would delete CRDs with all custom resources. */
function requestLines(commands: readonly string[]): readonly string[] {
  if (commands.length === 0) return []
  return [
    'Crossplane keeps these packages until their requests are deleted, which also deletes their CRDs.',
    'Once this commit is deployed, run in each cluster; a command stops if custom resources exist:',
    ...commands.map((command, index) => `${index + 1}. ${escaped(command)}`),
  ]
}

/** The packages that change, in groups of three lines; then what holds for the whole lock. */
function trailersOf({
  oldLock,
  newLock,
  assumesNoInstances,
  keepsInstances,
  summary,
  markedInstalls = [],
}: CommitContent): readonly string[] {
  const changed = new Set(lockChanges(oldLock, newLock).packages.map(change => change.package))
  const others = new Set([...markedInstalls, ...summary.installs.map(({install}) => install)])
  const isOther = ({installs}: LockedPackage) => installs.some(install => others.has(installKey(install)))
  const named = newLock.packages.filter(
    lockedPackage => changed.has(lockedPackage.identity) || isOther(lockedPackage),
  )
  const left = new Set(newLock.packages.map(({identity}) => identity))
  const removed = (oldLock?.packages ?? []).filter(
    lockedPackage => isOther(lockedPackage) && !left.has(lockedPackage.identity),
  )
  const packages = [
    ...[...named, ...removed].map(packageTrailers),
    ...changedXpkgs(oldLock, newLock).map(xpkgTrailers),
  ]
  const assumed = Object.entries(newLock.assumptions).filter(([, reason]) => reason === 'assumed')
  return [
    ...packages.slice(0, MAX_TRAILED).flat(),
    ...(packages.length > MAX_TRAILED
      ? [`Crossplane-Packages-Omitted: ${packages.length - MAX_TRAILED}; the lock has all`]
      : []),
    `Crossplane-Lock: sha256:${sha256Of(writeLock(newLock))}`,
    ...assumed.map(([text]) => `Crossplane-Assumption: ${escaped(text)} exists`),
    ...(assumesNoInstances ? ['Crossplane-Assumption: no instances'] : []),
    ...(keepsInstances === true ? ['Crossplane-Custom-Resources: keep'] : []),
  ]
}

/** Each package has up to three trailers. */
const MAX_TRAILED = 20

function packageTrailers({identity, tag, version, digest}: LockedPackage): readonly string[] {
  return [
    `Crossplane-Package: ${escaped(`${identity}:${tag}`)}`,
    ...(version === '' ? [] : [`Crossplane-Version: ${escaped(version)}`]),
    ...digestTrailer(digest),
  ]
}

/** A package in a folder has no digest. */
function digestTrailer(digest: string | undefined): readonly string[] {
  return digest === undefined ? [] : [`Crossplane-Digest: ${digest}`]
}

function changedXpkgs(old: Lock | undefined, next: Lock): readonly LockedXpkg[] {
  const changed = new Set(
    xpkgChanges(old?.xpkgs ?? [], next.xpkgs ?? []).packages.map(change => change.package),
  )
  return (next.xpkgs ?? []).filter(({repository}) => changed.has(repository))
}

/** They have no version besides the tag. */
function xpkgTrailers({repository, tag, digest}: LockedXpkg): readonly string[] {
  const reference = tag === undefined ? `${repository}@${digest ?? ''}` : `${repository}:${tag}`
  return [`Crossplane-Package: ${escaped(reference)}`, ...digestTrailer(digest)]
}
