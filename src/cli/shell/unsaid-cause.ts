/**
 * Returns the cause of a failure in the words of the program, unless the message states it. Texts of Node.js (`connect
 * ECONNREFUSED …`) are for the JSON and for `--debug`.
 */
export function unsaidCause(message: string, cause: string | undefined): string | undefined {
  if (cause === undefined) return undefined
  const words = OF_GIT.test(cause) ? unsaidLines(message, cause) : inWords(cause)
  const isSaid = words === '' || message.includes(words) || isAnswerIn(message, words)
  return isSaid ? undefined : words
}

/** The output of git, which can have several lines. */
const OF_GIT = /^(?:fatal|error): /m

/** Lines of git around a reason: what it was doing, and what it says of each remote repository that it cannot read. */
const AROUND =
  /^(?:fatal: Could not read from remote repository\.|Please make sure you have the correct access rights|and the repository exists\.|error: failed to push some refs to .*|To .*|Done|!\s.*\[(?:remote )?rejected\].*)?$/

/** Returns the lines of git that the message does not have. */
function unsaidLines(message: string, output: string): string {
  const lines = output.split(/[\r\n]+/).map(line => line.trim())
  const unsaid = lines.filter(line => !AROUND.test(line) && !message.includes(withoutSource(line)))
  return unsaid.map(withoutSource).join('\n')
}

function withoutSource(line: string): string {
  return line.replace(/^(?:fatal|error|remote): */, '')
}

/** The words of Node.js and OpenSSL for what messages state in others. */
const WORDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^(?:getaddrinfo|queryA\w*) (?:ENOTFOUND|EAI_NONAME)\b/, 'no such host'],
  [/^getaddrinfo EAI_AGAIN\b/, 'temporary failure in name resolution'],
  [/^\w+ ECONNREFUSED\b/, 'connection refused'],
  [/^(?:socket hang up$|\w+ ECONNRESET\b|Client network socket disconnected)/, 'connection reset by peer'],
  [/^\w+ ETIMEDOUT\b/, 'connection timed out'],
  [/^\w+ EHOSTUNREACH\b/, 'no route to host'],
  [/^\w+ ENETUNREACH\b/, 'network is unreachable'],
  [/^spawn .*\bENOENT$/, 'program not found'],
  [/^spawn .*\bEACCES$/, 'permission denied'],
  [/^Unexpected end of JSON input$/, 'not valid JSON'],
  [
    /^[A-Z"].*(?:(?: in| after) JSON at position \d+(?: \(line \d+ column \d+\))?| is not valid JSON)$/s,
    'not valid JSON',
  ],
  [/^EISDIR: /, 'is a directory'],
  [/^EEXIST: /, 'file exists'],
  [/^the answer to the TLS handshake is not TLS$/, 'does not support TLS'],
]

function inWords(cause: string): string {
  const [, words] = WORDS.find(([pattern]) => pattern.test(cause)) ?? []
  return words ?? systemReason(cause) ?? tlsReason(cause) ?? cause
}

/** The words of a system error, without its code, call and path: `ENOENT: no such file or directory, open 'x'`. */
export function systemReason(cause: string): string | undefined {
  return /^E[A-Z]+: ([^,]+), \w+(?: '|$)/.exec(cause)?.[1]
}

/** The reason of OpenSSL, without its numbers and files. */
function tlsReason(cause: string): string | undefined {
  return /:SSL routines:[^:]*:([^:]+):/.exec(cause)?.[1]
}

/** `GET URL: status 403; "reason"`, where the message states the reason. */
const ANSWER = /^[A-Z]+ \S+: status \d{3}; ("(?:[^"\\]|\\.)*")$/
/** What Kubernetes says of a permission that a user lacks, maybe shortened; a reason of an authorizer may follow. */
const FORBIDDEN =
  /^(?:.+ is )?forbidden: User "([^"]+)" cannot (?:.*…|\w+ path "[^"]*"|\w+ resource "[^"]*" in API group "[^"]*"(?: in the namespace "[^"]*"| at the cluster scope)?)$/

function isAnswerIn(message: string, cause: string): boolean {
  const text = ANSWER.exec(cause)?.[1]
  if (text === undefined) return false
  const user = FORBIDDEN.exec(textOf(text))?.[1]
  return (
    message.includes(text) || (user !== undefined && message.includes(`user ${JSON.stringify(user)} cannot`))
  )
}

function textOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}
