import type {Diagnostic} from '../../diagnostic.js'
import {formatSummary} from '../../index/package-summary.js'
import type {UnreadablePackage} from '../../index/summaries.js'
import {compareVersions} from '../../reference/newest-version.js'
import type {Answered} from './answered.js'
import {some} from './words.js'

/** Versions of what was chosen that a reader may miss, and the one that should not have been chosen. */
export function passedOverNotes(answered: Answered): Diagnostic[] {
  return [
    ...yankedNotes(answered),
    ...refusedNotes(answered),
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
    return [
      {
        severity: 'note' as const,
        rule: 'yanked-version',
        message: `${formatSummary(summary)} is locked, and was yanked: ${yank.reason}`,
      },
    ]
  })
}

/** What of something chosen may not be chosen though it is as new or newer: what was yanked, or is there twice. */
function refusedNotes({model, selected}: Answered): Diagnostic[] {
  return [...selected].flatMap(([node, position]) => {
    const {tag} = model.version(node, position).summary
    const {refused} = model.node(node)
    const messages = refused
      .filter(({rule, summary}) => rule !== 'unstable-version' && isAtLeast(summary.tag, tag))
      .map(({summary, reason, rule}) => [`${formatSummary(summary)} is not taken: ${reason}`, rule] as const)
    return [...new Map(messages)]
      .sort()
      .map(([message, rule]) => ({severity: 'note' as const, rule, message}))
  })
}

function isAtLeast(tag: string, other: string): boolean {
  return tag === other || compareVersions(tag, other) < 0
}

/** A newer version of something chosen may be among what could not be read. */
function unreadableNotes({packages, input}: Answered): Diagnostic[] {
  const selected = new Set(packages.map(({summary}) => summary.identity))
  return input.unreadable
    .filter(({identity}) => selected.has(identity))
    .sort(byName)
    .map(each => ({
      severity: 'note' as const,
      rule: 'unreadable-package',
      message: `${formatSummary(each)} was not considered: ${each.reason}`,
    }))
}

function byName(a: UnreadablePackage, b: UnreadablePackage): number {
  const [first, second] = [a, b].map(each => `${formatSummary(each)} ${each.reason}`)
  return (first ?? '') < (second ?? '') ? -1 : 1
}

/** Nobody else owns what is needed, as far as could be read: who publishes damaged packages must not decide that alone. */
function candidateNotes({packages, roots, input}: Answered): Diagnostic[] {
  const requirements = [...roots, ...packages.flatMap(each => each.requirements)]
  const isTrusted = requirements.some(({by}) => by.kind === 'package' && by.because === 'only-candidate')
  const selected = new Set(packages.map(({summary}) => summary.identity))
  const hidden = input.unreadable.filter(({identity}) => !selected.has(identity)).sort(byName)
  const [first] = hidden
  if (!isTrusted || first === undefined) return []
  const why = hidden.length === 1 ? `: ${first.reason}` : ''
  const message = `${some(hidden.map(formatSummary))} could not be read, and may own what others were taken as owners of${why}`
  return [{severity: 'note' as const, rule: 'unreadable-candidate', message}]
}
