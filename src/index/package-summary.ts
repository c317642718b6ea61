import type {Dependency, PermissionScope} from '../unpack/package.js'

/**
 * What one version of a package says of itself, as far as anybody needs it to work out what to install: the content of
 * an entry of an index. The same package gives the same summary, wherever it was read.
 */
export interface PackageSummary {
  /** Its full repository, docker.io's printed short. */
  readonly identity: string
  /** How it is pulled. */
  readonly tag: string
  /** What app.yaml and the record say; often without the tag's `v`. */
  readonly version: string
  /** Absent for a package in a folder, which has none. */
  readonly digest?: string
  readonly permissionScope: PermissionScope
  readonly title: string
  readonly category: string
  readonly keywords: readonly string[]
  /** Every CRD that it owns, of all groups, sorted by group and plural. */
  readonly crds: readonly OwnedCrd[]
  /** Everything that it depends on, in its own order. */
  readonly dependsOn: readonly Dependency[]
}

export interface OwnedCrd {
  readonly group: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly scope: PermissionScope
  /** Versions that the API serves, in the CRD's order. */
  readonly served: readonly string[]
  readonly stored: string
}

/** The name of a CRD object: plural and group. */
export function crdName({plural, group}: Pick<OwnedCrd, 'plural' | 'group'>): string {
  return `${plural}.${group}`
}

/** A version as people name it: repository and tag. */
export function formatSummary({identity, tag}: Pick<PackageSummary, 'identity' | 'tag'>): string {
  return `${identity}:${tag}`
}
