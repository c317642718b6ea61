/** The first two numbers of a version. */
export interface Release {
  readonly major: number
  readonly minor: number
}

/** Reads the release of a version such as `v1.36.3` or `20.19`; undefined for any other text. */
export function releaseIn(version: string): Release | undefined {
  const [, major, minor] = /^v?(\d{1,9})\.(\d{1,9})/.exec(version) ?? []
  return major === undefined ? undefined : {major: Number(major), minor: Number(minor)}
}

/** Compares two releases: negative if `a` is older. */
export function compareReleases(a: Release, b: Release): number {
  return a.major - b.major || a.minor - b.minor
}
