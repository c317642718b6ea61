/**
 * Returns the name that the core gives to a request for a dependency: its repository without the registry, as a DNS
 * label. https://github.com/crossplane/crossplane-runtime/blob/v2.3.3/pkg/xpkg/name.go
 */
export function derivedName(repository: string): string {
  const slash = repository.indexOf('/')
  return dnsLabel(slash === -1 ? repository : repository.slice(slash + 1))
}

const MAX_NAME = 50
const DIGITS = 12

/** Returns the name that the core gives to a revision, and the CLI to a file: the name, cut, and the start of the digest. */
export function revisionName(name: string, digest: string): string {
  return dnsLabel(`${name.slice(0, MAX_NAME)}-${digest.replace(/^sha256:/, '').slice(0, DIGITS)}`)
}

const MAX_LENGTH = 63

function dnsLabel(text: string): string {
  const last = text.length - 1
  let label = ''
  for (let at = 0; at < Math.min(text.length, MAX_LENGTH); at += 1) {
    const character = text.charAt(at)
    if (/[a-z0-9]/.test(character)) label += character
    else if (/[./:-]/.test(character) && at !== 0 && at !== MAX_LENGTH - 1 && at !== last) label += '-'
  }
  return label.replace(/^-+|-+$/g, '')
}
