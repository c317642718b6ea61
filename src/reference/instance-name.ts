import {basename, dirname} from 'node:path/posix'
import {CrossplaneError} from '../errors.js'
import {isDnsLabel, isDnsSubdomain} from './kubernetes-names.js'

/** Where Crossplane itself lived. */
export const SYSTEM_NAMESPACE = 'crossplane-system'

/** The name an install gets when its request gives none: the repository's path as a name that Kubernetes takes. */
export function defaultInstanceName(repositoryPath: string): string {
  return repositoryPath
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-')
    .replace(/^-+|-+$/g, '')
}

/** The repository path of a package that has no reference of its own: `local/` and its folder or file. */
export function localRepositoryPath(path: string): string {
  const last = basename(path)
  return `local/${last === '.registry' ? basename(dirname(path)) : last}`
}

/** Throws `usage` unless the name may name a record (RFC 1123 subdomain). */
export function checkInstanceName(name: string): string {
  if (isDnsSubdomain(name)) return name
  throw new CrossplaneError('usage', `${JSON.stringify(name)} is not a valid install name`, {
    suggestions: [
      'Give a NAME of lower-case letters, digits, - and ., at most 253 long, such as provider-gcp.',
    ],
  })
}

/** Throws `usage` unless the name may name a namespace (RFC 1123 label). */
export function checkNamespace(name: string, flag: string): string {
  if (isDnsLabel(name)) return name
  throw new CrossplaneError('usage', `${flag} ${JSON.stringify(name)} is not a valid namespace`, {
    suggestions: ['A namespace has lower-case letters, digits and -, and at most 63 of them.'],
  })
}
