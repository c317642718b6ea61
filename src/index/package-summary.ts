import type {XpkgKind} from '../xpkg/content/object-kinds.js'
import type {Dependency, PermissionScope} from '../unpack/package.js'

/**
 * The content of an index entry: the properties of one version of a package that resolving dependencies requires. The
 * same package gives the same summary from every source.
 */
export interface PackageSummary {
  /** The full repository; names on docker.io are short. */
  readonly identity: string
  /** The tag that it is pulled by. */
  readonly tag: string
  /** The version in app.yaml and in the record; often without the `v` of the tag. */
  readonly version: string
  /** Absent for a package in a folder. */
  readonly digest?: string
  /** The kind of a package for a current Crossplane; absent for others. Its dependencies are not in the summary. */
  readonly xpkg?: XpkgKind
  readonly permissionScope: PermissionScope
  readonly title: string
  readonly category: string
  readonly keywords: readonly string[]
  /** All CRDs that it owns, sorted by group and plural. */
  readonly crds: readonly OwnedCrd[]
  /** All dependencies, in the order of app.yaml. */
  readonly dependsOn: readonly Dependency[]
}

export interface OwnedCrd {
  readonly group: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly scope: PermissionScope
  /** Served versions, in the CRD's order. */
  readonly served: readonly string[]
  readonly stored: string
}

/** Returns the name of a CRD: plural and group. */
export function crdName({plural, group}: Pick<OwnedCrd, 'plural' | 'group'>): string {
  return `${plural}.${group}`
}

/** Returns the name of a version: repository and tag. */
export function formatSummary({identity, tag}: Pick<PackageSummary, 'identity' | 'tag'>): string {
  return `${identity}:${tag}`
}
