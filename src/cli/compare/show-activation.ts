import {count} from '../../text.js'
import type {Activation, KindUse, UsedKind} from '../../usage/activation/activation-report.js'
import {formatDocument, isDocument, show} from '../shell/document/show.js'
import {type Paint, painter} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import {formatSections, type Section} from '../shell/text/section.js'
import {formatTable, type Row} from '../shell/text/table.js'

/** Prints which managed resources are used and active. */
export async function showActivation(
  activation: Activation,
  output: string,
  argv: readonly string[],
): Promise<void> {
  if (isDocument(output)) return await show(formatDocument({kind: 'ActivationReport', ...activation}, output))
  await show(textOf(activation, painter(argv, 'stdout')))
}

function textOf(activation: Activation, paint: Paint): string {
  const sections = activation.used.map((own): Section => ({
    title: titleOf(own),
    lines: formatTable([...usesOf(own)], paint),
  }))
  const unread = unreadSection(activation)
  const end: Section = {title: 'SUMMARY', lines: summaryOf(activation).map(line => `  ${line}`)}
  return formatSections([...sections, ...unread, end], paint)
}

const STATES: Readonly<Record<UsedKind['state'], string>> = {
  active: 'active',
  inactive: 'NOT ACTIVE',
  unknown: 'the cluster decides',
}

function titleOf({name, kind, package: holder, state}: UsedKind): string {
  return plainText(`${name} (${kind} of ${holder}): ${STATES[state]}`)
}

/** The uses of a kind that text lists. */
const MAX_USES = 5

function usesOf({uses, live, isNeeded}: UsedKind): readonly Row[] {
  const more = uses.length - MAX_USES
  return [
    ...uses.slice(0, MAX_USES).map(useRow),
    ...(more > 0 ? [['', `and ${more} more; -o json lists them`]] : []),
    ...(live === undefined || live === 0 ? [] : [['cluster', count(live, 'object')]]),
    ...(isNeeded === true ? [['', 'other kinds of the package need it']] : []),
  ]
}

function useRow({package: holder, file, line, object, step, resource}: KindUse): Row {
  const place = line === undefined ? file : `${file}:${line}`
  const parts = [
    object,
    ...(step === undefined ? [] : [`step ${step}`]),
    ...(resource === undefined || resource === '' ? [] : [`resource ${resource}`]),
  ]
  return [holder === undefined ? place : `${holder} (${place})`, parts.join(', ')]
}

/** The number of unread parts that text lists. */
const MAX_UNREAD = 10

function unreadSection({unread}: Activation): readonly Section[] {
  if (unread.length === 0) return []
  const lines = unread
    .slice(0, MAX_UNREAD)
    .map(({file, line, reason}) => plainText(`${line === undefined ? file : `${file}:${line}`}: ${reason}`))
  const more =
    unread.length > MAX_UNREAD ? [`and ${unread.length - MAX_UNREAD} more; -o json lists them`] : []
  return [{title: 'UNREAD', lines: [...lines, ...more].map(line => `  ${line}`)}]
}

function summaryOf({
  totals: {managed, active, used, missing},
  unused,
  alwaysActive,
}: Activation): readonly string[] {
  return [
    `${used} of ${count(managed, 'kind')} used, ${active} active`,
    ...(missing === 0 ? [] : [`${count(missing, 'used kind')} not active`]),
    ...(unused.length === 0
      ? []
      : [
          `${count(unused.length, 'CRD')} could be saved: --write --context NAME activates only what is used`,
        ]),
    ...(alwaysActive.length === 0
      ? []
      : [plainText(`always active: all kinds of ${alwaysActive.join(', ')}`)]),
  ]
}
