import {CrossplaneError} from '../../errors.js'
import {
  type CatalogPackage,
  type CatalogQuery,
  catalogPackages,
  type CatalogEntry,
  type CatalogPlace,
  openVersion,
  expectPackages,
} from '../../pipeline/catalog-packages.js'
import type {catalogFlags} from './catalog-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {closureQuery} from '../compare/compare-query.js'
import {type SiteSink, writeSite} from '../../pipeline/write-catalog.js'
import type {FolderWrite} from '../../commit/write-folder.js'
import {certificateReader, outputFolder, stampOf} from '../wire.js'
import type {SiteMemory} from '../../cache/site-memory.js'
import {openSiteMemory} from '../cache/package-cache.js'
import type {Progress} from '../shell/progress/step-event.js'
import {surfacePorts} from '../packages/package-ports.js'
import {trustedPackages} from '../packages/trusted-packages.js'

type CatalogFlags = FlagValues<typeof catalogFlags>

/** The packages of a catalog, and what reads them. */
export interface CatalogSource {
  readonly packages: readonly CatalogPackage[]
  /** Finds one version. Throws as reading a package does. */
  readonly open: (own: CatalogPlace) => Promise<CatalogEntry>
  /** What the last build saw of files; absent if nothing is cached. */
  readonly memory: SiteMemory | undefined
}

/** The site that is built, and what builds it. */
interface CatalogSite {
  readonly folder: string
  /** The version of this program. */
  readonly program: string
}

/**
 * Lists the packages that flags select. Throws `usage` if none are selected, and `not-found` if there are none.
 * @param flagNames - names of the flags on the command line.
 */
export async function openCatalog(
  flags: CatalogFlags,
  flagNames: ReadonlySet<string>,
  progress: Progress,
  {folder, program}: CatalogSite,
): Promise<CatalogSource> {
  const query = catalogQuery(flags, flagNames)
  const ports = surfacePorts(flags, progress, program)
  const packages = await catalogPackages(query, ports, flags.versions)
  expectPackages(packages, placeOf(query, flags))
  const trusted = {...(await trustedPackages(flags, progress)), readCertificate: certificateReader}
  const cache = await ports.surfaces?.()
  const memory = await openSiteMemory(flags, folder, program)
  const former = memory === undefined ? undefined : {...memory.packages, stampOf}
  const around = {ports: trusted, cache, former}
  return {packages, memory, open: async own => await openVersion(own, around)}
}

/** A folder lists its packages, unless an index is named to list them. */
function catalogQuery(flags: CatalogFlags, flagNames: ReadonlySet<string>): CatalogQuery {
  const {packages, index, declaration} = flags
  if (declaration !== undefined) return closureQuery(flags, flagNames)
  if (flags['lock-file'] !== undefined) return closureQuery({...flags, declaration: undefined}, flagNames)
  const hasIndex = index !== undefined && index.length > 0
  if (hasIndex && (packages === undefined || flagNames.has('index'))) return {kind: 'index'}
  if (packages !== undefined) return {kind: 'folder'}
  throw new CrossplaneError('usage', 'no packages selected for the catalog', {
    suggestions: ['Pass --packages DIR, --index ROOT|FILE, --declaration FILE or --lock-file FILE.'],
  })
}

function placeOf({kind}: CatalogQuery, flags: CatalogFlags): string {
  if (kind === 'folder') return flags.packages ?? ''
  if (kind === 'index') return (flags.index ?? []).join(', ')
  return flags.declaration ?? flags['lock-file'] ?? ''
}

/** Writes the files that `make` puts into a catalog to a folder. Throws as `writeSite` does. */
export async function writeCatalog<T>(
  folder: string,
  {memory}: CatalogSource,
  make: (site: SiteSink) => Promise<T>,
): Promise<{readonly change: FolderWrite; readonly made: T}> {
  return await writeSite(await outputFolder(folder), make, memory?.pages)
}
