/** An authentication challenge of a server. Scheme and names of parameters are in lowercase. */
export interface Challenge {
  readonly scheme: string
  readonly parameters: ReadonlyMap<string, string>
}

/** No registry needs more; a limit on the time for parsing. */
const LONGEST = 8 * 1024

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const SCHEME = new RegExp(`[\\s,]*(${TOKEN})(?=[\\s,]|$)`, 'y')
const PARAMETER = new RegExp(
  `[\\s,]*(${TOKEN})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))(?=[\\s,]|$)`,
  'sy',
)
/** The single token after a scheme such as `Negotiate`, in place of parameters. */
const TOKEN68 = /[ \t]+[A-Za-z0-9._~+/-]+=*[ \t]*(?=,|$)/y

/**
 * Parses the challenges of a `WWW-Authenticate` header, several headers joined by commas. Stops at the first invalid
 * part and at a limit. https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */
export function parseChallenges(header: string): readonly Challenge[] {
  if (header.length > LONGEST) return []
  const challenges: Challenge[] = []
  for (let at = 0; ;) {
    const scheme = matchAt(SCHEME, header, at)
    if (scheme === undefined) return challenges
    const parameters = new Map<string, string>()
    const start = matchAt(TOKEN68, header, scheme.end)?.end ?? scheme.end
    at = start === scheme.end ? readParameters(header, start, parameters) : start
    challenges.push({scheme: scheme.groups[0]?.toLowerCase() ?? '', parameters})
  }
}

/** Returns the end of the parameters. Of duplicate ones the first counts. */
function readParameters(header: string, start: number, parameters: Map<string, string>): number {
  let at = start
  for (;;) {
    const match = matchAt(PARAMETER, header, at)
    if (match === undefined) return at
    const [name = '', text, word] = match.groups
    const key = name.toLowerCase()
    if (!parameters.has(key)) parameters.set(key, text?.replace(/\\(.)/gs, '$1') ?? word ?? '')
    at = match.end
  }
}

/** Matches a sticky expression at a position, without keeping its state. */
function matchAt(
  sticky: RegExp,
  text: string,
  at: number,
): {readonly end: number; readonly groups: readonly (string | undefined)[]} | undefined {
  const expression = new RegExp(sticky)
  expression.lastIndex = at
  const match = expression.exec(text)
  return match === null ? undefined : {end: expression.lastIndex, groups: match.slice(1)}
}
