import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError, withSuggestions} from '../../errors.js'
import type {Kept} from '../../index/registry/keep-document.js'
import type {IndexedSummary} from '../../index/entry/entry-document.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {formatPackageReference, parsePackageReference} from '../../reference/package-reference.js'
import {formatRepository} from '../../reference/repository.js'
import {identityOf} from '../../reference/repository-name.js'
import {listNames} from '../../text.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {pullPackage} from '../../locate/pull-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {entryOfPackage} from '../../index/entry-of-package.js'
import {type IndexTarget, type IndexTargetPorts, openWriter} from './index-target.js'

/** The ports through which packages are read and entries written. */
export type AddPorts = Pick<PackagePorts, 'remote' | 'platform' | 'defaultSource'> & IndexTargetPorts

/** The result of adding packages. */
export interface AddReport {
  /** The root of the index. */
  readonly index: string
  readonly packages: readonly AddedPackage[]
  /** Tags that are not packages; only if all tags of a repository are read. */
  readonly skipped: readonly SkippedPackage[]
  readonly warnings: readonly Diagnostic[]
}

interface AddedPackage {
  /** Pinned. */
  readonly reference: string
  /** Whether the index had it before, or had an entry that the package contradicts. */
  readonly state: Kept
}

export interface SkippedPackage {
  readonly reference: string
  /** One sentence without a period. */
  readonly reason: string
}

/**
 * Pulls packages and adds each to an index. Throws as pulling does, `usage` for a digest without a tag, and the errors
 * of writing to an index; packages that were added before remain.
 */
export async function addToIndex(
  references: readonly string[],
  target: IndexTarget,
  ports: AddPorts,
): Promise<AddReport> {
  return await addAll(references, target, ports, {versionsOf: name => [name], read: readEntry})
}

/** Adds every tag of each repository; of a reference with a tag, only that one. Skips tags that are not packages. */
export async function rebuildIndex(
  references: readonly string[],
  target: IndexTarget,
  ports: AddPorts,
): Promise<AddReport> {
  return await addAll(references, target, ports, {versionsOf, read: readOrSkip})
}

/** Selects the versions of a reference, and reads or skips each. */
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
      try {
        const summary = await read(version, ports)
        if ('reason' in summary) skipped.push(summary)
        else packages.push({reference: pinned(summary), state: await writer.add(summary, {isRead: true})})
      } catch (error) {
        throw error instanceof CrossplaneError ? withAddedBefore(error, packages, target) : error
      }
    }
  }
  const warnings = [...packages.flatMap(replacedWarning), ...(await writer.finish())]
  return {index: formatRepository(target.root), packages, skipped, warnings}
}

/** Entries that were added before a failure remain: the error names them. */
function withAddedBefore(
  error: CrossplaneError,
  packages: readonly AddedPackage[],
  {root}: IndexTarget,
): CrossplaneError {
  const added = packages.filter(({state}) => state === 'added').map(({reference}) => reference)
  if (added.length === 0) return error
  const advice = `Run the command again to complete it, or yank what was added: kubectl crossplane registry index yank ${added[0]} --reason REASON --index ${formatRepository(root)}`
  return withSuggestions(error, [advice], `${error.message}; added before: ${listNames(added)}`)
}

function replacedWarning({reference, state}: AddedPackage): readonly Diagnostic[] {
  if (state !== 'replaced') return []
  const message = `the entry of ${reference} had content that the package contradicts, and was replaced: check the write access to the index`
  return [{severity: 'warning', rule: 'index-entry-replaced', message}]
}

/** Returns the full name of a package in a registry. Throws `usage` for a local package. */
export function remoteName(text: string, defaultSource?: string): ImageName {
  const reference = parsePackageReference(text)
  if (reference.kind === 'image') {
    return defaultSource === undefined ? reference.name : nameFromSource(reference.name, defaultSource)
  }
  const local = formatPackageReference(reference)
  throw new CrossplaneError(
    'usage',
    `${local} is a local package, but an index lists packages in registries`,
    {suggestions: ['Push the package first, and pass it as [HOST/]PATH:TAG']},
  )
}

async function readEntry(name: ImageName, {remote, platform}: AddPorts): Promise<IndexedSummary> {
  if (name.tag === undefined && name.digest !== undefined) {
    throw new CrossplaneError('usage', `${formatImageName(name)} has no tag, which an index entry requires`, {
      suggestions: [`Write the tag before the digest: ${formatImageName({...name, tag: 'TAG'})}`],
    })
  }
  const {tag = '', digest, ...read} = await pullPackage(name, remote, {platform})
  return entryOfPackage({identity: identityOf(name), tag, digest}, read)
}

async function versionsOf(name: ImageName, {remote}: AddPorts): Promise<readonly ImageName[]> {
  if (name.tag !== undefined || name.digest !== undefined) return [name]
  const tags = await new RemoteRepository(name, remote).tags()
  return tags.toSorted().map(tag => ({...name, tag}))
}

/** Errors that concern one tag; any other, such as one of the network, ends the command. */
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
    const [first] = error.diagnostics
    const reason = first === undefined ? error.message : `${error.message}: ${first.message}`
    return {reference: formatImageName(name), reason: reason.replace(/\.$/, '')}
  }
}

function pinned({identity, tag, digest}: IndexedSummary): string {
  return `${identity}:${tag}@${digest}`
}
