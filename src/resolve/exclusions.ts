/** Failures that exclude a version, by code, and how it is called then; any other one, such as a network error, ends the command. */
export const EXCLUSIONS = {
  'not-found': 'vanished',
  'access-denied': 'private',
  'package-invalid': 'lying',
  unsupported: 'lying',
  'source-invalid': 'lying',
  'source-unsafe': 'lying',
  'limit-exceeded': 'lying',
} as const

/** Reports whether an error concerns one version, which cannot be read. */
export function isExclusion(code: string): code is keyof typeof EXCLUSIONS {
  return Object.hasOwn(EXCLUSIONS, code)
}
