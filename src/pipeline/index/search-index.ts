import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {grouped} from '../../index/grouped.js'
import type {PackageIndex} from '../../index/package-index.js'
import {newestStable} from '../../reference/newest-version.js'
import {type IndexedVersion, indexedVersions, indexFindings} from './indexed-version.js'

/** What to look for: text that is part of something, in any case. All that are given have to be found. */
export interface SearchQuery {
  /** In any of the others, or the package's name. */
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

/** A package with versions in which everything was found; all but `versions` is said of the newest of these. */
interface FoundPackage {
  readonly package: string
  /** The newest stable one; one that was withdrawn only where all were. */
  readonly tag: string
  readonly version: string
  readonly digest?: string
  /** How many. */
  readonly versions: number
  readonly title: string
  readonly category: string
  readonly keywords: readonly string[]
  /** CRDs in whose name something was found. */
  readonly crds: readonly string[]
  readonly withdrawn?: string
}

/** The packages of an index that something is to be found in. Throws `usage` where nothing is looked for. */
export async function searchIndex(index: PackageIndex, query: SearchQuery): Promise<SearchReport> {
  if (Object.values(query).every(text => text === undefined || text === '')) {
    throw new CrossplaneError('usage', 'nothing was given to search for', {
      suggestions: ['Write a text, or pass --title, --category, --keyword or --crd; list shows everything.'],
    })
  }
  const found = await index.all()
  const matching = indexedVersions(found).filter(version => matches(version, query))
  const byPackage = grouped(matching, version => version.package)
  return {
    packages: [...byPackage.values()].map(versions => foundPackage(versions, query)),
    findings: indexFindings(found),
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

/** Whether one of the texts has a part; so if none is looked for. */
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
  if (shown === undefined) throw new RangeError('a package was found without a version')
  const {permissionScope: _scope, crds, ...rest} = shown
  const looked = [text, crd].filter(part => part !== undefined)
  const names = crds.map(({name}) => name)
  return {
    ...rest,
    versions: versions.length,
    crds: names.filter(name => looked.some(part => isIn(part, [name]))),
  }
}
