import {isDnsSubdomain} from '../reference/kubernetes-names.js'

/**
 * Returns the name that the core gives to a request for a dependency: its repository without the registry, as a DNS
 * label. https://github.com/crossplane/crossplane-runtime/blob/v2.3.3/pkg/xpkg/name.go
 */
export function derivedName(repository: string): string {
  const slash = repository.indexOf('/')
  return dnsLabel(slash === -1 ? repository : repository.slice(slash + 1))
}

/** A package whose request gets a name. */
interface NamedPackage {
  readonly repository: string
  readonly kind: string
}

/**
 * Returns the names of requests by repository: those that users gave, otherwise those that the core would derive. Of two
 * packages that get the same one, the second has the registry in its name, which works only where the core resolves no
 * dependencies.
 */
export function requestNames(
  packages: readonly NamedPackage[],
  ownNames: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const taken = new Set(packages.map(({repository, kind}) => `${kind} ${ownNames.get(repository) ?? ''}`))
  return new Map(
    packages.map(({repository, kind}) => {
      const own = ownNames.get(repository)
      if (own !== undefined) return [repository, own]
      const derived = derivedName(repository)
      const name = taken.has(`${kind} ${derived}`) ? derivedName(`/${repository}`) : derived
      taken.add(`${kind} ${name}`)
      return [repository, name]
    }),
  )
}

/** The longest name of a request: revisions have it in a label. */
export const MAX_REQUEST_NAME = 63

/** Returns why no request can have a name; undefined for one that it can have. */
export function nameProblem(name: string): string | undefined {
  if (name.length > MAX_REQUEST_NAME) return `the name has more than ${MAX_REQUEST_NAME} characters`
  return isDnsSubdomain(name) ? undefined : 'no object can have the name'
}

const MAX_NAME = 50
const DIGITS = 12

/** Returns the name that the core gives to a revision, and the CLI to a file: the name, cut, and the start of the digest. */
export function revisionName(name: string, digest: string): string {
  return dnsLabel(`${name.slice(0, MAX_NAME)}-${digest.replace(/^sha256:/, '').slice(0, DIGITS)}`)
}

function dnsLabel(text: string): string {
  const last = text.length - 1
  let label = ''
  for (let at = 0; at < Math.min(text.length, MAX_REQUEST_NAME); at += 1) {
    const character = text.charAt(at)
    if (/[a-z0-9]/.test(character)) label += character
    else if (/[./:-]/.test(character) && at !== 0 && at !== MAX_REQUEST_NAME - 1 && at !== last) label += '-'
  }
  return label.replace(/^-+|-+$/g, '')
}
