import {html, Html, htmlLines} from '../html.js'
import {installLines} from '../install-lines.js'
import {
  type Neighbor,
  newestOf,
  type Site,
  type SiteFile,
  type SitePackage,
  titleOf,
  type VersionSummary,
} from '../site-model.js'
import {groupsOf, kindList} from './group-page.js'
import {definitions} from './kind-page.js'
import {
  badgeText,
  code,
  commandLine,
  dividedName,
  iconOf,
  isIcon,
  layOut,
  rootOf,
  section,
  webLink,
} from './layout.js'

const OPEN = new Html(' open')

/** What stands around a version of a package. */
export interface Surroundings {
  readonly requires: readonly Neighbor[]
  readonly requiredBy: readonly Neighbor[]
  /** The drawing of both. */
  readonly graph?: Html | undefined
  readonly readme?: Html | undefined
}

/** Writes the page of a version of a package. */
export function packagePage(
  own: SitePackage,
  version: VersionSummary,
  {requires, requiredBy, graph, readme}: Surroundings,
  site: Site,
): SiteFile {
  const path = `${version.folder}/index.html`
  const root = rootOf(path)
  const title = `${titleOf(version)} ${version.version}`
  const neighbors = html`${graph}${neighborTable('Requires', requires, root)}${neighborTable('Required by', requiredBy, root)}`
  const main = html`${head(version)} ${newerNote(own, version, root)}
    <div class="columns">
      <div class="wide">
        ${section('install', 'Install', install(version))}${section('readme', 'Readme', readme && html`<div class="readme">${readme}</div>`)}${section('kinds', 'Kinds', kindTables(version), version.kinds.length)}${section('permissions', 'Permissions', permissions(version))}${section('images', 'Images', images(version))}${section('dependencies', 'Dependencies', requires.length + requiredBy.length === 0 ? undefined : neighbors)}${section('problems', 'Not readable', unread(version))}
      </div>
      <aside class="side" aria-label="About this package">
        ${about(version)} ${versionList(own, version, root)}
      </aside>
    </div>`
  const above =
    version === newestOf(own)
      ? []
      : [{title: titleOf(newestOf(own)), path: `${newestOf(own).folder}/index.html`}]
  const description = version.presentation.overview.slice(0, 200)
  const page = {path, title, main, above: [{title: 'Packages', path: 'index.html'}, ...above], description}
  return {path, content: layOut(page, site)}
}

function head({presentation, package: name, ...version}: VersionSummary): Html {
  const {type, category, keywords, overview, icon} = presentation
  return html`<div class="title">
      ${iconOf(icon, titleOf({presentation, package: name}), 'large')}
      <div>
        <h1>${titleOf({presentation, package: name})} <span class="tag">${version.version}</span></h1>
        <p class="sub"><code>${name}</code></p>
        <p class="badges">
          <span class="badge strong">${badgeText(type)}</span
          >${category === '' ? undefined : html` <span class="badge">${badgeText(category)}</span>`}${keywords.map(word => html` <span class="badge quiet">${badgeText(word)}</span>`)}
        </p>
      </div>
    </div>
    ${overview === '' ? undefined : html`<p class="lead">${overview}</p>`}`
}

/** Addresses of old versions stay in bookmarks and search engines. */
function newerNote(own: SitePackage, shown: VersionSummary, root: string): Html | undefined {
  const newest = newestOf(own)
  if (newest === shown || own.versions.indexOf(newest) > own.versions.indexOf(shown)) return undefined
  return html`<p class="note">
    A newer version is in this catalog: <a href="${root}${newest.folder}/index.html">${newest.version}</a>
  </p> `
}

function install(version: VersionSummary): Html {
  return html`${installLines(version).map(({text, label}) => code(label === 'Command' ? commandLine(text) : text, label))}`
}

function kindTables(version: VersionSummary): Html | undefined {
  const groups = groupsOf(version)
  if (groups.length === 0) return undefined
  const isOpen = groups.length <= 12
  return htmlLines(
    groups.map(
      ({group, title, overview, page, kinds}) =>
        html`<details class="group" ${isOpen ? OPEN : undefined}>
          <summary>
            <h3>${title === '' ? group : `${title} (${group})`}</h3>
            <span class="count">${kinds.length}</span>
          </summary>
          ${overview === '' ? undefined : html`<p>${overview}</p>`}
          <p><a href="${page}">About ${group}</a></p>
          ${kindList(kinds, version.presentation.icon, '')}
        </details>`,
    ),
  )
}

