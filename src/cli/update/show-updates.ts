import type {ForgeResult} from '../../commit/forge.js'
import type {CrossplaneError} from '../../errors.js'
import type {UpdateReport, UpdatesReport} from '../../pipeline/git/update-branches.js'
import type {UpdateExplanation} from '../../pipeline/git/explain-update.js'
import {present} from '../../present.js'
import {count} from '../../text.js'
import {unsaidCause} from '../shell/unsaid-cause.js'
import {formatDiagnostic} from '../shell/text/format-diagnostic.js'
import {lines} from '../shell/text/lines.js'
import {plainText, suggestionText} from '../shell/text/plain-text.js'

const STATUS: Readonly<Record<UpdateReport['status'], string>> = {
  created: 'created',
  updated: 'updated',
  current: 'up to date',
  changed: 'changed by a user; left as it is',
  waiting: 'not made: as many branches exist as --limit allows',
  failed: 'failed',
  removed: 'removed: this run would not make it',
  'checked-out': 'checked out in a working tree; left as it is',
}

/** The same for what would be done. */
const PLANNED: {readonly [status in UpdateReport['status']]?: string} = {
  created: 'would be created',
  updated: 'would be updated',
  removed: 'would be removed: this run would not make it',
}

const REQUESTS: Readonly<Record<ForgeResult['status'], string>> = {
  opened: 'opened',
  edited: 'edited',
  unchanged: 'open',
  closed: 'closed by a user; left as it is',
}

/** Formats what became of the branches of updates, and what is not updated. */
export function formatUpdates({updates, waiting}: UpdatesReport, isDryRun: boolean): string {
  const branches = updates.flatMap(({branch, status, packages, request, note, error}) => [
    `${plainText(branch)}: ${(isDryRun ? PLANNED[status] : undefined) ?? STATUS[status]}`,
    ...packages.map(one => `  ${plainText(one.package)} ${plainText(one.from)} -> ${plainText(one.to)}`),
    ...(request === undefined ? [] : [`  ${plainText(request.url)}: ${REQUESTS[request.status]}`]),
    ...(note === undefined ? [] : [`  ${plainText(note)}`]),
    ...(error === undefined ? [] : errorLines(error)),
  ])
  const rest = waiting.map(
    ({package: name, locked, newest, reason}) =>
      `  ${plainText(name)} ${plainText(locked)}${newest === undefined ? '' : `, newest ${plainText(newest)}`}: ${plainText(reason)}`,
  )
  return lines([
    ...branches,
    ...(rest.length === 0 ? [] : [...(branches.length === 0 ? [] : ['']), 'NOT UPDATED', ...rest]),
  ])
}

/** What a failure alone would print, below the branch that has it. */
function errorLines(error: CrossplaneError): readonly string[] {
  const {message, diagnostics} = error
  const cause = unsaidCause(message, causeOf(error))
  const suggestions = [
    ...new Set([...error.suggestions, ...diagnostics.flatMap(one => one.suggestions ?? [])]),
  ]
  return [
    `  ${plainText(message)}`,
    ...(cause === undefined ? [] : [`    caused by: ${plainText(cause)}`]),
    ...diagnostics.map(diagnostic => `    ${formatDiagnostic(diagnostic)}`),
    ...suggestions.map(suggestion => `  Try: ${suggestionText(suggestion)}`),
  ]
}

function causeOf({cause}: CrossplaneError): string | undefined {
  return cause instanceof Error && cause.message !== '' ? cause.message : undefined
}

function errorDocument(error: CrossplaneError) {
  const {code, message, diagnostics, suggestions} = error
  return {
    ...{code, message},
    ...present({cause: causeOf(error)}),
    faults: diagnostics.map(({severity, rule, message: text, file, line, field, suggestions: next}) => ({
      ...{severity, rule, message: text},
      ...present({file, line, field, suggestions: next}),
    })),
    suggestions,
  }
}

/** Returns the same as a document. */
export function updatesDocument({target, updates, waiting}: UpdatesReport, isDryRun: boolean) {
  return {
    kind: 'PackageUpdates',
    target,
    ...(isDryRun ? {dryRun: true} : {}),
    updates: updates.map(({branch, status, packages, commit, title, body, request, note, error}) => ({
      ...{branch, status},
      packages: packages.map(one => ({package: one.package, from: one.from, to: one.to})),
      ...present({commit, title, body, request, note}),
      ...(error === undefined ? {} : {error: errorDocument(error)}),
    })),
    waiting: waiting.map(({package: name, locked, newest, reason}) => ({
      ...{package: name, locked},
      ...present({newest}),
      reason,
    })),
  }
}

/** Formats why a package is updated or not. */
export function formatExplanation(explanation: UpdateExplanation): string {
  const {package: name, branch, packages, waiting} = explanation
  const own = packages.find(one => one.package === name)
  const others = packages.filter(one => one !== own).map(one => plainText(one.package))
  return lines([
    verdict(explanation, own?.to),
    ...(branch === undefined ? [] : [`  branch: ${plainText(branch)}`]),
    ...(others.length === 0 ? [] : [`  with ${count(others.length, 'other package')}: ${others.join(', ')}`]),
    ...(waiting !== undefined || own !== undefined
      ? []
      : ['  it is the newest version that can be selected']),
    ...(waiting === undefined
      ? []
      : [
          `  ${plainText(waiting.newest ?? 'a newer version')} is not selected: ${plainText(waiting.reason)}`,
        ]),
  ])
}

function verdict({package: name, locked}: UpdateExplanation, to: string | undefined): string {
  const [subject, from] = [plainText(name), plainText(locked)]
  return to === undefined
    ? `${subject} stays at ${from}`
    : `${subject} is updated from ${from} to ${plainText(to)}`
}
