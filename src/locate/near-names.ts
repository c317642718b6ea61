import {CrossplaneError} from '../errors.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {tagAgrees} from '../reference/newest-version.js'
import {isNear} from '../text.js'
import type {LocateOptions} from './located-package.js'

/**
 * Rejects a name that local sources have in another spelling, before a registry is asked for it. Only names without a
 * registry: with one, the user means that registry. Throws `not-found`.
 */
export async function expectSpelled(
  name: ImageName,
  {folder, known}: Pick<LocateOptions, 'folder' | 'known'>,
): Promise<void> {
  const {registry, path, tag, digest} = name
  if (folder === undefined || registry !== undefined || digest !== undefined) return
  const tags = (await folder.versions(path)).map(version => version.tag)
  if (tags.length > 0) {
    const other = tag === undefined || tags.includes(tag) ? undefined : tags.find(text => isSame(text, tag))
    if (other !== undefined) throw misspelled(name, {path, tag: other})
    return
  }
  const inFolder = (await folder.all()).map(({repositoryPath}) => repositoryPath)
  const elsewhere = (await known?.()) ?? []
  if (elsewhere.includes(path)) return
  const near = nearestRepository(path, [...new Set([...inFolder, ...elsewhere])].sort())
  if (near === undefined) return
  const has = tag !== undefined && inFolder.includes(near) ? await folder.versions(near) : []
  const sameTag = has.find(version => tag !== undefined && isSame(version.tag, tag))?.tag
  throw misspelled(name, {path: near, ...(tag === undefined ? {} : {tag: sameTag ?? tag})})
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