function permissions({permissions: {scope, rules}}: VersionSummary): Html | undefined {
  if (rules.length === 0) return undefined
  const where = scope === 'cluster' ? 'In the whole cluster' : 'In its namespace'
  return html`<p>
      ${scope === 'listed' ? 'Its service account may use these resources, besides its own kinds:' : `${where}, its service account may:`}
    </p>
    <ul class="permissions">
      ${rules.map(
        ({words, wide}) =>
          html`<li>
            ${scope === 'listed' ? html`<code>${words}</code>` : words}${wide.length === 0 ? undefined : html` <span class="badge warn">wide</span>${wide.map(text => html`<br /><span class="quiet">${text}</span>`)}`}
          </li>`,
      )}
    </ul>`
}

function images({images: all, digest}: VersionSummary): Html | undefined {
  if (all.length === 0)
    return digest === undefined
      ? undefined
      : html`<p>It runs the image of the package: <code>${digest}</code></p>`
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Image</th>
        <th scope="col">Pinned by</th>
        <th scope="col">Used by</th>
      </tr>
    </thead>
    <tbody>
      ${all.map(
        ({image, pin, usedBy}) =>
          html`<tr>
            <td><code>${image}</code></td>
            <td>${pin}</td>
            <td>${usedBy}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function neighborTable(title: string, neighbors: readonly Neighbor[], root: string): Html | undefined {
  if (neighbors.length === 0) return undefined
  return html`<h3>${title}</h3>
    <ul class="neighbors">
      ${neighbors.map(near => neighborItem(near, root))}
    </ul>`
}

function neighborItem({name, what, found, note}: Neighbor, root: string): Html {
  const remark = [found?.version ?? '', note ?? ''].filter(text => text !== '').join(', ')
  return html`<li>
    ${found === undefined ? dividedName(name) : html`<a href="${root}${found.folder}/index.html">${dividedName(name)}</a>`}${what === '' ? undefined : html` <code>${what}</code>`}${remark === '' ? undefined : html` <span class="quiet">${remark}</span>`}
  </li>`
}

function unread({unread: parts}: VersionSummary): Html | undefined {
  if (parts.length === 0) return undefined
  return html`<ul>
    ${parts.map(({name, reason}) => html`<li><code>${name}</code>: ${reason}</li>`)}
  </ul>`
}

function about(version: VersionSummary): Html {
  const {presentation, digest = '', about: rows} = version
  const {maintainers, company, license, website, source, icon} = presentation
  return html`<h2>About</h2>
    ${definitions([
      ['Maintainers', maintainers.join(', ')],
      ['Company', company],
      ['License', license],
      ['Website', website === '' ? '' : webLink(website)],
      ['Source', source === '' ? '' : webLink(source)],
      ['Icon', iconNote(icon)],
      ...rows.map(({name, text}) => [name, text] as const),
      ['Digest', digest === '' ? '' : html`<code class="digest">${digest}</code>`],
    ])}`
}

function iconNote(icon: string): string {
  return icon === '' || isIcon(icon) ? '' : 'not shown: it is too large, or not an image'
}

function versionList({versions, total}: SitePackage, shown: VersionSummary, root: string): Html {
  const left = total - versions.length
  return html`<h2>Versions</h2>
    <ul class="versions">
      ${versions.map(
        version =>
          html`<li>
            ${version === shown ? html`<strong aria-current="page">${version.version}</strong>` : html`<a href="${root}${version.folder}/index.html">${version.version}</a>`}${version.changesFrom === undefined ? undefined : html` <a class="quiet" href="${root}${version.folder}/changes.html" aria-label="Changes from ${version.changesFrom} to ${version.version}">changes</a>`}
          </li>`,
      )}
    </ul>
    ${left === 0 ? undefined : html`<p class="quiet">${left} older not shown</p>`}`
}
