import {present} from '../../present.js'

/** A server in the forms that kubeconfigs use. */
export interface ServerAddress {
  /** Without user name, query and fragment; no slash at the end, unless the path is only that. */
  readonly url: URL
  /** The user name and password before the @. */
  readonly account?: Account
}

/** A user name and a password. */
export interface Account {
  readonly username: string
  readonly password: string
}

/** Reads a URL, or HOST:PORT of a server with plain HTTP, as client-go does; undefined for anything else. */
export function serverAddress(text: string): ServerAddress | undefined {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text)
  const whole = hasScheme ? text : `http://${text}`
  if (!URL.canParse(whole)) return undefined
  const url = new URL(whole)
  if (!['http:', 'https:'].includes(url.protocol) || (!hasScheme && url.pathname !== '/')) return undefined
  const account = accountOf(url)
  url.pathname = url.pathname.replace(/\/+$/, '')
  url.username = url.password = url.search = url.hash = ''
  return {url, ...present({account})}
}

/** Reads the user name and password of a URL; undefined without both, or where they are not valid escapes. */
function accountOf({username, password}: URL): Account | undefined {
  if (username === '' && password === '') return undefined
  try {
    return {username: decodeURIComponent(username), password: decodeURIComponent(password)}
  } catch {
    return undefined
  }
}
