import {CrossplaneError} from '../errors.js'
import {discard} from '../http/failed-answer.js'
import type {Http, HttpRequest, HttpResponse} from '../http/http.js'
import {shownUrl} from '../http/shown-url.js'

/** Registries redirect once, to the storage of blobs, which redirects once more at most. */
const MAX_REDIRECTS = 5

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/** A response and its URL. */
export interface Followed {
  readonly response: HttpResponse
  readonly url: URL
}

/**
 * Sends a request and follows redirects. `Authorization` is sent only to its own origin, and no longer after another
 * origin was contacted. Requests that change a registry are repeated only at the same origin. Throws `registry-failed`
 * for loops, too many redirects, and redirects from HTTPS to HTTP.
 */
export async function sendFollowing(http: Http, request: HttpRequest): Promise<Followed> {
  const seen = new Set<string>()
  let next = request
  for (;;) {
    seen.add(next.url.href)
    const response = await http.send(next)
    if (!REDIRECTS.includes(response.status)) return {response, url: next.url}
    await discard(response)
    next = redirected(next, response)
    if (seen.has(next.url.href)) throw badRedirect(request, 'redirects in a loop')
    if (seen.size > MAX_REDIRECTS) throw badRedirect(request, 'redirects too often')
  }
}

function redirected(request: HttpRequest, {status, headers}: HttpResponse): HttpRequest {
  const url = locationOf(headers['location'], request.url, 'a redirect')
  const isSame = url.origin === request.url.origin
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead && (!isSame || status < 307)) throw badRedirect(request, 'redirects a request that changes it')
  const {authorization: _left, ...others} = request.headers
  return {...request, url, headers: isSame ? request.headers : others}
}

/**
 * Resolves a `Location` against the URL of its response. Throws `registry-failed` for none, for schemes other than
 * HTTP, from HTTPS to HTTP, and for a URL with a password. `what` names it: "a redirect".
 */
export function locationOf(location: string | undefined, from: URL, what: string): URL {
  const isUrl = location !== undefined && URL.canParse(location, from.href)
  const url = isUrl ? new URL(location, from.href) : undefined
  if (url !== undefined && isSafeFrom(from, url)) return url
  // Without the URL, in which the server may repeat what was sent.
  const how = url === undefined ? 'without a valid URL' : 'to plain HTTP or a URL with a password'
  throw new CrossplaneError('registry-failed', `${from.host} answered with ${what} ${how}`)
}

/** Reports whether a redirect is allowed: HTTP, not from HTTPS to plain HTTP, and without a password in the URL. */
export function isSafeFrom(from: URL, {protocol, username, password}: URL): boolean {
  const isHttp = protocol === 'https:' || (protocol === 'http:' && from.protocol === 'http:')
  return isHttp && username === '' && password === ''
}

function badRedirect({url}: HttpRequest, how: string): CrossplaneError {
  return new CrossplaneError('registry-failed', `${url.host} ${how}: ${shownUrl(url)}`)
}
