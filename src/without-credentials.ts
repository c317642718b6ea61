/**
 * A scheme, and a user and password. After a `:`, a password can have any character, such as a `/` after digits, which git
 * takes for a port: it ends at the last `@`, which can also be one of a path. What begins with an IP address has no user.
 */
const WITH_CREDENTIALS =
  /([a-z][a-z0-9+.-]{0,30}:\/\/)(?!(?:\[[^\]\s]*\]|(?:\d+\.){3}\d+):\d+\/)(?:\/*[^/\s:]*:\S{0,4096}@|[^/\s]*@)/gi

/** The query of a URL, which can have a token. */
const QUERY = /([a-z][a-z0-9+.-]{0,30}:\/\/[^\s?#'"]{1,4096})\?[^\s'"]*/gi

/**
 * Returns a text in which no URL has a user, a password or a query. What precedes an `@` in its path can be missing as well.
 */
export function withoutCredentials(text: string): string {
  return text.replace(WITH_CREDENTIALS, '$1').replace(QUERY, '$1?***')
}
