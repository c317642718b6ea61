import type {CreatedKind} from '../../../unpack/templates/created-kinds.js'

/** Reports whether the controller can create a kind, as far as it can be told. */
export function isCovered({coverage}: Pick<CreatedKind, 'coverage'>): boolean {
  return coverage !== 'uncovered'
}

/** Formats the permission on a kind that templates create. */
export function coverInWords({coverage, because, of = '', missing = ''}: Omit<CreatedKind, 'files'>): string {
  if (coverage === 'unknown') return 'unknown before rendering'
  if (coverage === 'uncovered') return `NONE: dependsOn does not have ${missing}`
  const version = coverage === 'other-version' ? ', in another version' : ''
  switch (because) {
    case 'owned':
      return 'its own kind'
    case 'required':
      return `depends on ${of}${version}`
    case 'standard':
    case undefined:
      return 'granted to every package'
  }
}
