import {changeWords, type SetComparison} from 'kubectl-crossplane/plugin'
import {html, type Html} from '../html.js'
import {LIMITS, type Omissions, omitted} from '../limits.js'
import {type Site, type SiteFile, titleOf, type VersionSummary} from '../site-model.js'
import {dividedName, layOut, section} from './layout.js'

type Change = SetComparison['changes'][number]

/** Writes the page with what `package compare` says of a version and the one before it. */
export function changesPage(
  version: VersionSummary,
  before: string,
  comparison: SetComparison,
  {site, omissions}: {readonly site: Site; readonly omissions: Omissions},
): SiteFile {
  const path = `${version.folder}/changes.html`
  const title = `Changes from ${before} to ${version.version}`
  const shown = comparison.changes.slice(0, LIMITS.changes)
  const left = comparison.changes.length - shown.length
  if (left > 0) omitted(omissions, `${version.package}:${version.version}`, `${left} changes are not shown`)
  const main = html`<h1>${title}</h1>
    <p class="lead">${summaryOf(comparison.changes)}</p>
    ${[...groupsOf(shown)].map(([group, changes]) => groupTable(group, changes, version))}
    ${left > 0 ? html`<p class="note">${left} more changes are not shown; <code>kubectl crossplane package compare</code> lists them.</p>` : undefined}
    ${section('unread', 'Not compared', unreadList(comparison.unread))}`
  const above = [
    {title: 'Packages', path: 'index.html'},
    {title: `${titleOf(version)} ${version.version}`, path: `${version.folder}/index.html`},
  ]
  return {path, content: layOut({path, title, main, above}, site)}
}

const SEVERITIES = ['breaking', 'risky', 'compatible'] as const

function summaryOf(changes: readonly Change[]): string {
  const counts = SEVERITIES.map(
    severity => [severity, changes.filter(own => own.severity === severity).length] as const,
  )
  const words = counts.filter(([, count]) => count > 0).map(([severity, count]) => `${count} ${severity}`)
  return words.length === 0 ? 'No changes for users of the package.' : `${words.join(', ')} changes.`
}

/** In the order of the changes, the worst first. */
function groupsOf(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const title = change.crd === undefined ? 'The package itself' : `${change.kind ?? ''} (${change.crd})`
    const group = groups.get(title)
    if (group === undefined) groups.set(title, [change])
    else group.push(change)
  }
  return groups
}

function groupTable(title: string, changes: readonly Change[], {kinds}: VersionSummary): Html {
  const page = kinds.find(({crd}) => crd === changes[0]?.crd)?.page
  const name = dividedName(title)
  return html`<h2>${page === undefined ? name : html`<a href="${page}">${name}</a>`}</h2>
    <ul class="changes">
      ${changes.map(
        change =>
          html`<li>
            <span class="badge ${change.severity}">${change.severity}</span>
            ${change.path === undefined || change.path === '' ? undefined : html`<code>${dividedName(change.path)}</code> `}${changeWords(change)}${change.versions === undefined ? undefined : html` <span class="quiet">${change.versions.join(', ')}</span>`}
          </li> `,
      )}
    </ul> `
}

function unreadList(unread: SetComparison['unread']): Html | undefined {
  if (unread.length === 0) return undefined
  return html`<ul>
    ${unread.map(({name, reason}) => html`<li><code>${name}</code>: ${reason}</li>`)}
  </ul>`
}
