/** The numbers of a release of Crossplane. */
type Release = readonly [major: number, minor: number]

/** Reports whether a version of Crossplane is a release or later; without a version, as for the newest one. */
export function isSince(coreVersion: string | undefined, [major, minor]: Release): boolean {
  const [, first, second] = /^v?(\d+)\.(\d+)/.exec(coreVersion ?? '') ?? []
  if (first === undefined || second === undefined) return true
  return Number(first) > major || (Number(first) === major && Number(second) >= minor)
}

/** The first releases with the parts of the API that a set can use. */
export const SINCE = {
  /** Functions of `pkg.crossplane.io/v1`. */
  functionV1: [1, 17],
  deploymentRuntimeConfig: [1, 14],
  /** ImageConfigs that rewrite references. */
  rewriteImage: [1, 20],
  activationPolicy: [2, 0],
  /** Compositions without the mode Resources, and composite resources with a namespace. */
  v2: [2, 0],
  /** Constraints by the rules of Masterminds' semver v3, a cache by five digits, and Functions without objects. */
  newRules: [2, 3],
} as const satisfies Readonly<Record<string, Release>>

/** Returns a capability of a package in the form in which a core compares it: without punctuation and case. */
export function plainCapability(capability: string): string {
  return capability.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
