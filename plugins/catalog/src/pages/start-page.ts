import {html, type Html, shortened} from '../html.js'
import {
  newestOf,
  type Site,
  type SiteFile,
  type SitePackage,
  titleOf,
  type VersionSummary,
} from '../site-model.js'
import {badgeText, iconOf, layOut} from './layout.js'

/** A version that could not be read. */
export interface UnreadVersion {
  readonly name: string
  readonly reason: string
}

/** Writes the page with all packages. */
export function startPage(
  packages: readonly SitePackage[],
  unread: readonly UnreadVersion[],
  site: Site,
): SiteFile {
  const newest = packages.map(newestOf)
  const categories = distinct(newest.map(({presentation}) => presentation.category))
  const types = distinct(newest.map(({presentation}) => presentation.type))
  const formats = distinct(newest.map(formatWords))
  const main = html`<h1>${site.title}</h1>
    <div class="filters" hidden>
      ${filter('category', 'Category', categories)}${filter('type', 'Type', types)}${filter('format', 'Format', formats)}${kindFilter(newest)}
      <p class="quiet" role="status" id="shown">${packages.length} packages</p>
    </div>
    <ul class="cards">
      ${packages.map(card)}
    </ul>
    ${
      unread.length === 0
        ? undefined
        : html`<section aria-labelledby="unread">
            <h2 id="unread">Not readable</h2>
            <ul>
              ${unread.map(({name, reason}) => html`<li><code>${name}</code>: ${reason}</li>`)}
            </ul>
          </section>`
    }`
  const description = `${packages.length} Crossplane packages`
  return {
    path: 'index.html',
    content: layOut({path: 'index.html', title: site.title, main, description}, site),
  }
}

/** The words for the format of a package. */
function formatWords({format}: Pick<ReturnType<typeof newestOf>, 'format'>): string {
  return format === 'xpkg' ? 'Crossplane v1 and later' : 'Crossplane v0.12 and earlier'
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter(text => text !== '').sort()
}

/** Kinds are typed: there are thousands. */
function kindFilter(newest: readonly VersionSummary[]): Html | undefined {
  if (newest.every(({kinds}) => kinds.length === 0)) return undefined
  return html`<label
    >Kind <input data-filter="kinds" type="search" autocomplete="off" spellcheck="false" size="14"
  /></label> `
}

/** Nothing to choose from is no filter. */
function filter(name: string, label: string, values: readonly string[]): Html | undefined {
  if (values.length < 2) return undefined
  return html`<label
    >${label}
    <select data-filter="${name}">
      <option value="">All</option>
      ${values.map(value => html`<option value="${value}">${badgeText(value)}</option>`)}
    </select></label
  > `
}

function card(own: SitePackage): Html {
  const version = newestOf(own)
  const {presentation, kinds} = version
  const {category, type, keywords, overview} = presentation
  return html`<li
    class="card"
    data-category="${category}"
    data-type="${type}"
    data-format="${formatWords(version)}"
    data-kinds="${distinct(kinds.map(({kind}) => kind.toLowerCase())).join(' ')}"
  >
    <div class="head">
      ${iconOf(presentation.icon, titleOf(version))}
      <div>
        <h2><a href="${version.folder}/index.html">${titleOf(version)}</a></h2>
        <p class="sub">${own.name}</p>
      </div>
    </div>
    ${overview === '' ? undefined : html`<p class="text">${shortened(overview.replace(/\s+/g, ' '), 180)}</p>`}
    <p class="badges">
      <span class="badge strong">${badgeText(type)}</span
      >${category === '' ? undefined : html` <span class="badge">${badgeText(category)}</span>`}${keywords.slice(0, 4).map(word => html` <span class="badge quiet">${badgeText(word)}</span>`)}
    </p>
    <p class="foot">
      <span>${version.version}</span><span>${kinds.length === 1 ? '1 kind' : `${kinds.length} kinds`}</span>
    </p>
  </li> `
}
