import type {UsageImpact} from '../usage/objects/compare-usage.js'
import {impactLines, impactSummary} from '../usage/objects/impact-view.js'
import {count, escaped, plural} from '../text.js'
import {alignedRows, commitRows} from './commit-rows.js'
import type {FolderSummary} from './folder-summary.js'

/** What the request of an update says. */
export interface UpdateContent {
  readonly packages: readonly {readonly package: string; readonly from: string; readonly to: string}[]
  readonly summary: FolderSummary
  /** What it does to the objects of users; absent if the declaration names none. */
  readonly impact?: Pick<UsageImpact, 'findings' | 'totals' | 'read'> & {readonly open: number}
  /** What reviewers must know besides. */
  readonly warnings: readonly string[]
  /** What else is to be said, such as which packages stay as they are. */
  readonly notes?: readonly string[]
  /** The command that returns to the versions before, one line each. */
  readonly rollback: readonly string[]
}

/** The most lines of a section. */
const MAX_LINES = 50

/** The most bytes of a text: GitHub rejects a longer one, and a push option of Git has less than 64 KiB. */
const MAX_BYTES = 56_000

/** The most bytes of an option: https://git-scm.com/docs/gitprotocol-common#_pkt_line_format */
const MAX_OPTION = 65_000

/** What stands for a section that has no place. */
const CUT = 'This is longer than a request can have. The commit has all of it.'

/**
 * Formats the request of an update as Markdown. Whatever a package says stands in code: there, no host mentions users, closes issues, loads
 * images or makes links. Where all of it is too long, the packages and what to review first stay longest.
 */
export function updateBody(content: UpdateContent): string {
  const {packages, summary, warnings, notes = [], rollback} = content
  const changes = commitRows(summary)
  const sections: readonly Section[] = [
    [
      '## Packages',
      capped(
        packages.map(one => packageLine(one)),
        '- ',
      ).join('\n'),
    ],
    ['## Review first', capped(firstLines(content), '- ').join('\n')],
    ['## Warnings', warnings.length === 0 ? '' : codeBlock(capped(warnings))],
    ['## Notes', notes.length === 0 ? '' : codeBlock(capped(notes))],
    ['## Effects on objects', impactText(content.impact)],
    ['## What changes', changes.length === 0 ? '' : codeBlock(changes)],
    ['## Roll back', `Once this is merged:\n\n${codeBlock(capped(rollback, '# '), 'sh')}`],
  ]
  return withinSize(sections.filter(([, text]) => text !== ''))
}

type Section = readonly [title: string, text: string]

/** Formats sections; the last ones are replaced as long as all together are too long. */
function withinSize(sections: readonly Section[]): string {
  let cut = 0
  const text = () => {
    const shown = sections.map(([title, whole], index) => {
      return `${title}\n\n${index < sections.length - cut ? whole : CUT}`
    })
    return `${shown.join('\n\n')}\n`
  }
  while (cut < sections.length && Buffer.byteLength(text()) > MAX_BYTES) cut += 1
  return text()
}

/** The first lines, and how many more there are. */
function capped(lines: readonly string[], start = ''): readonly string[] {
  const left = lines.length - MAX_LINES
  return left > 0 ? [...lines.slice(0, MAX_LINES), `${start}and ${left} more`] : lines
}

function packageLine({package: name, from, to}: UpdateContent['packages'][number]): string {
  return `- ${codeSpan(name)}: ${codeSpan(from)} → ${codeSpan(to)}`
}

/** Who may define kinds, who signs, and what breaks: nothing else confirms it. */
function firstLines({summary: {owners, signers = []}, impact}: UpdateContent): readonly string[] {
  return [
    ...(impact === undefined || impact.open === 0
      ? []
      : [
          `- ${count(impact.open, 'effect')} on objects ${plural(impact.open, 'is', 'are')} not accepted. \`kubectl crossplane package check\` fails until the objects are changed, or the effects are accepted with \`--accept-impact\`.`,
        ]),
    ...owners.map(
      ({identity, groups, before}) =>
        `- ${codeSpan(identity)} becomes the owner of ${groups.map(codeSpan).join(', ')}${before === undefined ? '' : ` in place of ${codeSpan(before)}`}`,
    ),
    ...signers.map(
      ({package: name, image, before, after}) =>
        `- ${codeSpan(image ?? name)} has other signers: ${signerNames(before)} → ${signerNames(after)}`,
    ),
  ]
}

function signerNames(names: NonNullable<FolderSummary['signers']>[number]['before']): string {
  return names.length === 0 ? 'none' : names.map(name => codeSpan(JSON.stringify(name))).join(', ')
}

function impactText(impact: UpdateContent['impact']): string {
  if (impact === undefined) return ''
  const lines = impactLines(impact.findings.filter(({verdict}) => verdict !== 'unread'))
  const rows = lines.map(({verdicts, place, field, message}) => [
    verdicts.join(', '),
    place,
    `${field}: ${message}`,
  ])
  return codeBlock([impactSummary(impact), ...capped(alignedRows(rows))])
}

/** Returns text as a code span that it cannot leave. */
export function codeSpan(text: string): string {
  const line = escaped(text)
  const fence = '`'.repeat(longestRun(line) + 1)
  return /^`|`$|^ | $|^$/.test(line) ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`
}

/** Returns lines as a code block that they cannot leave. */
function codeBlock(lines: readonly string[], language = 'text'): string {
  const shown = lines.map(line => escaped(line))
  const fence = '`'.repeat(Math.max(3, ...shown.map(line => longestRun(line) + 1)))
  return [`${fence}${language}`, ...shown, fence].join('\n')
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}

/**
 * Returns the message of a commit in which the text of packages, all but the subject and the trailers, mentions no one and closes nothing:
 * hosts look for such words in messages.
 */
export function withoutMentions(message: string): string {
  const paragraphs = message.trimEnd().split('\n\n')
  const inert = paragraphs.map((paragraph, index) =>
    index === 0 || index === paragraphs.length - 1 ? paragraph : inertText(paragraph),
  )
  return `${inert.join('\n\n')}\n`
}

/**
 * A zero-width space after the signs that begin a mention or a reference, and within a link: also where a message becomes the text of a
 * request, which is Markdown.
 */
function inertText(text: string): string {
  return text
    .replace(/[@#!~%&$](?=[\w"{[])(?!sha256:)/g, sign => `${sign}\u200B`)
    .replace(/\bGH-(?=\d)/gi, word => `${word}\u200B`)
    .replaceAll('://', ':\u200B//')
    .replace(/\bwww(?=\.)/gi, word => `${word}\u200B`)
    .replace(/\](?=[([:])|<(?=[\w/!?])/g, sign => `${sign}\u200B`)
}

/**
 * The options by which GitLab opens a merge request. Without a title and a text, it would take those of the commit, which are no Markdown:
 * https://docs.gitlab.com/topics/git/commit/#push-options-for-merge-requests
 */
export function mergeRequestOptions(target: string, {title, body}: {title: string; body: string}) {
  // An option has one line: GitLab reads \n as a line end, also where the text had a backslash and an n.
  const text = body.trimEnd().replaceAll('\\n', '\\\u200Bn').replaceAll('\n', '\\n')
  const description = Buffer.byteLength(text) > MAX_OPTION ? CUT : text
  return [
    ...['merge_request.create', `merge_request.target=${target}`, 'merge_request.remove_source_branch'],
    ...[`merge_request.title=${escaped(title)}`, `merge_request.description=${description}`],
  ]
}
