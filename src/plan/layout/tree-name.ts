import {LABEL_LENGTH, truncate} from '../../render/truncate.js'

/**
 * Returns a name for what controllers know a tree by, from its path in the repository: `packages`, or
 * `team-a-packages` for `team-a/packages`. Flux and Argo CD label objects with such names, so that they are at most 63
 * bytes long.
 */
export function treeName(path: string): string {
  const name = path
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return shortName(name === '' ? 'packages' : name)
}

/** Shortens a name to the length of a label. */
export function shortName(name: string): string {
  return truncate(name, LABEL_LENGTH)
}
