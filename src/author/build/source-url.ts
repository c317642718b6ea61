/**
 * Returns the web address of a remote, without user, password, query and `.git`, so that it is the same for all
 * clones; empty for paths and other remotes that are local to a machine.
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

/**
 * Reads `user@host:path`, git's short form of an ssh address; not a drive letter or a path. In `user:token@host:path`, git
 * takes `user` as the host, and the token would be published as part of the path.
 */
function fromScp(remote: string): string {
  const [, host, path] = /^(?:[^/:@]+@)?([a-z0-9.-]{2,}):\/?([^/].*)$/i.exec(remote) ?? []
  return host === undefined || path === undefined || /[@:]/.test(path) ? '' : `ssh://${host}/${path}`
}
