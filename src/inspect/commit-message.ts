import {installKey, type Lock, type LockedPackage} from '../declaration/lock.js'
import {lockChanges, type PackageChange} from '../declaration/lock-changes.js'
import {writeLock} from '../declaration/write-lock.js'
import {sha256Of} from '../plan/sha256.js'
import {count, escaped, withoutCommands} from '../text.js'
import type {FolderSummary} from './folder-summary.js'
import {summaryRows} from './summary-rows.js'

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
  /** Commands that each cluster needs before it can accept the CRDs of the commit. */
  readonly steps?: readonly string[]
  /** What to know of versions of CRDs that are kept, or no longer. */
  readonly versionSteps?: readonly string[]
  /** The install that is being uninstalled, as NAMESPACE/NAME: its package is named even if its version does not change. */
  readonly uninstalled?: string
}

/**
 * Formats the message of a commit: the effect of the plan for reviewers, and trailers for tools. Texts of packages are
 * escaped, so that none can add a line or a command for CI.
 */
export function commitMessage(content: CommitContent): string {
  const {subject, summary} = content
  const rows = bounded(bodyRows(summary))
  const trailers = trailersOf(content)
  const paragraphs = [
    subject,
    alignedRows(rows).join('\n'),
    stepLines(content.steps ?? []).join('\n'),
    (content.versionSteps ?? []).join('\n'),
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

/** Returns the default subject: what a request does. */
export function commitSubject(oldLock: Lock | undefined, newLock: Lock): string {
  const {packages} = lockChanges(oldLock, newLock)
  const requested = new Set(
    newLock.packages.filter(({installs}) => installs.some(isRequested)).map(({identity}) => identity),
  )
  // An install also changes the entries of what it requires, and may add packages that were not requested.
  const isNew = packages.filter(({change}) => change !== 'installs')
  const isRequestedHere = (packageChange: PackageChange) => requested.has(packageChange.package)
  const choices = [isNew.filter(isRequestedHere), packages.filter(isRequestedHere), isNew, packages]
  const [only, other] = choices.find(choice => choice.length > 0) ?? []
  if (only === undefined) return 'Update packages'
  if (other !== undefined) return `Update ${count(packages.length, 'package')}`
  const {change, package: identity, old, new: next} = only
  const version = next === undefined ? '' : old === undefined || old === next ? `:${next}` : ` to ${next}`
  return `${VERBS[change]} ${identity}${version}`
}

const VERBS: Readonly<Record<PackageChange['change'], string>> = {
  added: 'Install',
  removed: 'Uninstall',
  upgraded: 'Upgrade',
  downgraded: 'Downgrade',
  rebuilt: 'Update the content of',
  installs: 'Update the installs of',
}

function isRequested({mode}: {readonly mode: string}): boolean {
  return mode === 'requested'
}

/** More permissions than a reviewer reads at once. */
const MAX_PERMISSIONS = 40
const MAX_CRDS = 40

function bodyRows(summary: FolderSummary): readonly (readonly string[])[] {
  const {crds, bindings, baseRoles} = summary
  const shown = crds
    .slice(0, MAX_CRDS)
    .map(({name, change, difference}) => [
      'CRD',
      name,
      difference === undefined ? change : `changed: ${difference}`,
    ])
  const more = crds.length - shown.length
  return [
    ...limitedRows(
      summaryRows(summary, summary.packages.length > MAX_OF_TITLE ? MAX_OF_TITLE / 2 : MAX_PERMISSIONS),
    ),
    ...limitedRows(
      bindings.map(({object, before = 'none', after = 'none'}) => [
        'BINDING',
        object,
        `${before} -> ${after}`,
      ]),
    ),
    ...baseRoles.map(({change, count: roles}) => ['BASE', 'ClusterRoles for users', `${roles} ${change}`]),
    ...shown,
    ...(more === 0 ? [] : [['CRD', `and ${count(more, 'more CRD')}`]]),
  ]
}

/** More packages, images, owners or bindings than a reviewer reads at once. */
const MAX_OF_TITLE = 20

/** Keeps the first rows of each title, and the number of those that are left out. */
function limitedRows(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const titles = [...new Set(rows.map(([title = '']) => title))]
  return titles.flatMap(title => {
    const ofTitle = rows.filter(row => row[0] === title)
    const left = ofTitle.length - MAX_OF_TITLE
    if (left <= 0 || PERMISSIONS.includes(title)) return ofTitle
    return [...ofTitle.slice(0, MAX_OF_TITLE), [title, `and ${left} more`]]
  })
}

/** Titles whose rows are limited already. */
const PERMISSIONS = ['GAINS', 'LOSES']

/** A reviewer must know of them before the commit is deployed. */
function stepLines(steps: readonly string[]): readonly string[] {
  if (steps.length === 0) return []
  return [
    'No API server accepts these CRDs as an update. They have no custom resources. Once',
    'this commit is deployed, run in each cluster, and the controller creates them:',
    ...steps.map((step, index) => `${index + 1}. ${escaped(step)}`),
  ]
}

/** More lines than a reviewer reads; the files have all of them. */
const MAX_ROWS = 90

function bounded(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  if (rows.length <= MAX_ROWS) return rows
  const left = rows.length - MAX_ROWS
  return [...rows.slice(0, MAX_ROWS), ['...', `${count(left, 'more line')}: see the plan with --dry-run`]]
}

function alignedRows(rows: readonly (readonly string[])[]): readonly string[] {
  const shown = rows.map(row => row.map(cell => escaped(cell).replace(DIGEST, '$1...')))
  // The last cell of a row has no others to align.
  const widths = [0, 1].map(column => Math.max(0, ...shown.map(row => row.slice(0, -1)[column]?.length ?? 0)))
  return shown.flatMap(row =>
    wrapped(
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    ),
  )
}

/** The trailers have whole digests. */
const DIGEST = /(@sha256:[0-9a-f]{12})[0-9a-f]{52}/g

const MAX_LINE = 100

/** Breaks a line at its blanks; one without a blank is broken where it is too long. */
function wrapped(line: string): readonly string[] {
  const lines: string[] = []
  let rest = line
  while (rest.length > MAX_LINE) {
    const blank = rest.lastIndexOf(' ', MAX_LINE)
    const at = blank > MAX_LINE / 2 ? blank : MAX_LINE
    lines.push(rest.slice(0, at).trimEnd())
    rest = `    ${rest.slice(at).trimStart()}`
  }
  return [...lines, rest]
}

/** The packages that change, in groups of three lines; then what holds for the whole lock. */
function trailersOf({
  oldLock,
  newLock,
  assumesNoInstances,
  keepsInstances,
  uninstalled,
}: CommitContent): readonly string[] {
  const changed = new Set(lockChanges(oldLock, newLock).packages.map(change => change.package))
  const isUninstalled = ({installs}: LockedPackage) =>
    installs.some(install => installKey(install) === uninstalled)
  const named = newLock.packages.filter(
    lockedPackage => changed.has(lockedPackage.identity) || isUninstalled(lockedPackage),
  )
  const left = new Set(newLock.packages.map(({identity}) => identity))
  const removed = (oldLock?.packages ?? []).filter(
    lockedPackage => isUninstalled(lockedPackage) && !left.has(lockedPackage.identity),
  )
  const packages = [...named, ...removed]
  const assumed = Object.entries(newLock.assumptions).filter(([, reason]) => reason === 'assumed')
  return [
    ...packages.slice(0, MAX_TRAILED).flatMap(packageTrailers),
    ...(packages.length > MAX_TRAILED
      ? [`Crossplane-Packages-Omitted: ${packages.length - MAX_TRAILED}; the lock has all`]
      : []),
    `Crossplane-Lock: sha256:${sha256Of(writeLock(newLock))}`,
    ...assumed.map(([text]) => `Crossplane-Assumption: ${escaped(text)} exists`),
    ...(assumesNoInstances ? ['Crossplane-Assumption: no instances'] : []),
    ...(keepsInstances === true ? ['Crossplane-Custom-Resources: keep'] : []),
  ]
}

/** Each package has three trailers. */
const MAX_TRAILED = 20

function packageTrailers({identity, tag, version, digest = 'none'}: LockedPackage): readonly string[] {
  return [
    `Crossplane-Package: ${escaped(`${identity}:${tag}`)}`,
    `Crossplane-Version: ${escaped(version === '' ? 'none' : version)}`,
    `Crossplane-Digest: ${digest}`,
  ]
}
