import {formatSummary} from '../../index/package-summary.js'
import {compareVersions} from '../../reference/newest-version.js'
import type {Answered} from './answered.js'
import type {Finding} from '../resolution.js'

/** Versions of what was chosen that a reader may miss, and the one that should not have been chosen. */
export function passedOverNotes(answered: Answered): Finding[] {
  return [...yankedNotes(answered), ...refusedNotes(answered), ...unreadableNotes(answered)]
}

function yankedNotes({packages, question}: Answered): Finding[] {
  return packages.flatMap(({summary}) => {
    const yank = question.excluded.find(
      ({kind, identity, tag, digest}) =>
        kind === 'yanked' &&
        identity === summary.identity &&
        tag === summary.tag &&
        (digest === undefined || digest === summary.digest),
    )
    if (yank === undefined) return []
    return [
      {
        rule: 'yanked-version',
        message: `${formatSummary(summary)} is locked, and was yanked: ${yank.reason}`,
      },
    ]
  })
}

/** What of something chosen may not be chosen though it is as new or newer: what was yanked, or is there twice. */
function refusedNotes({problem, chosen}: Answered): Finding[] {
  return [...chosen].flatMap(([node, position]) => {
    const {tag} = problem.version(node, position).summary
    const {refused} = problem.node(node)
    const messages = refused
      .filter(({rule, summary}) => rule !== 'unstable-version' && isAtLeast(summary.tag, tag))
      .map(({summary, reason, rule}) => [`${formatSummary(summary)} is not taken: ${reason}`, rule] as const)
    return [...new Map(messages)].sort().map(([message, rule]) => ({rule, message}))
  })
}

function isAtLeast(tag: string, other: string): boolean {
  return tag === other || compareVersions(tag, other) < 0
}

/** A newer version of something chosen may be among what could not be read. */
function unreadableNotes({packages, question}: Answered): Finding[] {
  const chosen = new Set(packages.map(({summary}) => summary.identity))
  return question.unreadable
    .filter(({identity}) => chosen.has(identity))
    .map(each => ({
      rule: 'unreadable-package',
      message: `${formatSummary(each)} was not considered: ${each.reason}`,
    }))
    .sort((a, b) => (a.message < b.message ? -1 : 1))
}
