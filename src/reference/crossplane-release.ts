import parse from 'semver/functions/parse.js'

/** The release whose CRDs are assumed to exist if none is named: the last one that packages require CRDs of. */
export const DEFAULT_RELEASE = 'v0.12'

/**
 * Parses a release of Crossplane such as `v0.12` or `v0.12.1`; undefined for other text, also for `none`, which stands
 * for a current release.
 */
export function parseCrossplaneRelease(
  text: string,
): {readonly major: number; readonly minor: number} | undefined {
  return parse(text) ?? parse(`${text}.0`) ?? undefined
}
