import {CrossplaneError, withSuggestions} from '../../errors.js'
import type {PackageIndex} from '../../index/package-index.js'
import type {RemotePackages} from '../../locate/remote-repository.js'
import {mirroredRepository} from '../../reference/mirrors.js'
import {packageSources} from '../wire.js'
import {parseIndexName} from './index-name.js'

/**
 * Opens indexes by name, in the registries that packages are pulled from. A file is read at once, an index in a
 * registry on first use. Throws `reference-invalid`, and for a file `not-found` and `index-invalid`.
 */
export function indexOpener(
  {registry: registryAt, cache, mirrors = {}, report}: RemotePackages,
  defaultSource: string | undefined,
): (name: string) => Promise<PackageIndex> {
  return async text => {
    const name = parseIndexName(text, defaultSource)
    if (name.kind === 'file')
      return await indexInFile(name.path, [`${EXPORTED}; for a folder of packages, use --packages DIR.`])
    if (!/[.:].*\//.test(text)) await expectNoFile(text)
    const root = mirroredRepository(name.root, mirrors)
    const [{registryIndex}, registry, memory] = await Promise.all([
      import('../../index/registry/registry-index.js'),
      registryAt?.(root.registry),
      cache?.(),
    ])
    return registryIndex(root, {
      registry,
      memory,
      report,
    })
  }
}

/** Rejects a name without a registry that is a file or a folder, before a registry is blamed. */
async function expectNoFile(text: string): Promise<void> {
  const isFile = await exists(packageSources.file(text))
  if (!isFile && !(await exists(packageSources.files(text)))) return
  const what = isFile ? 'a file' : 'a folder'
  throw new CrossplaneError('reference-invalid', `${text} is an index without a registry, and ${what}`, {
    suggestions: [
      isFile
        ? `Write ./${text} for the file of that name.`
        : `Pass --packages ${text} if the folder has packages.`,
    ],
  })
}

async function exists(opened: Promise<unknown>): Promise<boolean> {
  return await opened.then(
    () => true,
    () => false,
  )
}

const EXPORTED = 'Pass a file that kubectl crossplane registry index export wrote'

/**
 * An index that was exported to a file. Throws `not-found`, with the suggestions of the flag or argument that names it, and
 * `index-invalid`.
 */
export async function indexInFile(
  path: string,
  suggestions: readonly string[] = [`${EXPORTED}.`],
): Promise<PackageIndex> {
  const [{readIndexFile}, {listedIndex}] = await Promise.all([
    import('../../index/file/index-file.js'),
    import('../../index/listed-index.js'),
  ])
  return listedIndex(path, await readIndexFile(path, bytesOf(path, suggestions)))
}

/** Throws `not-found` and `read-failed`, also if the path is not a regular file. */
async function* bytesOf(path: string, suggestions: readonly string[]): AsyncIterable<Uint8Array> {
  try {
    yield* (await packageSources.file(path)).read()
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    throw withSuggestions(error, suggestions)
  }
}
