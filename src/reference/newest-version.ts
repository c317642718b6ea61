import compare from 'semver/functions/compare.js'
import parse from 'semver/functions/parse.js'

/** The newest stable semantic version among tags, with or without a leading `v`; undefined if none is one. */
export function newestStable(tags: readonly string[]): string | undefined {
  const stable = tags.filter(tag => (parse(tag)?.prerelease.length ?? 1) === 0)
  return stable.sort((a, b) => compare(b, a) || (a < b ? -1 : 1))[0]
}

/** Whether a tag names a version: equal, but for a leading `v` of either and a `-suffix` of the tag. */
export function tagAgrees(tag: string, version: string): boolean {
  const [bareTag, bareVersion] = [withoutV(tag), withoutV(version)]
  return bareTag === bareVersion || bareTag.startsWith(`${bareVersion}-`)
}

function withoutV(text: string): string {
  return /^v\d/.test(text) ? text.slice(1) : text
}
