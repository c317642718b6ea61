import {html, type Html} from '../html.js'
import type {KindSummary, Site, SiteFile, VersionSummary} from '../site-model.js'
import {slugs} from '../slugs.js'
import {dividedName, iconOf, layOut, section} from './layout.js'

/** The kinds of an API group of a package. */
export interface KindGroup {
  readonly group: string
  /** The page, relative to the folder of the version. */
  readonly page: string
  readonly title: string
  readonly overview: string
  /** That of all of its kinds: those without one have the icon of their group. */
  readonly icon: string
  /** At least one. */
  readonly kinds: readonly KindSummary[]
}

/** Returns the API groups of a version, in the order of its kinds. */
export function groupsOf({kinds}: Pick<VersionSummary, 'kinds'>): readonly KindGroup[] {
  const groups = new Map<string, KindSummary[]>()
  for (const kind of kinds) {
    const own = groups.get(kind.group)
    if (own === undefined) groups.set(kind.group, [kind])
    else own.push(kind)
  }
  const pages = groupPages(groups.keys())
  return [...groups].map(([group, own]) => ({
    group,
    page: pages.get(group) ?? '',
    title: own.find(({groupTitle}) => groupTitle !== '')?.groupTitle ?? '',
    overview: own.find(({groupOverview}) => groupOverview !== '')?.groupOverview ?? '',
    icon: own.every(({icon}) => icon === own[0]?.icon) ? (own[0]?.icon ?? '') : '',
    kinds: own.toSorted(byKind),
  }))
}

/** Returns the pages of groups, relative to the folder of their version; the same for the same groups in the same order. */
export function groupPages(groups: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...slugs(new Set(groups))].map(([group, name]) => [group, `groups/${name}.html`]))
}

/** A `FooClass` stands after `Foo`, which its plural does not. */
function byKind({kind: one}: KindSummary, {kind: other}: KindSummary): number {
  return one < other ? -1 : Number(one > other)
}

/** A group, and what stands on its page. */
interface ShownGroup {
  readonly version: VersionSummary
  readonly above: readonly {readonly title: string; readonly path: string}[]
  readonly readme: Html | undefined
}

/** Writes the page of an API group: what its authors say of it, and its kinds. */
export function groupPage(own: KindGroup, {version, above, readme}: ShownGroup, site: Site): SiteFile {
  const {group, title, overview, icon, kinds, page} = own
  const path = `${version.folder}/${page}`
  const heading = title === '' ? group : title
  const main = html`<div class="title">
      ${iconOf(icon || version.presentation.icon, heading, 'large')}
      <div>
        <h1>${dividedName(heading)}</h1>
        ${title === '' ? undefined : html`<p class="sub"><code>${group}</code></p>`}
      </div>
    </div>
    ${overview === '' ? undefined : html`<p class="lead">${overview}</p>`}
    ${section('readme', 'Readme', readme && html`<div class="readme">${readme}</div>`)}${section('kinds', 'Kinds', kindList(kinds, version.presentation.icon, '../'), kinds.length)}`
  const description = `Kinds of ${group}`
  return {path, content: layOut({path, title: heading, main, above, description}, site)}
}

/** Lists kinds with their icons. @param root - the path to the folder of the version. */
export function kindList(kinds: readonly KindSummary[], icon: string, root: string): Html {
  return html`<ul class="kinds">
    ${kinds.map(
      kind =>
        html`<li>
          ${iconOf(kind.icon || icon, kind.kind, 'tiny')}
          <div>
            <a href="${root}${kind.page}">${dividedName(kind.kind)}</a>
            <span class="quiet">${kind.versions.join(', ')}${kind.source === 'claim' ? ' · claim' : ''}</span
            >${kind.title === '' ? undefined : html`<br /><span class="quiet">${kind.title}</span>`}
          </div>
        </li>`,
    )}
  </ul>`
}
