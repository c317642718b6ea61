import {asObject, asObjects, asText, type CatalogVersion, compareSets} from 'kubectl-crossplane/plugin'
import {readFields} from './fields.js'
import {html, type Html} from './html.js'
import {LIMITS, type Omissions, omitted} from './limits.js'
import {changesPage} from './pages/changes-page.js'
import {examplesOf, reportUnread} from './pages/example-list.js'
import {formPage} from './pages/form-page.js'
import {groupPage, groupPages, groupsOf} from './pages/group-page.js'
import {type Composition, type CrdSurface, kindPage, type KindVersion} from './pages/kind-page.js'
import {isIcon} from './pages/layout.js'
import {readMarkdown} from './read-markdown.js'
import {type KindSummary, type Site, type SiteFile, titleOf, type VersionSummary} from './site-model.js'
import {slugs} from './slugs.js'
import {summarize, summarizeKind} from './summarize.js'

/** What the pages of a version are made with. */
export interface VersionBuild extends Omissions {
  readonly site: Site
  /** Takes a page. */
  readonly put: (file: SiteFile) => Promise<void>
}

/** Makes the pages of a version whose content is that of no other one: of its kinds, and what changed since the one before. */
export async function buildVersion(
  version: CatalogVersion,
  {folder, before}: {readonly folder: string; readonly before: CatalogVersion | undefined},
  build: VersionBuild,
): Promise<VersionSummary> {
  const {crds} = version.surface
  const place = {
    ...{version, folder},
    names: slugs(crds.map(({name}) => name)),
    groups: groupPages(crds.map(({spec}) => asText(spec.group))),
  }
  const kinds: KindSummary[] = []
  for (const crd of crds) kinds.push(await buildKind(crd, place, build))
  const {icon} = version.presentation
  if (icon !== '' && !isIcon(icon))
    omitted(build, `${version.package}:${version.version}`, 'the icon is too large, or not an image')
  reportUnread(version, build)
  const summary = summarize(version, folder, kinds)
  await putGroups(version, summary, build)
  if (before === undefined) return summary
  const own = {...summary, changesFrom: before.version}
  const comparison = compareSets([before], [version])
  await build.put(changesPage(own, before.version, comparison, {site: build.site, omissions: build}))
  return own
}

async function putGroups(
  {presentation}: CatalogVersion,
  summary: VersionSummary,
  build: VersionBuild,
): Promise<void> {
  const above = aboveOf(summary)
  for (const group of groupsOf(summary)) {
    const names = new Set(group.kinds.map(({crd}) => crd))
    const texts = presentation.kinds.filter(({crd}) => names.has(crd)).map(({groupReadme}) => groupReadme)
    const readme = readmeOf(texts.find(text => text !== '') ?? '', group.group, build)
    await build.put(groupPage(group, {version: summary, above, readme}, build.site))
  }
}

/** The pages above those of a kind or a group. */
function aboveOf(version: Pick<VersionSummary, 'folder' | 'package' | 'presentation' | 'version'>) {
  return [
    {title: 'Packages', path: 'index.html'},
    {title: `${titleOf(version)} ${version.version}`, path: `${version.folder}/index.html`},
  ]
}

interface KindPlace {
  readonly version: CatalogVersion
  readonly folder: string
  /** The names of the pages of kinds, by those of their CRDs. */
  readonly names: ReadonlyMap<string, string>
  /** The pages of groups. */
  readonly groups: ReadonlyMap<string, string>
}

async function buildKind(
  crd: CrdSurface,
  {version, folder, names, groups}: KindPlace,
  build: VersionBuild,
): Promise<KindSummary> {
  const {presentation, surface} = version
  const versions = kindVersions(crd, build)
  const summary = summarizeKind(crd, {versions, slug: names.get(crd.name) ?? '', presentation})
  const presented = presentation.kinds.find(({crd: name}) => name === crd.name)
  const above = aboveOf({...version, folder})
  const around = {folder, above, groupPage: groups.get(summary.group) ?? ''}
  const shown = {crd, summary, versions, ...around, icon: summary.icon || presentation.icon}
  const readme = readmeOf(presented?.readme ?? '', crd.name, build)
  const examples = examplesOf(crd, version, build)
  await build.put(
    kindPage({...shown, readme, compositions: compositionsOf(crd, surface, names), examples}, build.site),
  )
  const form = formPage({...shown, presented}, build.site)
  if (form !== undefined) await build.put(form)
  return summary
}

function kindVersions({spec, name}: CrdSurface, build: VersionBuild): readonly KindVersion[] {
  return asObjects(spec.versions).flatMap(version => {
    if (version.served !== true) return []
    const tree = readFields(asObject(asObject(version.schema).openAPIV3Schema))
    if (tree.omitted > 0)
      omitted(build, `${name}/${asText(version.name)}`, `${fieldsNotShown(tree.omitted)} not shown`)
    return [{version, tree}]
  })
}

function fieldsNotShown(count: number): string {
  return count === 1 ? '1 field is' : `${count} fields are`
}

/** Returns what the Compositions of a package make of a composite or a claim of it. */
function compositionsOf(
  crd: CrdSurface,
  {activation, crds}: CatalogVersion['surface'],
  names: KindPlace['names'],
): readonly Composition[] {
  const {spec, source} = crd
  if (activation === undefined || (source !== 'xrd' && source !== 'claim')) return []
  const group = asText(spec.group)
  const composite = source === 'claim' ? compositeOf(crd, crds)?.kind : crd.kind
  return (activation.objects ?? []).flatMap(({role, name, defines, composes}) => {
    if (role !== 'composition' || defines?.group !== group || defines.kind !== composite) return []
    const kinds = (composes?.kinds ?? []).map(own => {
      const made = crds.find(({kind, spec: {group: at}}) => kind === own.kind && at === own.group)
      const page = names.get(made?.name ?? '')
      const text = `${own.kind} (${own.group}/${own.version})`
      return {text, ...(page === undefined ? {} : {href: `${page}.html`})}
    })
    return [{name, kinds, functions: composes?.unread ?? []}]
  })
}

/** The composite of a claim: both are derived from the same definition, the composite first. */
function compositeOf(claim: CrdSurface, crds: readonly CrdSurface[]): CrdSurface | undefined {
  return crds.slice(0, crds.indexOf(claim)).findLast(({source}) => source === 'xrd')
}

/** Formats a readme up to its limit. */
export function readmeOf(readme: string, subject: string, omissions: Omissions): Html | undefined {
  if (readme.trim() === '') return undefined
  if (readme.length <= LIMITS.readme) return readMarkdown(readme)
  omitted(omissions, subject, 'the end of the readme is not shown')
  return html`${readMarkdown(readme.slice(0, LIMITS.readme))}
    <p class="note">The end of the readme is not shown.</p>`
}
