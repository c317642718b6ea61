import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {SolverInput} from '../solver-input.js'
import type {Rejection, Resolution} from '../resolution.js'
import {solve, type SolveOptions} from '../solve.js'
import type {RecordedStatement} from '../../signatures/recorded-statement.js'
import {count} from '../../text.js'
import type {Catalog, OpenPackage} from '../catalog/catalog.js'
import {EntryCheck} from './entry-check.js'
import {PackageReader, type WrongEntry} from './package-reader.js'

/** A resolution with its packages, or a rejection; and the input, without the excluded versions. */
export type ResolvedPackages =
  | {
      readonly kind: 'resolved'
      readonly input: SolverInput
      readonly resolution: Resolution
      readonly opened: ReadonlyMap<string, OpenPackage>
      /** What was verified of each package, by identity; absent without a policy for signatures. */
      readonly signatures?: ReadonlyMap<string, readonly RecordedStatement[]>
      /** The packages that the request leads to, without what a cluster has besides. */
      readonly identities?: readonly string[]
    }
  | (Rejection & {readonly input: SolverInput})

/** Settings of the solver, and the installs of a resolution to read (default: all). */
export interface ReadOptions extends SolveOptions {
  readonly select?: (installs: Resolution['installs']) => Resolution['installs']
}

/** The part of a catalog that is read for a resolution. */
export type ReadCatalog = Pick<Catalog, 'open' | 'contradictionOf'> & Partial<Pick<Catalog, 'carrierOf'>>

/** The maximum number of wrong entries before an index is rejected. */
const MAX_WRONG_ENTRIES = 50

/**
 * Solves, compares the entries that decide the resolution with the registries, and reads the selected packages.
 * Entries that do not match their packages are excluded and reported, and it solves again. Throws `unresolvable` if
 * too many entries are wrong, and `timeout` if the time limit is reached between two attempts.
 */
export async function solveAndRead(
  original: SolverInput,
  options: ReadOptions,
  catalog: ReadCatalog,
): Promise<ResolvedPackages> {
  const reader = new PackageReader(catalog)
  const check = new EntryCheck(catalog, reader)
  const wrong: WrongEntry[] = []
  for (;;) {
    const input = without(wrong, original)
    const result = solve(input, options)
    const wrongEntries = [...(await check.wrongIn(input, result))]
    if (wrongEntries.length === 0 && result.kind === 'rejected')
      return {...withEntryNotes(result, wrong, check.notes()), input}
    if (wrongEntries.length === 0 && result.kind === 'resolved') {
      const {installs} = result.resolution
      const resolution = {...result.resolution, installs: options.select?.(installs) ?? installs}
      const {opened, wrong: unread} = await reader.openAll(resolution)
      if (unread.length === 0) {
        expectLockedRead(resolution, input, wrong)
        return {kind: 'resolved', input, resolution: reported(resolution, wrong), opened}
      }
      wrongEntries.push(...unread)
    }
    wrong.push(...wrongEntries)
    rejectTooMany(wrong)
    rejectTimeout(wrong, options)
  }
}

/**
 * Removes wrong entries. One whose bytes were read is replaced by what they say; one whose bytes another entry describes
 * is dropped: an exclusion would exclude both.
 */
function without(wrong: readonly WrongEntry[], {summaries, excluded, ...rest}: SolverInput): SolverInput {
  const isWrong = new Set(wrong.map(({summary}) => summary))
  const left = summaries.filter(summary => !isWrong.has(summary))
  const versionOf = (summary: PackageSummary) => `${formatSummary(summary)}@${summary.digest ?? ''}`
  const described = new Set(left.map(versionOf))
  const open = wrong.filter(({summary}) => !described.has(versionOf(summary)))
  const actual = new Map(
    open.flatMap(({actual: read}) => (read && !isWrong.has(read) ? [[versionOf(read), read]] : [])),
  )
  const gone = open.filter(({summary}) => !actual.has(versionOf(summary)))
  return {
    ...rest,
    summaries: [...left, ...actual.values(), ...gone.map(({summary}) => summary)],
    excluded: [...excluded, ...gone.map(({exclusion}) => exclusion)],
  }
}

