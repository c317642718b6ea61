import {type CatalogRequirement, type CatalogVersion, isStable} from 'kubectl-crossplane/plugin'
import {shortened} from './html.js'

/** A kind of a version, without its schema. */
export interface KindSummary {
  /** `PLURAL.GROUP` */
  readonly crd: string
  readonly kind: string
  readonly group: string
  readonly plural: string
  readonly singular: string
  readonly source: CatalogVersion['surface']['crds'][number]['source']
  readonly scope: string
  readonly versions: readonly string[]
  readonly title: string
  readonly overview: string
  readonly category: string
  /** Its own icon; empty if it has none that can be shown. */
  readonly icon: string
  readonly groupTitle: string
  readonly groupOverview: string
  /** The pages, relative to the folder of the version. */
  readonly page: string
  readonly form?: string
  /** The names of its fields, each once. */
  readonly fields: readonly string[]
}

/** What a controller may do. */
export interface PermissionWords {
  /** The rules of a current Crossplane are texts, besides the kinds of the package itself. */
  readonly scope: 'cluster' | 'namespace' | 'listed'
  readonly rules: readonly {readonly words: string; readonly wide: readonly string[]}[]
}

/** A version of a package as pages of others need it: without schemas. */
export interface VersionSummary extends Pick<
  CatalogVersion,
  'digest' | 'isInFolder' | 'package' | 'version'
> {
  /** The folder of its pages, relative to that of the site: `p/PACKAGE/VERSION`. */
  readonly folder: string
  readonly format: 'stack' | 'xpkg'
  readonly presentation: Omit<CatalogVersion['presentation'], 'kinds'>
  readonly kinds: readonly KindSummary[]
  readonly requirements: readonly CatalogRequirement[]
  readonly permissions: PermissionWords
  readonly images: readonly {readonly image: string; readonly pin: string; readonly usedBy: string}[]
  /** What else is known of it, by name. */
  readonly about: readonly {readonly name: string; readonly text: string}[]
  /** The object that installs it; absent for a package of v0.12. */
  readonly request?: {readonly kind: string; readonly name: string}
  readonly isNamespaced: boolean
  readonly unread: CatalogVersion['surface']['unread']
  /** The version before it, if changes from there are shown. */
  readonly changesFrom?: string
}

/** A package of the site. */
export interface SitePackage {
  readonly name: string
  readonly folder: string
  /** Newest first; at least one. */
  readonly versions: readonly VersionSummary[]
  /** The number of versions that exist. */
  readonly total: number
}

/** A package that another one requires, or that requires it. */
export interface Neighbor {
  readonly name: string
  /** What is required: a constraint, or a CRD. */
  readonly what: string
  /** The version to show; absent if the catalog does not have the package. */
  readonly found?: VersionSummary
  /** What is special: that no version satisfies it, or that none has to. */
  readonly note?: string
}

/** A file of the site; its path is relative to the folder. */
export interface SiteFile {
  readonly path: string
  readonly content: string
}

/** What is the same on all pages. */
export interface Site {
  readonly title: string
}

/** Returns the versions of a package in the order in which users want them: stable ones first, each newest first. */
export function stableFirst({versions}: SitePackage): readonly VersionSummary[] {
  return [
    ...versions.filter(({version}) => isStable(version)),
    ...versions.filter(({version}) => !isStable(version)),
  ]
}

/** Returns the newest stable version of a package; without one, the newest. */
export function newestOf(own: SitePackage): VersionSummary {
  const {versions, name} = own
  const newest = versions.find(({version}) => isStable(version)) ?? versions[0]
  if (newest === undefined) throw new RangeError(`${name} has no version`)
  return newest
}

/** Returns the title of a package, or its name. */
export function titleOf({
  presentation,
  package: name,
}: {
  readonly presentation: {readonly title: string}
  readonly package: string
}): string {
  return shortened(presentation.title || (name.split('/').at(-1) ?? name), 100)
}

/** Reports whether a name begins with a registry. */
export function hasRegistry(name: string): boolean {
  const [host = '', ...path] = name.split('/')
  return path.length > 0 && /[.:]|^localhost$/.test(host)
}
