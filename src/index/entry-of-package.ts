import {CrossplaneError} from '../errors.js'
import {entryDiagnostics, type IndexedSummary} from './entry/entry-document.js'
import type {PackageSummary} from './package-summary.js'
import {summaryOf, type SummaryOrigin} from './summary-of.js'
import {summaryOfXpkg} from './summary-of-xpkg.js'
import type {PackageFile} from '../unpack/package-file.js'
import {invalidPackage, readPackage} from '../unpack/read-package.js'
import {examineXpkg} from '../xpkg/content/examine-xpkg.js'

/**
 * Returns the index entry of a package in a registry. Throws `package-invalid`, and `index-invalid` for a package with
 * fields that no index can hold.
 */
export function entryOfPackage(
  origin: {readonly identity: string; readonly tag: string; readonly digest: string},
  {files, xpkg}: ReadFiles,
): IndexedSummary {
  const {identity, tag, digest} = origin
  const name = `${identity}:${tag}`
  const summary = {...summaryOfFiles(name, {files, xpkg}, origin), digest}
  const diagnostics = entryDiagnostics(summary)
  if (diagnostics.length === 0) return summary
  throw new CrossplaneError('index-invalid', `cannot add ${name} to an index: its entry would be invalid`, {
    diagnostics,
    suggestions: ['Fix the package and publish it under a new version'],
  })
}

/** Returns the summary of a package that was read, of any format. Throws `package-invalid`. */
export function summaryOfFiles(
  name: string,
  {files, xpkg}: ReadFiles,
  origin: SummaryOrigin,
): PackageSummary {
  return xpkg === undefined ? summaryOf(readPackage(name, files), origin) : xpkgSummary(name, files, origin)
}

/** The files of a package; `xpkg` is set for one for a current Crossplane. */
interface ReadFiles {
  readonly files: readonly PackageFile[]
  readonly xpkg?: object
}

/** Returns the summary of a package for a current Crossplane. Throws `package-invalid` for one that the core rejects. */
export function xpkgSummary(
  name: string,
  files: readonly PackageFile[],
  origin: SummaryOrigin,
): PackageSummary {
  const {xpkg, errors} = examineXpkg(files)
  if (xpkg === undefined || errors.length > 0) throw invalidPackage(name, errors)
  return summaryOfXpkg(xpkg, origin)
}
