import {inspectXpkg} from '../../inspect/inspect-xpkg.js'
import type {LocatedPackage} from '../../locate/located-package.js'
import {invalidPackage} from '../../unpack/read-package.js'
import {examineXpkg} from '../../xpkg/content/examine-xpkg.js'
import {baseLayerDiagnostics} from '../../xpkg/image/base-layers.js'
import type {Inspection} from '../reports.js'

/** Inspects a package for a current Crossplane. Throws `package-invalid` for one that Crossplane cannot read. */
export function inspectRead(located: LocatedPackage): Inspection {
  const {xpkg, errors, problems} = examineXpkg(located.files)
  if (xpkg === undefined || errors.length > 0) throw invalidPackage(located.name, errors, located.folder)
  const all = [...baseLayerDiagnostics(located.xpkg?.baseLayers), ...problems]
  return {kind: 'XpkgReport', report: inspectXpkg(located, xpkg, all), images: []}
}
