/**
 * A repository's address as a page that people can open, without user, password, query and `.git`, so that all clones
 * of it say the same; empty for paths and whatever else means nothing on another machine.
 */
export function sourceUrl(remote: string): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(remote) ? remote : fromScp(remote)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !WEB.has(url.protocol) || url.hostname === '') return ''
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  if (path === '') return ''
  return url.protocol === 'http:' || url.protocol === 'https:'
    ? `${url.protocol}//${url.host}${path}`
    : `https://${url.hostname}${path}`
}

const WEB: ReadonlySet<string> = new Set(['http:', 'https:', 'ssh:', 'git:', 'git+ssh:'])

/** `user@host:path`, git's short form of an ssh address; a drive letter or a path is none. */
function fromScp(remote: string): string {
  const [, host, path] = /^(?:[^/:@]+@)?([a-z0-9.-]{2,}):\/?([^/].*)$/i.exec(remote) ?? []
  return host === undefined || path === undefined ? '' : `ssh://${host}/${path}`
}
