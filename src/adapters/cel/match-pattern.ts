import {RE2JS} from 're2js'
import type {MatchPattern} from '../../crd/checks/value-limits.js'
import type {FindGroups} from '../../usage/validation/composition/render/transform-value.js'

/** Reads patterns of Go. */
export interface GoPatterns {
  readonly match: MatchPattern
  readonly findGroups: FindGroups
}

/** Returns what matches texts with patterns of Go, which takes time linear in the text; each pattern is compiled once. */
export function patternMatcher(): MatchPattern {
  return goPatterns().match
}

/** Returns what matches texts with patterns of Go, and what finds the groups of a match. */
export function goPatterns(): GoPatterns {
  const compiled = new Map<string, RE2JS | undefined>()
  const matcherOf = (pattern: string, text: string) => {
    if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern))
    return compiled.get(pattern)?.matcher(text)
  }
  return {
    match: (pattern, text) => matcherOf(pattern, text)?.find(),
    findGroups: (pattern, text) => {
      const matcher = matcherOf(pattern, text)
      if (matcher === undefined) return undefined
      if (!matcher.find()) return null
      return Array.from({length: matcher.groupCount() + 1}, (_, group) => matcher.group(group) ?? '')
    },
  }
}

/** Returns undefined for a pattern that Go may accept and the library does not. */
function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return undefined
  }
}
