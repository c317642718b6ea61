import {createHash} from 'node:crypto'
import {
  type CatalogEntry,
  type CatalogPackage,
  type CatalogSource,
  type CatalogVersion,
  CrossplaneError,
  type Diagnostic,
  type ErrorCode,
  isVersion,
  reasonOf,
  type SiteSink,
  withSuggestions,
} from 'kubectl-crossplane/plugin'
import {buildVersion, readmeOf} from './build-version.js'
import {type Omissions, omitted, omittedText} from './limits.js'
import {packageFinder} from './neighbors.js'
import {packagePage} from './pages/package-page.js'
import {startPage, type UnreadVersion} from './pages/start-page.js'
import {searchData} from './search-data.js'
import {siteAssets} from './site-assets.js'
import type {Site, SiteFile, SitePackage, VersionSummary} from './site-model.js'
import {formatState, readState, recordName, type SiteState, type VersionRecord} from './site-state.js'
import {slugs} from './slugs.js'
import {withSigners} from './summarize.js'

/** A site, and what it lacks. */
export interface BuiltSite {
  readonly packages: readonly SitePackage[]
  readonly warnings: readonly Diagnostic[]
}

/** The settings of a site, and the version of the program that writes it. */
export interface SiteSettings extends Site {
  readonly program: string
}

interface Building extends Omissions {
  readonly site: Site
  readonly sink: SiteSink
  readonly state: SiteState
  readonly records: VersionRecord[]
  readonly unread: UnreadVersion[]
  /** Why versions cannot be read. */
  readonly failures: CrossplaneError[]
}

/**
 * Puts the pages of all packages into a sink, version by version; those of versions that are the same as at the last build are kept.
 * A version whose content cannot be read is named on the first page. Throws if none can be read, and if one is not read for another
 * reason: pages of what cannot be reached now would be removed.
 */
export async function buildSite(
  {packages, open}: CatalogSource,
  {title, program}: SiteSettings,
  sink: SiteSink,
): Promise<BuiltSite> {
  const state = readState(sink.state, {title, program})
  const warnings: Diagnostic[] = state.isBroken ? [BROKEN_STATE] : []
  const building = {site: {title}, sink, state, records: [], unread: [], failures: [], warnings}
  const shown = await buildPackages(packages, open, building)
  await putPackagePages(shown, building)
  for (const file of [startPage(shown, building.unread, building.site), searchData(shown), ...siteAssets()])
    await sink.put(file.path, file.content)
  const {text, isTooLarge} = formatState({title, program}, building.records)
  if (isTooLarge) warnings.push(LARGE_STATE)
  await sink.remember(text)
  return {packages: shown, warnings}
}

const BROKEN_STATE: Diagnostic = {
  ...{severity: 'note', rule: 'catalog-state-ignored'},
  message: '.kubectl-crossplane/catalog.jsonl was changed since the last build: all pages are made again',
}

const LARGE_STATE: Diagnostic = {
  ...{severity: 'note', rule: 'catalog-state-too-large'},
  message: 'the catalog has too many kinds to remember its versions: the next build makes all pages again',
}

async function buildPackages(
  packages: CatalogSource['packages'],
  open: CatalogSource['open'],
  building: Building,
): Promise<readonly SitePackage[]> {
  const names = slugs(packages.map(own => own.package))
  const shown: SitePackage[] = []
  for (const own of packages) {
    const folder = `p/${names.get(own.package) ?? ''}`
    const versions = await buildVersions(own, folder, open, building)
    if (versions.length > 0) shown.push({name: own.package, folder, versions, total: own.total})
  }
  const [failure] = building.failures
  if (shown.length === 0 && failure !== undefined) throw notWritten(failure)
  return shown
}

async function putPackagePages(packages: readonly SitePackage[], building: Building): Promise<void> {
  const {sink, site} = building
  const finder = packageFinder(packages)
  for (const own of packages) {
    for (const version of own.versions) {
      const around = {
        requires: finder.requires(version),
        requiredBy: finder.requiredBy(version),
        graph: finder.drawing(version),
        readme: readmeOf(version.presentation.readme, `${version.package}:${version.version}`, building),
      }
      const {path, content} = packagePage(own, version, around, site)
      await sink.put(path, content)
    }
  }
}

/** A version that the next one is compared with. */
interface Former {
  readonly version: string
  readonly key: string
  /** Reads it, if it was not read yet. */
  readonly read: CatalogEntry['read']
  /** The one before it, in place of it if it cannot be read. */
  readonly former?: Former | undefined
}

/**
 * Oldest first, so that each can be compared with the one before; only two are in memory at a time. Other tags than versions have
 * none before them.
 */
async function buildVersions(
  own: CatalogPackage,
  folder: string,
  open: CatalogSource['open'],
  building: Building,
): Promise<readonly VersionSummary[]> {
  const names = slugs(own.versions.map(({version}) => version))
  const summaries: VersionSummary[] = []
  let before: Former | undefined
  for (const place of own.versions.toReversed()) {
    const at = {place, folder: `${folder}/${names.get(place.version) ?? ''}`, before}
    const made = await unlessUnreadable(place, building, async () => {
      const entry = await open(place)
      return (await keptVersion(entry, at, building)) ?? (await freshVersion(entry, at, building))
    })
    if (made === undefined) continue
    summaries.unshift(made.summary)
    before = isVersion(place.version) ? made.former : undefined
  }
  return summaries
}

