import {RE2JS} from 're2js'
import type {MatchPattern} from '../../crd/checks/value-limits.js'

/** Returns what matches texts with patterns of Go, which takes time linear in the text; each pattern is compiled once. */
export function patternMatcher(): MatchPattern {
  const compiled = new Map<string, RE2JS | undefined>()
  return (pattern, text) => {
    if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern))
    return compiled.get(pattern)?.matcher(text).find()
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
