import {CrossplaneError} from '../../errors.js'
import type {PackageSources} from '../../locate/package-sources.js'
import type {PackageDirectory} from '../../unpack/files/package-directory.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {exampleErrors} from '../../xpkg/content/check-examples.js'
import {EXAMPLES_FOLDER, ownExamples, yamlFiles} from '../../xpkg/image/xpkg-folder.js'

/** The examples of a package in one stream, and the number of their files. */
export interface Examples {
  readonly stream: Uint8Array
  readonly files: number
}

/**
 * Reads the YAML files of a folder of examples as they are; by default those of `examples/` in the package, if there are
 * any. Throws `not-found` for a folder that is named and absent, `package-invalid` for a document that is not an object.
 */
export async function exampleStream(
  folder: string | undefined,
  isIgnored: (path: string) => boolean,
  {directory, sources}: {readonly directory: PackageDirectory; readonly sources: PackageSources},
): Promise<Examples | undefined> {
  const files =
    folder === undefined
      ? await ownExamples(directory, {isIgnored})
      : await yamlFiles(await sources.directory(folder), '', {isIgnored})
  if (files.length === 0) return undefined
  expectObjects(folder ?? EXAMPLES_FOLDER, files)
  return {stream: joined(files), files: files.length}
}

const LINE_FEED = 0x0a
const SEPARATOR = Buffer.from('---\n')

function joined(files: readonly PackageFile[]): Uint8Array {
  return Buffer.concat(
    files.flatMap(({bytes}) => [
      SEPARATOR,
      bytes,
      Buffer.from(bytes.length === 0 || bytes.at(-1) === LINE_FEED ? '' : '\n'),
    ]),
  )
}

function expectObjects(name: string, files: readonly PackageFile[]): void {
  const errors = exampleErrors(files)
  if (errors.length === 0) return
  throw new CrossplaneError('package-invalid', `cannot read the examples in ${name}`, {
    diagnostics: errors,
    suggestions: ['Correct them, or leave files out with --ignore FILE.'],
  })
}
