import type {Diagnostic} from '../../diagnostic.js'
import {listSome} from '../../text.js'
import {formatSummary} from '../../index/package-summary.js'
import type {UnreadablePackage} from '../../index/summaries.js'
import {compareText} from '../../reference/compare-text.js'
import {compareVersions} from '../../reference/newest-version.js'
import type {Answered} from './answered.js'

/** Notes on versions that a user might expect, and on selected ones that only the lock keeps. */
export function passedOverNotes(answered: Answered): Diagnostic[] {
  return [
    ...yankedNotes(answered),
    ...excludedNotes(answered),
    ...unreadableNotes(answered),
    ...candidateNotes(answered),
  ]
}

function yankedNotes({packages, input}: Answered): Diagnostic[] {
  return packages.flatMap(({summary}) => {
    const yank = input.excluded.find(
      ({kind, identity, tag, digest}) =>
        kind === 'yanked' &&
        identity === summary.identity &&
        tag === summary.tag &&
        (digest === undefined || digest === summary.digest),
    )
    if (yank === undefined) return []
    const because = input.preferences.find(
      ({identity, tag}) => identity === summary.identity && tag === summary.tag,
    )?.because
    const message = `${formatSummary(summary)} is ${because ?? 'locked'} but was yanked: ${yank.reason}`
    const subject = {package: summary.identity, tag: summary.tag}
    return [{severity: 'note', rule: 'yanked-version', message, subject} as const]
  })
}

/** Versions as new as the selected one or newer that cannot be selected: yanked, or published twice. */
function excludedNotes({model, selected}: Answered): Diagnostic[] {
  return [...selected].flatMap(([node, position]) => {
    const {tag} = model.version(node, position).summary
    const {identity, rejected} = model.packageNode(node)
    const notes = rejected
      .filter(({rule, summary}) => rule !== 'unstable-version' && isAtLeast(summary.tag, tag))
      .map(({summary, reason, rule}) => {
        const isPassedOver = rule !== 'yanked-version' && summary.tag !== tag
        const message = `${formatSummary(summary)} is not selected: ${reason}`
        const severity = isPassedOver ? ('warning' as const) : ('note' as const)
        return [message, {severity, rule, message, subject: {package: identity}}] as const
      })
    return [...new Map(notes)].sort(([one], [other]) => compareText(one, other)).map(([, note]) => note)
  })
}

function isAtLeast(tag: string, other: string): boolean {
  return tag === other || compareVersions(tag, other) < 0
}

/** Unreadable packages can include a newer version of a selected package, in place of which that one is selected. */
function unreadableNotes({packages, input}: Answered): Diagnostic[] {
  const selected = new Map(packages.map(({summary}) => [summary.identity, summary.tag]))
  const isNewer = ({identity, tag}: UnreadablePackage) =>
    compareVersions(tag, selected.get(identity) ?? '') < 0
  return input.unreadable
    .filter(({identity}) => selected.has(identity))
    .sort(byName)
    .map(unreadablePackage => ({
      severity: isNewer(unreadablePackage) ? 'warning' : 'note',
      rule: 'unreadable-package',
      message: `${formatSummary(unreadablePackage)} was not considered: ${unreadablePackage.reason}`,
      subject: {package: unreadablePackage.identity, tag: unreadablePackage.tag},
    }))
}

function byName(a: UnreadablePackage, b: UnreadablePackage): number {
  const [first, second] = [a, b].map(
    unreadablePackage => `${formatSummary(unreadablePackage)} ${unreadablePackage.reason}`,
  )
  return (first ?? '') < (second ?? '') ? -1 : 1
}

/**
 * A package can be the only candidate because others cannot be read: publishing damaged packages must not decide
 * that.
 */
function candidateNotes({packages, roots, input}: Answered): Diagnostic[] {
  const requirements = [...roots, ...packages.flatMap(selectedPackage => selectedPackage.requirements)]
  const isTrusted = requirements.some(({by}) => by.kind === 'package' && by.because === 'only-candidate')
  const selected = new Set(packages.map(({summary}) => summary.identity))
  const hidden = input.unreadable.filter(({identity}) => !selected.has(identity)).sort(byName)
  const [first] = hidden
  if (!isTrusted || first === undefined) return []
  const why = hidden.length === 1 ? `: ${first.reason}` : ''
  const message = `${listSome(hidden.map(formatSummary))} cannot be read and may own the same CRDs as the only candidates${why}`
  return [{severity: 'note', rule: 'unreadable-candidate', message}]
}
