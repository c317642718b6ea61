const LONGEST_TEXT = 256
const MAX_REPEATS = 3
/**
 * Parts of patterns that Go and JavaScript read differently, or that may take JavaScript long: groups, flags, unusual
 * classes.
 */
const UNSURE = /[(|]|(?:[\^$]|\\[bB])[*+?{]|\[\^?\]|\[[:]|\\[^dDwWsSbB.*+?^$()[\]{}|\\/_-]/
const REPEATS = /[*+?{]/g

/**
 * Reports whether a text certainly does not match a pattern of Go. JavaScript's regular expressions backtrack, so a
 * hostile pattern could take forever: only short texts and plain patterns are judged.
 */
export function breaksPattern(text: string, pattern: string): boolean {
  if (!isJudgedPattern(pattern)) return false
  if (text.length > LONGEST_TEXT || !/^[ -~]*$/.test(text)) return false
  return !new RegExp(pattern).test(text)
}

/** Reports whether short texts are matched with this pattern. */
export function isJudgedPattern(pattern: string): boolean {
  return pattern !== '' && !UNSURE.test(pattern) && (pattern.match(REPEATS)?.length ?? 0) <= MAX_REPEATS
}
