import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {isDnsSubdomain} from '../../reference/kubernetes-names.js'
import type {Repository} from '../../reference/repository.js'
import {hexHash} from '../hex-hash.js'
import type {PackageSummary} from '../package-summary.js'

/** The layout of an index: a repository below the root for each group and package, or the root for all. */
export type IndexLayout = 'repositories' | 'single-repository'

/** The tag of the root that makes it an index, and names the layout. */
export const ROOT_TAG = 'index'

/**
 * A group or package of an index. `name` is its repository below the root; in a single repository, the prefix of its tags
 * is a hash of it. `marker` is the tag of the root that lists it.
 */
export interface PartitionName {
  readonly name: string
  readonly marker: string
  /** Reports whether a version belongs to it. */
  holds(summary: PackageSummary): boolean
}

/** The entries of a group or package: the tags of a repository with this prefix. */
export interface Partition extends PartitionName {
  readonly repository: Repository
  readonly prefix: string
}

/** The maximum length after `group.` in a tag; groups in use are less than half as long. */
const MAX_GROUP = 122

/** Undefined for text that cannot be the group of a CRD or is too long for a tag. */
export function groupPartition(group: string): PartitionName | undefined {
  if (!isDnsSubdomain(group) || !group.includes('.') || group.length > MAX_GROUP) return undefined
  return {
    name: group,
    marker: `${GROUP_MARKER}${group}`,
    holds: ({crds}) => crds.some(crd => crd.group === group),
  }
}

export function packagePartition(identity: string): PartitionName {
  return namedPackagePartition(packageName(identity))
}

const PACKAGE_MARKER = /^package\.([a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{40})$/

/** Returns the package that a tag of the root lists; undefined for any other tag. */
export function markedPackage(tag: string): PartitionName | undefined {
  const [, name] = PACKAGE_MARKER.exec(tag) ?? []
  return name === undefined ? undefined : namedPackagePartition(name)
}

const GROUP_MARKER = 'group.'

/** Returns the group or package that a tag of the root lists; undefined for any other tag. */
export function markedPartition(tag: string): PartitionName | undefined {
  return tag.startsWith(GROUP_MARKER) ? groupPartition(tag.slice(GROUP_MARKER.length)) : markedPackage(tag)
}

function namedPackagePartition(name: string): PartitionName {
  return {
    name: `package-${name}`,
    marker: `package.${name}`,
    holds: ({identity}) => packageName(identity) === name,
  }
}

const MAX_READABLE = 60

/** The last part of a repository, to be readable, and a hash that identifies the repository. */
function packageName(identity: string): string {
  const readable = identity
    .slice(identity.lastIndexOf('/') + 1)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_READABLE)
    .replace(/^-|-$/g, '')
  return `${readable}-${hexHash(identity, 40)}`
}

/** Returns all partitions of a version: its groups, sorted, then its package. */
export function partitionsOf(
  summary: Pick<PackageSummary, 'identity' | 'tag'>,
  groups: readonly string[],
): readonly PartitionName[] {
  return [
    ...[...new Set(groups)].sort().map(group => groupPartition(group) ?? rejectGroup(group, summary)),
    packagePartition(summary.identity),
  ]
}

function rejectGroup(group: string, {identity, tag}: Pick<PackageSummary, 'identity' | 'tag'>): never {
  throw new CrossplaneError(
    'unsupported',
    `cannot add ${identity}:${tag} to an index: ${quoted(group)} is not a valid API group of a CRD`,
    {suggestions: [`Use a DNS name with a dot, of up to ${MAX_GROUP} characters`]},
  )
}

/** Returns where an index of this layout keeps a group or package. */
export function partitionIn(root: Repository, layout: IndexLayout, partition: PartitionName): Partition {
  if (layout === 'single-repository') {
    return {...partition, repository: root, prefix: `${hexHash(partition.name, 16)}.`}
  }
  return {...partition, repository: {...root, path: `${root.path}/${partition.name}`}, prefix: ''}
}
