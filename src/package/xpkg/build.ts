import {tagWarnings} from '../../author/build/build-image.js'
import {xpkgImage} from '../../author/build/xpkg-image.js'
import {lintXpkg} from '../../author/lint/lint-xpkg.js'
import {neededRules} from '../../author/lint/server/needed-rules.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError, withSuggestions} from '../../errors.js'
import {present} from '../../present.js'
import {shellWord} from '../../text.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {invalidPackage} from '../../unpack/read-package.js'
import {examineXpkg} from '../../xpkg/content/examine-xpkg.js'
import {packageStream} from '../../xpkg/content/package-stream.js'
import {ignoredPaths} from '../../xpkg/image/ignored-paths.js'
import {META_FILE, xpkgFolderFiles} from '../../xpkg/image/xpkg-folder.js'
import {revisionName} from '../../xpkg/package-name.js'
import type {BuildPorts, BuildQuery, BuildSource, BuiltImage} from '../build.js'
import {lintOutcome} from '../lint-outcome.js'
import {exampleStream} from './examples.js'

/**
 * Lints and builds a package for a current Crossplane. Throws `package-invalid` with all errors of lint, or without lint with
 * those for which Crossplane cannot read it, and `usage` for flags of the other format.
 */
export async function buildXpkg(
  query: BuildQuery,
  {directory, tag, base: runtime}: BuildSource,
  {sources, schemaRules}: BuildPorts,
): Promise<BuiltImage> {
  if (query.bake !== undefined) throw noMetadataFiles(query.path)
  if (query.copies !== undefined) throw noCopies(query.path)
  const isIgnored = ignoredPaths(query.ignore ?? [])
  const files = await xpkgFolderFiles(directory, {isIgnored})
  const warnings = [...tagWarnings(undefined, tag), ...(await checked(query, files, schemaRules))]
  const {name} = readable(query.path, files)
  const examples = await exampleStream(query.examples, isIgnored, {directory, sources})
  const image = xpkgImage({
    stream: packageStream(files),
    ...present({examples: examples?.stream, runtime, epoch: query.epoch}),
  })
  const fileName = `${revisionName(name, image.descriptor.digest)}.xpkg`
  return {image, tag, files: files.length + (examples?.files ?? 0), folders: [], warnings, fileName}
}

async function checked(
  {path, lint}: BuildQuery,
  files: readonly PackageFile[],
  schemaRules: BuildPorts['schemaRules'],
): Promise<readonly Diagnostic[]> {
  if (!lint) return []
  const diagnostics = lintXpkg({files, ...(await neededRules(files, schemaRules))})
  const hasErrors = diagnostics.some(({severity}) => severity === 'error')
  return lintOutcome(path, diagnostics, hasErrors ? lintAdvice(files) : NO_LINT)
}

const NO_LINT = 'Pass --no-lint to build a package that Crossplane can read despite them.'

/** What Crossplane cannot read is never built, so that only leaving it out helps. */
function lintAdvice(files: readonly PackageFile[]): string {
  const [error] = examineXpkg(files).errors
  return error === undefined ? NO_LINT : ignoreAdvice(error)
}

function ignoreAdvice({file = META_FILE}: Diagnostic): string {
  if (file === META_FILE) return `Correct ${META_FILE}.`
  return `Correct ${file} or, if it is not part of the package, leave it out: --ignore ${shellWord(file)}`
}

function readable(path: string, files: readonly PackageFile[]): {readonly name: string} {
  const {xpkg, errors} = examineXpkg(files)
  const [error] = errors
  if (error !== undefined) throw withSuggestions(invalidPackage(path, errors), [ignoreAdvice(error)])
  if (xpkg === undefined) throw invalidPackage(path, errors)
  return xpkg
}

function noCopies(path: string): CrossplaneError {
  return new CrossplaneError('usage', `--copy does not apply to ${path}: it has a crossplane.yaml`, {
    suggestions: ['Pass --embed-runtime-image with the image of the program.'],
  })
}

function noMetadataFiles(path: string): CrossplaneError {
  return new CrossplaneError('usage', `--bake-metadata does not apply to ${path}: it has a crossplane.yaml`, {
    suggestions: ['Leave out --bake-metadata: only packages of Crossplane v0.12 have metadata files.'],
  })
}
