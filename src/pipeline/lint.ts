import {lintPackage} from '../author/lint/lint-package.js'
import {type LintReport, lintReport} from '../author/lint/lint-report.js'
import {parsePackageImage, parsePackageReference} from '../reference/package-reference.js'
import {locatePackage} from './locate/locate-package.js'
import type {PackagePorts} from './locate/located-package.js'

/** A question about what is wrong with one package. */
export interface LintQuery {
  readonly reference: string
  readonly asPackage?: string
}

/** Parse, fetch, lint. Throws where the package cannot be read at all; what is wrong with it is the answer. */
export async function lint({reference, asPackage}: LintQuery, ports: PackagePorts): Promise<LintReport> {
  const options = {...ports, ...(asPackage === undefined ? {} : {asPackage: parsePackageImage(asPackage)})}
  const located = await locatePackage(parsePackageReference(reference), options)
  const {name, files, tag} = located
  return lintReport(name, lintPackage({files, tag, reference: located.reference}))
}
