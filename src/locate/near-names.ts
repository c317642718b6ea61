import {CrossplaneError} from '../errors.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {tagAgrees} from '../reference/newest-version.js'
import {isNear} from '../text.js'
import type {LocateOptions} from './located-package.js'
import type {PackageFolder} from './package-sources.js'

type KnownSources = Pick<LocateOptions, 'folder' | 'knownNames'>

/**
 * Rejects a name that local sources have in another spelling, before a registry is contacted. Only names without a
 * registry: with one, the user means that registry. Throws `not-found`.
 */
export async function expectSpelled(name: ImageName, {folder, knownNames}: KnownSources): Promise<void> {
  if (folder === undefined || name.registry !== undefined || name.digest !== undefined) return
  const tags = (await folder.versions(name.path)).map(({tag}) => tag)
  const near =
    tags.length > 0
      ? withNearTag(name, tags)
      : await withNearPath(name, await namesIn({folder, knownNames}), folder)
  if (near !== undefined) throw misspelled(name, near)
}

interface LocalNames {
  readonly inFolder: readonly string[]
  readonly elsewhere: readonly string[]
}

async function namesIn({folder, knownNames}: KnownSources): Promise<LocalNames> {
  const inFolder = (await folder?.all()) ?? []
  return {
    inFolder: inFolder.map(({repositoryPath}) => repositoryPath),
    elsewhere: (await knownNames?.()) ?? [],
  }
}

/** The name with the tag of the folder that differs by a leading `v`. */
function withNearTag({path, tag}: ImageName, tags: readonly string[]): ImageName | undefined {
  if (tag === undefined || tags.includes(tag)) return undefined
  const near = tags.find(text => isSame(text, tag))
  return near === undefined ? undefined : {path, tag: near}
}

async function withNearPath(
  {path, tag}: ImageName,
  {inFolder, elsewhere}: LocalNames,
  folder: PackageFolder,
): Promise<ImageName | undefined> {
  if (elsewhere.includes(path)) return undefined
  const near = nearestRepository(path, [...new Set([...inFolder, ...elsewhere])].sort())
  if (near === undefined || tag === undefined) return near === undefined ? undefined : {path: near}
  const tags = (await folder.versions(near)).map(version => version.tag)
  return withNearTag({path: near, tag}, tags) ?? {path: near, tag}
}

/** Reports whether two tags differ at most by a leading `v`. */
function isSame(one: string, other: string): boolean {
  return tagAgrees(one, other) && tagAgrees(other, one)
}

/**
 * The repository that was probably meant: one that ends in a name without an owner, else the only one with a small
 * difference in letters. Numbers distinguish packages.
 */
function nearestRepository(path: string, candidates: readonly string[]): string | undefined {
  const owned = path.includes('/') ? [] : candidates.filter(candidate => candidate.endsWith(`/${path}`))
  const spelled = candidates.filter(
    candidate =>
      candidate.length > MIN_LENGTH && isNear(candidate, path) && numbersIn(candidate) === numbersIn(path),
  )
  const [first, ...others] = owned.length > 0 ? owned : spelled
  return others.length === 0 ? first : undefined
}

/** Shorter names that differ in two letters are rather two names. */
const MIN_LENGTH = 8

function numbersIn(text: string): string {
  return text.replaceAll(/\D+/g, ' ')
}

function misspelled(name: ImageName, near: ImageName): CrossplaneError {
  const [text, other] = [name, near].map(formatImageName) as [string, string]
  return new CrossplaneError('not-found', `cannot find ${text}: the local packages have ${other}`, {
    suggestions: [`Use ${other}, or docker.io/${text} for the package in that registry.`],
  })
}
