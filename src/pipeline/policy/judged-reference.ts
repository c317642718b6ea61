import type {JudgedPackage} from '../../inspect/policy/judged-package.js'
import {type GivenPackage, locateGiven} from '../../locate/locate-package.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {formatFor} from '../../package/formats.js'
import {formatImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {present} from '../../present.js'

/**
 * Reads a package, and returns what rules see of it, without its dependencies. One on disk is unnamed without `asPackage`. Throws as
 * reading it does.
 */
export async function judgedReference(
  {reference, asPackage}: GivenPackage,
  ports: PackagePorts,
): Promise<JudgedPackage> {
  const identity = asPackage === undefined ? undefined : identityIn(asPackage, ports)
  const located = await locateGiven({reference, ...present({asPackage: identity})}, ports)
  const format = await formatFor(located)
  const judged = await format.judged(located, ports)
  return located.reference === undefined ? {...judged, isUnnamed: true} : judged
}

/** The name by which the package will be pulled. */
function identityIn(asPackage: string, {defaultSource}: PackagePorts): string {
  const name = parsePackageImage(asPackage)
  return defaultSource === undefined ? asPackage : formatImageName(nameFromSource(name, defaultSource))
}