interface Place {
  readonly place: CatalogPackage['versions'][number]
  readonly folder: string
  readonly before: Former | undefined
}

interface Made {
  readonly summary: VersionSummary
  readonly former: Former
}

/** Returns a version whose pages the last build made of the same content, if they are still there. Its signers are those of this run. */
async function keptVersion(entry: CatalogEntry, at: Place, building: Building): Promise<Made | undefined> {
  const {package: name, version} = at.place
  const record = building.state.records.get(recordName(name, version))
  if (record?.key !== keyOf(entry, at) || record.summary.folder !== at.folder) return undefined
  if (!(await building.sink.keep(record.pages))) return undefined
  const summary = {...record.summary, about: withSigners(record.summary.about, entry.signatures)}
  building.records.push({...record, summary})
  building.warnings.push(...record.omissions.map(omittedText))
  const read = async () => await entry.read()
  return {summary, former: {version, key: entry.key, read, former: at.before}}
}

async function freshVersion(entry: CatalogEntry, at: Place, building: Building): Promise<Made> {
  const read = await entry.read()
  const {key, content: version} = read
  const {folder} = at
  const former = await readableFormer(at, building)
  const warnings: Diagnostic[] = []
  const pages: VersionRecord['pages'][number][] = []
  const put = async ({path, content}: SiteFile) =>
    void pages.push({path, after: await building.sink.put(path, content)})
  const parts = {folder, before: former?.content}
  const summary = await buildVersion(version, parts, {site: building.site, warnings, put})
  const omissions = warnings.map(({message}) => message)
  // The next build could not tell that more can be read.
  if (version.isPartial !== true) {
    building.records.push({key: keyOf({key}, {...at, before: former?.at}), summary, pages, omissions})
    building.sink.group(pages)
  }
  building.warnings.push(...warnings)
  return {summary, former: {version: version.version, key, read: () => Promise.resolve(read)}}
}

/**
 * Reads the version that another one is compared with. Pages of one that a registry lost are kept without reading it, so that it is
 * only missed here: the one before it takes its place, as if it could not be read at first.
 */
async function readableFormer(
  {place, before}: Place,
  building: Building,
): Promise<{readonly at: Former; readonly content: CatalogVersion} | undefined> {
  let at = before
  while (at !== undefined) {
    try {
      const {key, content} = await at.read()
      return {at: {...at, key}, content}
    } catch (error) {
      if (!isOfContent(error)) throw error
      const text = `it is not compared with ${at.version}: ${reasonOf(error)}`
      omitted(building, `${place.package}:${place.version}`, text)
      at = at.former
    }
  }
  return undefined
}

/** Everything that the pages of a version are made of, besides the program and the settings of the site. */
function keyOf({key}: Pick<CatalogEntry, 'key'>, {place, folder, before}: Place): string {
  const {package: name, version, isUnversioned = false} = place
  const parts = [key, name, version, isUnversioned, folder, before?.version ?? '', before?.key ?? '']
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Failures that are not those of the content of a package: another run can succeed. */
const PASSING: readonly ErrorCode[] = [
  ...(['registry-unreachable', 'registry-failed', 'tls-refused', 'timeout', 'offline'] as const),
  ...(['access-denied', 'credentials-failed', 'cache-failed', 'read-failed'] as const),
]
/** Failures of the folder of the site. */
const OF_FOLDER: readonly ErrorCode[] = ['output-failed', 'output-refused']

/** Whether a failure is that of the content of one package, which the next run finds again. */
function isOfContent(error: unknown): error is CrossplaneError {
  return error instanceof CrossplaneError && !OF_FOLDER.includes(error.code) && !isPassing(error)
}

function isPassing(error: unknown): error is CrossplaneError {
  return error instanceof CrossplaneError && PASSING.includes(error.code)
}

async function unlessUnreadable(
  place: CatalogPackage['versions'][number],
  building: Building,
  make: () => Promise<Made>,
): Promise<Made | undefined> {
  try {
    return await make()
  } catch (error) {
    if (!isOfContent(error)) throw isPassing(error) ? notWritten(error) : error
    addUnread(`${place.package}:${place.version}`, error, building)
    return undefined
  }
}

function addUnread(name: string, error: CrossplaneError, {failures, unread, warnings}: Building): void {
  const reason = reasonOf(error)
  failures.push(error)
  unread.push({name, reason})
  warnings.push({
    ...{severity: 'warning', rule: 'catalog-unread'},
    message: reason.includes(name)
      ? `not in the catalog: ${reason}`
      : `${name} is not in the catalog: ${reason}`,
    suggestions:
      error.suggestions.length > 0
        ? error.suggestions
        : ['Correct it, or remove it from the folder or the index.'],
  })
}

function notWritten(error: CrossplaneError): CrossplaneError {
  return withSuggestions(error, ['Build the catalog again: the site was not changed.'])
}
