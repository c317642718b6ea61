import {CrossplaneError} from '../errors.js'
import {entryDiagnostics, type IndexedSummary} from './entry/entry-document.js'
import {summaryOf} from './summary-of.js'
import type {PackageFile} from '../unpack/package-file.js'
import {readPackage} from '../unpack/read-package.js'

/**
 * Returns the index entry of a package in a registry. Throws `package-invalid`, and `index-invalid` for a package with
 * fields that no index can hold.
 */
export function entryOfPackage(
  origin: {readonly identity: string; readonly tag: string; readonly digest: string},
  files: readonly PackageFile[],
): IndexedSummary {
  const {identity, tag, digest} = origin
  const name = `${identity}:${tag}`
  const summary = {...summaryOf(readPackage(name, files), origin), digest}
  const diagnostics = entryDiagnostics(summary)
  if (diagnostics.length === 0) return summary
  throw new CrossplaneError('index-invalid', `cannot add ${name} to an index: its entry would be invalid`, {
    diagnostics,
    suggestions: ['Fix the package and publish it under a new version'],
  })
}
