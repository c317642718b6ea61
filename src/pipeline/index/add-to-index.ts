import {CrossplaneError} from '../../errors.js'
import type {IndexedSummary} from '../../index/entry/entry-document.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {formatPackageReference, parsePackageReference} from '../../reference/package-reference.js'
import {formatRepository, repositoryOf} from '../../reference/repository.js'
import type {PackagePorts} from '../locate/located-package.js'
import {pullPackage} from '../locate/pull-package.js'
import {entryOfPackage} from './entry-of-package.js'
import {type IndexTarget, type IndexTargetPorts, openWriter} from './index-target.js'

/** Where packages that are added come from, and where entries go. */
export type AddPorts = Pick<PackagePorts, 'remote' | 'platform' | 'defaultSource'> & IndexTargetPorts

/** What became of packages that were to be added. */
export interface AddReport {
  /** The root of the index. */
  readonly index: string
  readonly packages: readonly AddedPackage[]
  /** Tags that lead to no package; only where all tags of a repository are taken. */
  readonly skipped: readonly SkippedPackage[]
}

interface AddedPackage {
  /** Pinned. */
  readonly reference: string
  /** Whether the index had it already. */
  readonly state: 'added' | 'present'
}

export interface SkippedPackage {
  readonly reference: string
  /** One sentence, without a full stop. */
  readonly reason: string
}

/**
 * Reads packages from their registries and adds each to an index. Throws as pulling does, `usage` for a reference that
 * names no tag and leads to none, and what writing to an index throws; what was added before remains.
 */
export async function addToIndex(
  references: readonly string[],
  target: IndexTarget,
  ports: AddPorts,
): Promise<AddReport> {
  return await addAll(references, target, ports, {versionsOf: name => [name], read: readEntry})
}

/**
 * The same for every tag of each repository; of a reference with a tag, for that one. What is no package is skipped.
 */
export async function rebuildIndex(
  references: readonly string[],
  target: IndexTarget,
  ports: AddPorts,
): Promise<AddReport> {
  return await addAll(references, target, ports, {versionsOf, read: readOrSkip})
}

/** Which versions of a reference are added, and what becomes of those that cannot be read. */
interface Reading {
  readonly versionsOf: (
    name: ImageName,
    ports: AddPorts,
  ) => readonly ImageName[] | Promise<readonly ImageName[]>
  readonly read: (name: ImageName, ports: AddPorts) => Promise<IndexedSummary | SkippedPackage>
}

async function addAll(
  references: readonly string[],
  target: IndexTarget,
  ports: AddPorts,
  {versionsOf: versions, read}: Reading,
): Promise<AddReport> {
  const names = references.map(text => remoteName(text, ports.defaultSource))
  const writer = await openWriter(target, ports)
  const packages: AddedPackage[] = []
  const skipped: SkippedPackage[] = []
  for (const name of names) {
    for (const version of await versions(name, ports)) {
      const found = await read(version, ports)
      if ('reason' in found) skipped.push(found)
      else packages.push({reference: pinned(found), state: await writer.add(found)})
    }
  }
  return {index: formatRepository(target.root), packages, skipped}
}

/** The name of a package in a registry, in full. Throws `usage` for one on this machine. */
export function remoteName(text: string, defaultSource?: string): ImageName {
  const reference = parsePackageReference(text)
  if (reference.kind === 'image') {
    return defaultSource === undefined ? reference.name : nameFromSource(reference.name, defaultSource)
  }
  const local = formatPackageReference(reference)
  throw new CrossplaneError(
    'usage',
    `${local} is on this machine, and an index is of packages in registries`,
    {
      suggestions: ['Push it first, and name it as [HOST/]PATH[:TAG][@sha256:DIGEST].'],
    },
  )
}

async function readEntry(name: ImageName, {remote, platform}: AddPorts): Promise<IndexedSummary> {
  if (name.tag === undefined && name.digest !== undefined) {
    throw new CrossplaneError(
      'usage',
      `${formatImageName(name)} names no tag, and an entry of an index needs one`,
      {
        suggestions: [`Write the tag before the digest: ${formatImageName({...name, tag: 'TAG'})}.`],
      },
    )
  }
  const {tag = '', digest, files} = await pullPackage(name, remote, platform)
  return entryOfPackage({identity: formatRepository(repositoryOf(name)), tag, digest}, files)
}

/**
 * Tags that are no versions: signatures and the like of the image with that digest.
 * https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#referrers-tag-schema
 */
const ATTACHED = /^sha256-[0-9a-f]{64}(?:\.\w+)?$/

async function versionsOf(name: ImageName, {registry}: AddPorts): Promise<ImageName[]> {
  if (name.tag !== undefined || name.digest !== undefined) return [name]
  const repository = repositoryOf(name)
  const tags: string[] = []
  for await (const tag of (await registry(repository.registry)).tags(repository)) {
    if (!ATTACHED.test(tag)) tags.push(tag)
  }
  return tags.sort().map(tag => ({...name, tag}))
}

/** Failures that say what a tag leads to; another one, such as a broken network, ends everything. */
const NO_PACKAGE: readonly string[] = [
  'not-found',
  'unsupported',
  'source-invalid',
  'source-unsafe',
  'limit-exceeded',
  'digest-mismatch',
  'package-invalid',
  'index-invalid',
]

async function readOrSkip(name: ImageName, ports: AddPorts): Promise<IndexedSummary | SkippedPackage> {
  try {
    return await readEntry(name, ports)
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !NO_PACKAGE.includes(error.code)) throw error
    const [fault] = error.diagnostics
    const reason = fault === undefined ? error.message : `${error.message}: ${fault.message}`
    return {reference: formatImageName(name), reason: reason.replace(/\.$/, '')}
  }
}

function pinned({identity, tag, digest}: IndexedSummary): string {
  return `${identity}:${tag}@${digest}`
}
