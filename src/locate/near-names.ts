import {CrossplaneError} from '../errors.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {nameFromSource} from '../reference/image-source.js'
import {tagAgrees} from '../reference/newest-version.js'
import {escaped, isNear, listSome} from '../text.js'
import type {LocalName, LocateOptions} from './located-package.js'
import {withPackages} from './package-sources.js'

type NamedSources = Pick<LocateOptions, 'folder' | 'localNames' | 'defaultSource'>

/** The tags that local sources have of each repository. */
type Repositories = ReadonlyMap<string, readonly string[]>

/**
 * Rejects a name that local sources have in another spelling, before a registry is contacted. Only names without a
 * registry: with one, the user means that registry. Throws `not-found`.
 */
export async function expectSpelled(name: ImageName, sources: NamedSources): Promise<void> {
  if (name.registry !== undefined || name.digest !== undefined) return
  const near = await nearName(name, sources)
  if (near !== undefined) throw misspelled(name, near, sources)
}

/**
 * The name that was probably meant. Without a folder or an index file, only a name without an owner is compared with
 * the cache, where similar names are expected and reading them takes time.
 */
async function nearName(name: ImageName, sources: NamedSources): Promise<ImageName | undefined> {
  const ofName = await folderTags(name, sources)
  if (ofName.length > 0) return withNearTag(name, ofName)
  const named = await namedSources(sources)
  const tags = named.get(name.path)
  if (tags !== undefined) return withNearTag(name, tags)
  const isNamed = sources.folder !== undefined || named.size > 0
  if (!isNamed && !isWithoutOwner(name)) return undefined
  const cached = await cachedNames(sources)
  if (cached.has(name.path)) return undefined
  const all = new Map([...cached, ...named])
  return withNearPath(
    name,
    all,
    isNamed ? [...withoutOwner(name.path, named), ...spelled(name.path, all)] : [],
  )
}

async function folderTags(
  name: ImageName,
  {folder, defaultSource}: NamedSources,
): Promise<readonly string[]> {
  return ((await folder?.versions(name, defaultSource)) ?? []).map(({tag}) => tag)
}

/** The packages of the sources that the user named: the folder and index files. */
async function namedSources({folder, localNames, defaultSource}: NamedSources): Promise<Repositories> {
  const inFolder = withPackages((await folder?.all()) ?? []).map(({repositoryPath, tag}) => ({
    repository: repositoryPath,
    tag,
  }))
  // With a default source, a name without a registry is not that of an identity without one.
  const indexed = defaultSource === undefined ? ((await localNames?.indexed()) ?? []) : []
  return repositoriesOf([...inFolder, ...indexed])
}

async function cachedNames({localNames, defaultSource}: NamedSources): Promise<Repositories> {
  return repositoriesOf(defaultSource === undefined ? ((await localNames?.cached()) ?? []) : [])
}

function repositoriesOf(names: readonly LocalName[]): Repositories {
  const tags = new Map<string, string[]>()
  for (const {repository, tag} of names) {
    const all = tags.get(repository) ?? []
    if (tag !== undefined) all.push(tag)
    tags.set(repository, all)
  }
  return tags
}

/** The name with the tag that differs by a leading `v`. */
function withNearTag({path, tag}: ImageName, tags: readonly string[]): ImageName | undefined {
  if (tag === undefined || tags.includes(tag)) return undefined
  const near = tags.find(text => isSame(text, tag))
  return near === undefined ? undefined : {path, tag: near}
}

/**
 * The name with the repository that was probably meant: the only one that ends in a name without an owner, else the
 * only one that is spelled in a similar way.
 */
function withNearPath(name: ImageName, all: Repositories, similar: readonly string[]): ImageName | undefined {
  const owned = isWithoutOwner(name) ? sameBase(name.path, all) : []
  const [path, ...others] = owned.length > 0 ? owned : similar
  if (path === undefined || others.length > 0) return undefined
  const {tag} = name
  if (tag === undefined) return {path}
  return withNearTag({path, tag}, all.get(path) ?? []) ?? {path, tag}
}

function isWithoutOwner({path}: ImageName): boolean {
  return !path.includes('/')
}

/** The repositories of the same name with another owner, or with one. */
function sameBase(path: string, all: Repositories): string[] {
  const base = (text: string) => text.slice(text.lastIndexOf('/') + 1)
  return [...all.keys()].filter(other => other !== path && base(other) === base(path)).sort()
}

/** The repository of the same name without an owner: in a folder, a package often has none. */
function withoutOwner(path: string, named: Repositories): string[] {
  return sameBase(path, named).filter(other => !other.includes('/'))
}

/** The repositories with a small difference in letters. Numbers distinguish packages. */
function spelled(path: string, all: Repositories): string[] {
  return [...all.keys()]
    .filter(other => other.length > MIN_LENGTH && isNear(other, path) && numbersIn(other) === numbersIn(path))
    .sort()
}

/** Shorter names that differ in two letters are rather two names. */
const MIN_LENGTH = 8

/** Reports whether two tags differ at most by a leading `v`. */
function isSame(one: string, other: string): boolean {
  return tagAgrees(one, other) && tagAgrees(other, one)
}

function numbersIn(text: string): string {
  return text.replaceAll(/\D+/g, ' ')
}

function misspelled(name: ImageName, near: ImageName, {defaultSource}: NamedSources): CrossplaneError {
  const [text, other] = [name, near].map(formatImageName) as [string, string]
  const full = formatImageName(nameFromSource(name, defaultSource ?? 'docker.io'))
  return new CrossplaneError('not-found', `cannot find ${text}: the local packages have ${other}`, {
    suggestions: [`Use ${other}, or ${full} for the package in that registry.`],
  })
}

/** Names the similar packages of the folder, in which names need no registry; none of a folder that cannot be searched. */
async function fullNameAdvice(
  {registry = '', path}: ImageName,
  {folder}: NamedSources,
): Promise<readonly string[]> {
  const inFolder = (await folder?.all().catch(noPackages)) ?? []
  const all = new Map(withPackages(inFolder).map(({repositoryPath}) => [repositoryPath, []]))
  const full = `${registry}/${path}`
  const isThere = all.has(full) || all.has(path)
  const similar = isThere ? [] : [...new Set([...spelled(full, all), ...spelled(path, all)])]
  return similar.length === 0
    ? []
    : [`Check the name: the local packages have ${listSome(similar.map(escaped))}.`]
}

/** The error of the registry is the one to report. */
function noPackages(error: unknown): readonly [] {
  if (error instanceof CrossplaneError) return []
  throw error
}

/** Names the similar packages of local sources, after no registry had the requested one. */
export async function spellingAdvice(name: ImageName, sources: NamedSources): Promise<readonly string[]> {
  if (name.digest !== undefined) return []
  if (name.registry !== undefined) return await fullNameAdvice(name, sources)
  const all = new Map([...(await cachedNames(sources)), ...(await namedSources(sources))])
  const tagged = withNearTag(name, all.get(name.path) ?? [])
  const similar = [...new Set([...sameBase(name.path, all), ...spelled(name.path, all)])]
  const names = tagged === undefined ? similar : [formatImageName(tagged)]
  return names.length === 0
    ? []
    : [`Check the name: the local packages have ${listSome(names.map(escaped))}.`]
}
