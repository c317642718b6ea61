import {inspectXpkg} from '../../inspect/inspect-xpkg.js'
import type {LocatedPackage} from '../../locate/located-package.js'
import {invalidPackage} from '../../unpack/read-package.js'
import {examineXpkg} from '../../xpkg/content/examine-xpkg.js'
import type {Xpkg, XpkgExamination} from '../../xpkg/content/xpkg.js'
import {baseLayerDiagnostics} from '../../xpkg/image/base-layers.js'
import type {Inspection} from '../reports.js'

/** Inspects a package for a current Crossplane. Throws `package-invalid` for one that Crossplane cannot read. */
export function inspectRead(located: LocatedPackage): Inspection {
  return inspectExamined(located, readable(located, examineXpkg(located.files)))
}

/** The same of a package that was read. */
export function inspectExamined(located: LocatedPackage, {xpkg, problems}: ReadableXpkg): Inspection {
  const all = [...baseLayerDiagnostics(located.xpkg?.baseLayers), ...problems]
  return {kind: 'XpkgReport', report: inspectXpkg(located, xpkg, all), images: []}
}

/** A package that Crossplane can read, and what is wrong with it otherwise. */
export type ReadableXpkg = Pick<XpkgExamination, 'problems'> & {readonly xpkg: Xpkg}

/** Throws `package-invalid` for a package that Crossplane cannot read. */
export function readable(located: LocatedPackage, {xpkg, errors, problems}: XpkgExamination): ReadableXpkg {
  if (xpkg === undefined || errors.length > 0) throw invalidPackage(located.name, errors, located.folder)
  return {xpkg, problems}
}
