import compare from 'semver/functions/compare.js'
import parse from 'semver/functions/parse.js'
import {compareText} from './compare-text.js'

/** The newest stable semantic version among tags, with or without a leading `v`; undefined if none is one. */
export function newestStable(tags: readonly string[]): string | undefined {
  return tags.filter(isStable).sort(compareVersions)[0]
}

/** Reports whether a tag is a stable semantic version, with or without a leading `v`. */
export function isStable(tag: string): boolean {
  return (parse(tag)?.prerelease.length ?? 1) === 0
}

/** Reports whether a tag is a semantic version, with or without a leading `v`. */
export function isVersion(tag: string): boolean {
  return parse(tag) !== null
}

/**
 * Reports whether a tag lists or holds what refers to an image, such as a signature, and is not a version: `sha256-…`, with
 * `.sig`, `.att` or another suffix. https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#referrers-tag-schema
 */
export function isArtifactTag(tag: string): boolean {
  return /^sha(?:256|384|512)-[0-9a-f]{64,128}(?:[._-].*)?$/.test(tag)
}

/** Sorts newest first; other tags than semantic versions come last. Of equal versions the first by text. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [parse(a), parse(b)]
  if (first !== null && second !== null) return compare(second, first) || compareText(a, b)
  return Number(first === null) - Number(second === null) || compareText(a, b)
}

/** Reports whether a tag is a later version than another one, or that one is not a semantic version. */
export function isNewer(tag: string, than: string): boolean {
  const [version, other] = [parse(tag), parse(than)]
  return version !== null && (other === null || compare(version, other) > 0)
}

/** Reports whether a tag names a version: equal, except for a leading `v` of either and a `-suffix` of the tag. */
export function tagAgrees(tag: string, version: string): boolean {
  const [bareTag, bareVersion] = [withoutV(tag), withoutV(version)]
  return bareTag === bareVersion || bareTag.startsWith(`${bareVersion}-`)
}

function withoutV(text: string): string {
  return /^v\d/.test(text) ? text.slice(1) : text
}
