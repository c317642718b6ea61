import {compareVersions, isStable} from '../../reference/newest-version.js'
import {isNear} from '../../text.js'

const MAX_TAGS = 3

/** Returns tags similar to a misspelled one, at most three: equal except for a leading `v`, or else similar ones. */
export function nearTags(tag: string, tags: readonly string[]): string[] {
  const same = tags.filter(each => withoutV(each) === withoutV(tag))
  if (same.length > 0) return same.slice(0, MAX_TAGS)
  const similar = tags.filter(each => isNear(each, tag) || withoutV(each).startsWith(`${withoutV(tag)}.`))
  return similar
    .sort((a, b) => Number(isStable(b)) - Number(isStable(a)) || compareVersions(a, b))
    .slice(0, MAX_TAGS)
}

function withoutV(tag: string): string {
  return tag.replace(/^v(?=\d)/, '')
}
