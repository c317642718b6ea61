import {locatePackage} from '../locate/locate-package.js'
import type {LocatedPackage, PackagePorts} from '../locate/located-package.js'
import {expectSpelled} from '../locate/near-names.js'
import {parsePackageImage, parsePackageReference} from '../reference/package-reference.js'
import type {FormatName} from './format.js'

/** Returns the format of a package that was read. */
export function formatOf({xpkg}: LocatedPackage): FormatName {
  return xpkg === undefined ? 'stack' : 'xpkg'
}

/** Reads the one package that a query names, whatever its format. Throws as reading it does. */
export async function locateAny(
  {reference, asPackage}: {readonly reference: string; readonly asPackage?: string},
  ports: PackagePorts,
): Promise<LocatedPackage> {
  const identity = asPackage === undefined ? {} : {asPackage: parsePackageImage(asPackage)}
  const options = {...ports, ...identity, acceptsXpkg: true}
  const target = parsePackageReference(reference)
  if (target.kind === 'image') await expectSpelled(target.name, options)
  return await locatePackage(target, options)
}
