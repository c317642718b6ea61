import {CrossplaneError} from '../errors.js'

/** RFC 8288, as far as registries use it: `</v2/team/package/tags/list?last=v1&n=100>; rel="next"`, among others. */
const LINKS = /<([^<>\s]{1,4096})>([^<>]*)/g
const IS_NEXT = /;\s*rel\s*=\s*"?next"?\s*(?:$|[,;])/i

/**
 * Returns the URL of the next page in a `Link` header, if there is one. Throws `registry-failed` if it is at another host.
 */
export function nextPage(link: string | undefined, aim: string, url: URL): URL | undefined {
  if (link === undefined) return undefined
  const [, target] = [...link.matchAll(LINKS)].find(([, , parameters = '']) => IS_NEXT.test(parameters)) ?? []
  if (target === undefined) return undefined
  const next = URL.canParse(target, url.href) ? new URL(target, url.href) : undefined
  if (next?.origin === url.origin && next.username === '' && next.password === '') return next
  throw new CrossplaneError('registry-failed', `cannot ${aim}: the next page ${whatIsWrong(next, url)}`)
}

function whatIsWrong(next: URL | undefined, {origin}: URL): string {
  if (next === undefined) return 'has an invalid URL'
  return next.origin === origin ? 'has a password in its URL' : `is at ${next.origin}, not at ${origin}`
}
