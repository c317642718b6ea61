import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {grouped} from '../../grouped.js'
import type {PackageIndex} from '../../index/package-index.js'
import {newestStable} from '../../reference/newest-version.js'
import {type IndexedVersion, indexedVersions, indexDiagnostics} from '../../index/indexed-version.js'

/** Text to search for, without regard to case. All texts must be found in the same version. */
export interface SearchQuery {
  /** In the name of the package or any of the other fields. */
  readonly text?: string
  readonly title?: string
  readonly category?: string
  readonly keyword?: string
  /** In `<plural>.<group>`. */
  readonly crd?: string
}

export interface SearchReport {
  /** By name. */
  readonly packages: readonly FoundPackage[]
  readonly findings: readonly Diagnostic[]
}

/** A package with matching versions; all fields but `versions` are those of the newest one. */
interface FoundPackage {
  readonly package: string
  /** The newest stable one; a yanked one only where all are yanked. */
  readonly tag: string
  readonly version: string
  readonly digest?: string
  /** The number of matching versions. */
  readonly versions: number
  readonly title: string
  readonly category: string
  readonly keywords: readonly string[]
  /** CRDs with matching names. */
  readonly crds: readonly string[]
  readonly withdrawn?: string
}

/** Returns the packages of an index that match. Throws `usage` for an empty query. */
export async function searchIndex(index: PackageIndex, query: SearchQuery): Promise<SearchReport> {
  if (Object.values(query).every(text => text === undefined || text === '')) {
    throw new CrossplaneError('usage', 'missing argument TEXT', {
      suggestions: ['Pass TEXT, --title, --category, --keyword or --crd'],
    })
  }
  const content = await index.all()
  const matching = indexedVersions(content).filter(version => matches(version, query))
  const byPackage = grouped(matching, version => version.package)
  return {
    packages: [...byPackage.values()].map(versions => foundPackage(versions, query)),
    findings: indexDiagnostics(content),
  }
}

function matches(version: IndexedVersion, {text, title, category, keyword, crd}: SearchQuery): boolean {
  const names = version.crds.map(({name}) => name)
  const all = [version.package, version.title, version.category, ...version.keywords, ...names]
  return (
    isIn(text, all) &&
    isIn(title, [version.title]) &&
    isIn(category, [version.category]) &&
    isIn(keyword, version.keywords) &&
    isIn(crd, names)
  )
}

/** Reports whether one of the texts contains a part; true if there is no part. */
function isIn(part: string | undefined, texts: readonly string[]): boolean {
  if (part === undefined) return true
  const requested = part.toLowerCase()
  return texts.some(text => text.toLowerCase().includes(requested))
}

function foundPackage(versions: readonly IndexedVersion[], {text, crd}: SearchQuery): FoundPackage {
  const offered = versions.filter(({withdrawn}) => withdrawn === undefined)
  const among = offered.length > 0 ? offered : versions
  const newest = newestStable(among.map(({tag}) => tag))
  const shown = among.find(({tag}) => tag === newest) ?? among[0]
  if (shown === undefined) throw new RangeError('a package without versions')
  const {permissionScope: _scope, crds, ...rest} = shown
  const looked = [text, crd].filter(part => part !== undefined)
  const names = crds.map(({name}) => name)
  return {
    ...rest,
    versions: versions.length,
    crds: names.filter(name => looked.some(part => isIn(part, [name]))),
  }
}
