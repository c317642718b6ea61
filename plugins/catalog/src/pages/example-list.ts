import {asText, type CatalogVersion} from 'kubectl-crossplane/plugin'
import {html, type Html, shortened} from '../html.js'
import {LIMITS, type Omissions, omitted} from '../limits.js'
import {code} from './layout.js'

type CrdSurface = CatalogVersion['surface']['crds'][number]
type Example = CatalogVersion['examples']['examples'][number]

/** The examples of a kind, as its page shows them. */
export interface ShownExamples {
  readonly shown: readonly Example[]
  /** How many others it has. */
  readonly omitted: number
}

/** Returns the examples of a kind: those that authors wrote for any of its versions. */
export function examplesOf(
  {kind, name, spec}: CrdSurface,
  {examples: {examples}}: CatalogVersion,
  omissions: Omissions,
): ShownExamples {
  const group = `${asText(spec.group)}/`
  const own = examples.filter(example => example.kind === kind && example.apiVersion.startsWith(group))
  const shown = own.filter(({text}) => text.length <= LIMITS.example).slice(0, LIMITS.examples)
  const left = own.length - shown.length
  if (left > 0) omitted(omissions, name, `${left} examples are not shown`)
  return {shown, omitted: left}
}

/** Reports examples that are not objects, or cannot be read: packages are installed without them. */
export function reportUnread(
  {package: name, version, examples: {unread}}: CatalogVersion,
  omissions: Omissions,
): void {
  for (const reason of unread.slice(0, LIMITS.unreadExamples))
    omitted(omissions, `${name}:${version}`, `examples are not shown: ${reason}`)
}

/** Writes examples to copy: the first is open. */
export function exampleList({shown, omitted: left}: ShownExamples): Html | undefined {
  if (shown.length === 0 && left === 0) return undefined
  return html`${shown.map(({name, apiVersion, text}, index) => {
    const title = shortened(name || `Example ${index + 1}`, 80)
    const attribute = index === 0 ? OPEN : undefined
    return html`<details class="example" ${attribute}>
      <summary>
        <b>${title}</b> <span class="type">${shortened(apiVersion.split('/').at(-1) ?? '', 40)}</span>
      </summary>
      ${code(text, `Example ${title}`)}
    </details> `
  })}${left === 0 ? undefined : html`<p class="note">${left} more examples are not shown.</p>`}`
}

const OPEN = html` open`
