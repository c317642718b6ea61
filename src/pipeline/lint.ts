import {lintPackage} from '../author/lint/lint-package.js'
import {type LintReport, lintReport} from '../author/lint/lint-report.js'
import {parsePackageImage, parsePackageReference} from '../reference/package-reference.js'
import {locatePackage} from '../locate/locate-package.js'
import {expectSpelled} from '../locate/near-names.js'
import type {PackagePorts} from '../locate/located-package.js'

/** A package to lint. */
export interface LintQuery {
  readonly reference: string
  readonly asPackage?: string
}

/** Lints a package. Throws only if it cannot be read at all. */
export async function lint({reference, asPackage}: LintQuery, ports: PackagePorts): Promise<LintReport> {
  const options = {...ports, asPackage: asPackage === undefined ? undefined : parsePackageImage(asPackage)}
  const target = parsePackageReference(reference)
  if (target.kind === 'image') await expectSpelled(target.name, options)
  const located = await locatePackage(target, options)
  const {name, files, tag} = located
  return lintReport(name, lintPackage({files, tag, reference: located.reference}))
}
