import {CrossplaneError} from '../../errors.js'
import {discard} from './failed-answer.js'
import type {Http, HttpRequest, HttpResponse} from './http.js'
import {shownUrl} from './shown-url.js'

/** Registries redirect once, to where blobs are stored, and that place once more at most. */
const MAX_REDIRECTS = 5

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/** An answer, and which server gave it. */
export interface Followed {
  readonly response: HttpResponse
  readonly url: URL
}

/**
 * Sends a request and goes where its answer points. `Authorization` stays with the origin that it was meant for: once
 * another has been asked it is gone, also on the way back. What changes a registry is repeated at the same origin
 * alone. `registry-failed` for circles, too many steps, and ways from HTTPS to anything less.
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
    if (seen.has(next.url.href)) throw refused(request, 'in a circle')
    if (seen.size > MAX_REDIRECTS) throw refused(request, 'from place to place')
  }
}

function redirected(request: HttpRequest, {status, headers}: HttpResponse): HttpRequest {
  const url = locationOf(headers['location'], request.url, 'a redirect')
  const isSame = url.origin === request.url.origin
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead && (!isSame || status < 307)) throw refused(request, 'with what it is to store')
  const {authorization: _left, ...others} = request.headers
  return {...request, url, headers: isSame ? request.headers : others}
}

/**
 * Where a `Location` leads, seen from the URL that answered with it. Throws `registry-failed` for none, for schemes
 * other than HTTP, from HTTPS to HTTP, and for one with a password in it. `what` names it: "a redirect".
 */
export function locationOf(location: string | undefined, from: URL, what: string): URL {
  const isUrl = location !== undefined && URL.canParse(location, from.href)
  const url = isUrl ? new URL(location, from.href) : undefined
  if (url !== undefined && isSafeFrom(from, url)) return url
  // Without the place: a server may write there what it was shown.
  const how = url === undefined ? 'nowhere' : 'to where it is not safe to go'
  throw new CrossplaneError('registry-failed', `${from.host} answered with ${what} ${how}.`)
}

/** Whether a server may send us on to a URL: by HTTP, not from HTTPS to less, and without a password of its own. */
export function isSafeFrom(from: URL, {protocol, username, password}: URL): boolean {
  const isHttp = protocol === 'https:' || (protocol === 'http:' && from.protocol === 'http:')
  return isHttp && username === '' && password === ''
}

function refused({url}: HttpRequest, how: string): CrossplaneError {
  return new CrossplaneError('registry-failed', `${url.host} sends us ${how}: ${shownUrl(url)}.`)
}
