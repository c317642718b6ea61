import {basename, dirname} from 'node:path/posix'
import {CrossplaneError} from '../errors.js'
import {isDnsLabel, isDnsSubdomain} from './kubernetes-names.js'

/** The namespace of Crossplane itself. */
export const SYSTEM_NAMESPACE = 'crossplane-system'

/** Returns the default name of an install: the repository's path as a valid Kubernetes name. */
export function defaultInstanceName(repositoryPath: string): string {
  return repositoryPath
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-')
    .replace(/^-+|-+$/g, '')
}

/** Returns the repository path of a package without a reference: `local/` and its folder or file. */
export function localRepositoryPath(path: string): string {
  const last = basename(path)
  return `local/${last === '.registry' ? basename(dirname(path)) : last}`
}

/** Throws `usage` unless a text can name a record (RFC 1123 subdomain). */
export function checkInstanceName(name: string): string {
  if (isDnsSubdomain(name)) return name
  throw new CrossplaneError('usage', `${JSON.stringify(name)} is not a valid install name`, {
    suggestions: ['Use at most 253 lowercase letters, digits, - and ., such as provider-gcp.'],
  })
}

/** Throws `usage` unless a text can name a namespace (RFC 1123 label). */
export function checkNamespace(name: string, flag: string): string {
  if (isDnsLabel(name)) return name
  throw new CrossplaneError('usage', `${flag} ${JSON.stringify(name)} is not a valid namespace`, {
    suggestions: ['Use at most 63 lowercase letters, digits and -.'],
  })
}
