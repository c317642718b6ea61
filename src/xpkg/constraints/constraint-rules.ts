/** The two versions of Masterminds' semver by which Crossplane reads constraints: v1.5 up to 2.2, v3 from 2.3. */
export type ConstraintRules = 'v1' | 'v3'

/** Both, the older one first. */
export const CONSTRAINT_RULES: readonly ConstraintRules[] = ['v1', 'v3']

/** Returns the rules of a version of Crossplane; without one, or for one that is not a version, both. */
export function coreRules(coreVersion: string | undefined): readonly ConstraintRules[] {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(coreVersion ?? '') ?? []
  if (major === undefined || minor === undefined) return CONSTRAINT_RULES
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 3) ? ['v3'] : ['v1']
}