/** Throws `not-found` where another version would take the place of a locked one only because that one cannot be read. */
function expectLockedRead(
  {packages}: Resolution,
  {preferences, unreadable}: SolverInput,
  wrong: readonly WrongEntry[],
): void {
  const unread = [...unreadable, ...wrong.map(({exclusion}) => exclusion)]
  for (const {identity, tag, because, isUpgraded} of preferences) {
    if (because !== 'locked' || isUpgraded === true) continue
    const selected = packages.find(({summary}) => summary.identity === identity)
    const reason = unread.find(one => one.identity === identity && one.tag === tag)?.reason
    if (reason === undefined || selected === undefined || selected.summary.tag === tag) continue
    throw new CrossplaneError('not-found', `cannot read ${identity}:${tag}, which is locked: ${reason}`, {
      suggestions: [`To select another version: kubectl crossplane package lock --upgrade ${identity}`],
    })
  }
}

/** Adds notes to a resolution. */
export function withNotes<Result extends {readonly resolution: Resolution}>(
  result: Result,
  notes: readonly Diagnostic[],
): Result {
  const {resolution} = result
  return {...result, resolution: {...resolution, notes: [...resolution.notes, ...notes]}}
}

/**
 * Adds a note for each entry that was replaced by the content of its package, so that a refusal names the index, and for
 * each that could not be checked.
 */
function withEntryNotes(
  rejection: Rejection,
  wrong: readonly WrongEntry[],
  unchecked: readonly Diagnostic[],
): Rejection {
  const replaced = wrong.filter(({actual}) => actual !== undefined)
  const notes = distinct(replaced.map(entry => diagnosticOf(entry, 'note')))
  return {...rejection, diagnostics: [...rejection.diagnostics, ...notes, ...unchecked]}
}

/** Adds a note for each excluded entry that the notes of the answer do not mention. */
function reported(resolution: Resolution, wrong: readonly WrongEntry[]): Resolution {
  const {notes} = resolution
  const isKnown = ({exclusion}: WrongEntry) =>
    notes.some(
      ({message}) => message.startsWith(`${formatSummary(exclusion)} `) && message.includes(exclusion.reason),
    )
  const added = wrong.filter(entry => !isKnown(entry)).map(entry => diagnosticOf(entry, 'note'))
  return {...resolution, notes: [...notes, ...distinct(added)]}
}

/** Several entries can be wrong about the same in the same way, which is reported once. */
function distinct(notes: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(notes.map(note => [note.message, note])).values()]
}

function rejectTooMany(wrong: readonly WrongEntry[]): void {
  if (wrong.length <= MAX_WRONG_ENTRIES) return
  throw new CrossplaneError(
    'unresolvable',
    `cannot resolve: more than ${MAX_WRONG_ENTRIES} entries contradict their registries`,
    {
      diagnostics: excludedEntries(wrong),
      suggestions: WRONG_ENTRIES_ADVICE,
    },
  )
}

/**
 * The time limit includes the time between two attempts, so that an index with many wrong entries cannot delay a
 * command.
 */
function rejectTimeout(wrong: readonly WrongEntry[], {budget}: SolveOptions): void {
  if (!budget.isSpent(0)) return
  throw new CrossplaneError(
    'timeout',
    `cannot resolve in time: ${count(wrong.length, 'entry', 'entries')} had to be excluded`,
    {
      diagnostics: excludedEntries(wrong),
      suggestions: ['Pass a longer --solve-timeout.', ...WRONG_ENTRIES_ADVICE],
    },
  )
}

/** The entries that are listed in an error. */
const MAX_LISTED = 10

function excludedEntries(wrong: readonly WrongEntry[]): readonly Diagnostic[] {
  const listed = wrong.slice(0, MAX_LISTED).map(entry => diagnosticOf(entry, 'error'))
  const more = wrong.length - listed.length
  if (more === 0) return listed
  const message = `${count(more, 'more entry', 'more entries')} had to be excluded`
  return [...listed, {severity: 'error', rule: 'wrong-entries', message}]
}

const WRONG_ENTRIES_ADVICE = [
  'Leave out the index that carries these entries (--index, `indexes` of the declaration), or rebuild it from the packages: kubectl crossplane registry index rebuild REPOSITORY --index ROOT',
  'Pin the affected packages to a tag: pinned packages are read from their own registry.',
]

function diagnosticOf({exclusion, actual}: WrongEntry, severity: Diagnostic['severity']): Diagnostic {
  const {identity, tag, kind, reason} = exclusion
  const effect = actual === undefined ? 'excluded' : 'read from its package'
  const message = `${formatSummary({identity, tag})} is ${effect}: ${reason}`
  return {severity, rule: `${kind}-version`, message, subject: {package: identity, tag}}
}
