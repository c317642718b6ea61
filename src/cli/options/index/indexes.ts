import {createReadStream} from 'node:fs'
import {CrossplaneError} from '../../../errors.js'
import type {PackageIndex} from '../../../index/package-index.js'
import type {RemotePackages} from '../../../pipeline/locate/remote-repository.js'
import {parseImageName} from '../../../reference/image-name.js'
import {nameFromSource} from '../../../reference/image-source.js'
import {mirroredRepository} from '../../../reference/mirrors.js'
import {type Repository, repositoryOf} from '../../../reference/repository.js'
import {checkedSource} from '../registry/default-source.js'

/** Where an index is. */
export type IndexName =
  {readonly kind: 'file'; readonly path: string} | {readonly kind: 'repository'; readonly root: Repository}

/** The values of `indexFlags`. What the environment says comes as one text, whatever the flag's type says. */
export interface IndexFlagValues {
  readonly index?: string | readonly string[]
}

/**
 * The indexes that a command line or the environment names, in their order. An empty variable names none; an empty flag
 * is kept, to be refused: somebody meant one.
 */
export function indexNames({index = []}: IndexFlagValues): readonly string[] {
  if (typeof index !== 'string') return index
  return index
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
}

/**
 * What looks like a path, or ends in `.jsonl`, is a file; everything else a repository, of the default source if it
 * names no registry. Throws `reference-invalid` for what is neither.
 */
export function parseIndexName(text: string, defaultSource?: string): IndexName {
  if (/^\.{0,2}\//.test(text) || text.endsWith('.jsonl')) return {kind: 'file', path: text}
  const written = parseImageName(text)
  if (written === undefined || written.tag !== undefined || written.digest !== undefined) {
    throw new CrossplaneError('reference-invalid', `${JSON.stringify(text)} is no index of packages`, {
      suggestions: ['Write [HOST/]PATH without a tag, or ./FILE for a file.'],
    })
  }
  const name = defaultSource === undefined ? written : nameFromSource(written, checkedSource(defaultSource))
  return {kind: 'repository', root: repositoryOf(name)}
}

/**
 * Opens indexes by name, in the registries that packages are pulled from. A file is read at once; what is in a registry,
 * when it is asked for. Throws `reference-invalid`, and for a file `not-found` and `index-invalid`.
 */
export function indexOpener(
  {registry: registryAt, cache, mirrors = {}, report}: RemotePackages,
  defaultSource: string | undefined,
): (name: string) => Promise<PackageIndex> {
  return async text => {
    const name = parseIndexName(text, defaultSource)
    if (name.kind === 'file') return await indexInFile(name.path)
    const root = mirroredRepository(name.root, mirrors)
    const [{registryIndex}, registry, memory] = await Promise.all([
      import('../../../index/registry/registry-index.js'),
      registryAt?.(root.registry),
      cache?.(),
    ])
    return registryIndex(root, {
      ...(registry === undefined ? {} : {registry}),
      ...(memory === undefined ? {} : {memory}),
      ...(report === undefined ? {} : {report}),
    })
  }
}

/** An index that was exported to a file. Throws `not-found` and `index-invalid`. */
export async function indexInFile(path: string): Promise<PackageIndex> {
  const [{readIndexFile}, {listedIndex}] = await Promise.all([
    import('../../../index/file/index-file.js'),
    import('../../../index/listed-index.js'),
  ])
  return listedIndex(path, await readIndexFile(path, bytesOf(path)))
}

/** Throws `not-found` for a file that cannot be read. */
async function* bytesOf(path: string): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Uint8Array
  } catch (error) {
    throw new CrossplaneError('not-found', `the index ${path} cannot be read`, {
      cause: error,
      suggestions: [
        (error as NodeJS.ErrnoException).code === 'EISDIR'
          ? 'Name a folder of packages with --packages, or make a file of it: kubectl crossplane registry index export --packages DIR --output-file FILE.'
          : 'Name a file that kubectl crossplane registry index export wrote.',
      ],
    })
  }
}
