import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {isDnsSubdomain} from '../../reference/kubernetes-names.js'
import type {Repository} from '../../reference/repository.js'
import {hexHash} from '../hex-hash.js'
import type {PackageSummary} from '../package-summary.js'

/** Whether groups and packages have repositories of their own below the root, or all share that one. */
export type IndexLayout = 'repositories' | 'single-repository'

/** The tag of a root that says that there is an index, and its layout. */
export const ROOT_TAG = 'index'

/**
 * A group or a package as places of an index call it: `name` is its repository below the root, and what the prefix of
 * its tags is made of where there is none; `marker` is the tag of the root that lists it.
 */
export interface ShelfName {
  readonly name: string
  readonly marker: string
  /** Whether a version has its place here. */
  holds(summary: PackageSummary): boolean
}

/** Where the entries of a group or package are: in tags of a repository that begin with a prefix. */
export interface Shelf extends ShelfName {
  readonly repository: Repository
  readonly prefix: string
}

/** A tag has room for as much behind `group.`; no group in use is half as long. */
const MAX_GROUP = 122

/** Undefined for what is no group of a CRD, or too long for a tag: no index has it. */
export function groupShelf(group: string): ShelfName | undefined {
  if (!isDnsSubdomain(group) || !group.includes('.') || group.length > MAX_GROUP) return undefined
  return {
    name: group,
    marker: `group.${group}`,
    holds: ({crds}) => crds.some(crd => crd.group === group),
  }
}

export function packageShelf(identity: string): ShelfName {
  return namedPackageShelf(packageName(identity))
}

const PACKAGE_MARKER = /^package\.([a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{40})$/

/** The package that a tag of a root lists; undefined for any other tag. */
export function markedPackage(tag: string): ShelfName | undefined {
  const [, name] = PACKAGE_MARKER.exec(tag) ?? []
  return name === undefined ? undefined : namedPackageShelf(name)
}

function namedPackageShelf(name: string): ShelfName {
  return {
    name: `package-${name}`,
    marker: `package.${name}`,
    holds: ({identity}) => packageName(identity) === name,
  }
}

const MAX_READABLE = 60

/** The last part of a repository, for people, and a hash that no other repository has. */
function packageName(identity: string): string {
  const readable = identity
    .slice(identity.lastIndexOf('/') + 1)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_READABLE)
    .replace(/^-|-$/g, '')
  return `${readable}-${hexHash(identity, 40)}`
}

/** All places where a version is kept: its groups, in their order, then its package. */
export function shelvesOf(
  summary: Pick<PackageSummary, 'identity' | 'tag'>,
  groups: readonly string[],
): readonly ShelfName[] {
  return [
    ...[...new Set(groups)].sort().map(group => groupShelf(group) ?? refuseGroup(group, summary)),
    packageShelf(summary.identity),
  ]
}

function refuseGroup(group: string, {identity, tag}: Pick<PackageSummary, 'identity' | 'tag'>): never {
  throw new CrossplaneError(
    'unsupported',
    `Cannot add ${identity}:${tag} to an index: its group ${quoted(group)} is none that a CRD can have`,
    {suggestions: [`Use a DNS name with a dot, of up to ${MAX_GROUP} characters.`]},
  )
}

/** Where an index of this layout keeps a group or package. */
export function shelfIn(root: Repository, layout: IndexLayout, shelf: ShelfName): Shelf {
  if (layout === 'single-repository') {
    return {...shelf, repository: root, prefix: `${hexHash(shelf.name, 16)}.`}
  }
  return {...shelf, repository: {...root, path: `${root.path}/${shelf.name}`}, prefix: ''}
}
