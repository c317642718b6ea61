import {CrossplaneError} from '../errors.js'
import {CRD_PREFIX, type PackageReference, parsePackageReference} from './package-reference.js'

/** A requested install: a package, or the package that defines a CRD. */
export type InstallTarget = PackageReference | CrdTarget

/** `<resource>.<group>[/<version>]`. */
interface CrdTarget {
  readonly kind: 'crd'
  readonly crd: string
}

const CRD = /^(?:\*|[a-z0-9][a-z0-9-]*)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+(?:\/[a-z0-9]+)?$/

/** Throws `reference-invalid` for text that is neither. */
export function parseInstallTarget(text: string): InstallTarget {
  return text.startsWith(CRD_PREFIX)
    ? {kind: 'crd', crd: parseCrdName(text.slice(CRD_PREFIX.length))}
    : parsePackageReference(text)
}

/** The name of a CRD with or without a version, as it was. Throws `reference-invalid`. */
export function parseCrdName(text: string): string {
  if (CRD.test(text)) return text
  throw new CrossplaneError('reference-invalid', `${JSON.stringify(text)} is not a valid CRD name`, {
    suggestions: [
      'Write RESOURCE.GROUP or RESOURCE.GROUP/VERSION, such as databases.sql.example.org/v1; * is any resource.',
    ],
  })
}

export function isCrdName(text: string): boolean {
  return CRD.test(text)
}
