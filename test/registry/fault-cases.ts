import type {Diagnostic} from '../fakes/faulty-registry.js'
import {OCI} from '../fetch/image-parts.js'
import {
  LAYER,
  MANIFEST,
  PINNED,
  TOKEN,
  all,
  at,
  bytes,
  cut,
  ended,
  first,
  headers,
  lost,
  redirect,
  status,
} from './faults.js'

/** Secrets that nothing may repeat. */
export const CANARIES = {password: 'canary-of-a-password-1612', token: 'canary-of-a-token-1613'}

/** One thing that goes wrong while a package of one layer is pulled, and how that ends. */
export interface FaultCase {
  readonly name: string
  readonly fault: Diagnostic
  /** `success`, or the code of the failure. */
  readonly want: string
  /** Requests to the registry and its token endpoint; without a fault there are three: tag, manifest, layer. */
  readonly requests: number
  /** Milliseconds slept in all, where that is the point. */
  readonly slept?: number
  /** False where not even what the tag leads to is found out; true if nothing is said. */
  readonly resolves?: boolean
}

const sells = at(TOKEN, status(200, {}, JSON.stringify({token: CANARIES.token})))
const asksForToken: Diagnostic = (answer, {authorization, origin}) =>
  authorization === undefined
    ? status(401, {'www-authenticate': `Bearer realm="${origin}/token",service="tests"`})(answer, never)
    : answer
const never = {method: '', path: '', number: 0, authorization: undefined, origin: ''}
const guarded = all(at(MANIFEST, asksForToken), at(LAYER, asksForToken))
const basic = {'www-authenticate': 'Basic realm="tests"'}
const repeats: Diagnostic = (answer, {authorization = ''}) => {
  const errors = [{code: 'DENIED', message: `you sent ${authorization}`}]
  return authorization === '' ? answer : status(403, {}, JSON.stringify({errors}))(answer, never)
}
const isHtml = status(200, {'content-type': 'text/html; charset=utf-8'}, '<html>Log in</html>')
const realm = (url: string) => at(MANIFEST, status(401, {'www-authenticate': `Bearer realm="${url}"`}))
const typed = (type: string) => at(MANIFEST, headers({'content-type': type}))

export const FAULT_CASES: readonly FaultCase[] = [
  {name: 'nothing', fault: answer => answer, want: 'success', requests: 3},

  {
    name: '401 without end, to a password',
    fault: at(MANIFEST, status(401, basic)),
    want: 'access-denied',
    requests: 3,
    resolves: false,
  },
  {
    name: '401 without end, to a token',
    fault: all(
      sells,
      at(MANIFEST, (answer, {origin}) =>
        status(401, {'www-authenticate': `Bearer realm="${origin}/token"`})(answer, never),
      ),
    ),
    want: 'access-denied',
    requests: 5,
    resolves: false,
  },
  {
    name: '401 without a challenge',
    fault: at(MANIFEST, status(401)),
    want: 'access-denied',
    requests: 2,
    resolves: false,
  },
  {
    name: '401 with garbage for a challenge',
    fault: at(MANIFEST, status(401, {'www-authenticate': `Bearer ${'"='.repeat(2000)}, ,=,`})),
    want: 'registry-failed',
    requests: 1,
    resolves: false,
  },
  {name: '403', fault: at(LAYER, status(403)), want: 'access-denied', requests: 3},
  {
    name: '403 that repeats a token',
    fault: all(guarded, sells, at(MANIFEST, repeats)),
    want: 'access-denied',
    requests: 4,
    resolves: false,
  },
  {
    name: '403 that repeats a password',
    fault: at(MANIFEST, (answer, request) =>
      request.authorization === undefined ? status(401, basic)(answer, request) : repeats(answer, request),
    ),
    want: 'access-denied',
    requests: 3,
    resolves: false,
  },
  {name: '404', fault: at(MANIFEST, status(404)), want: 'not-found', requests: 3, resolves: true},

  {name: 'a token for both', fault: all(guarded, sells), want: 'success', requests: 5},
  {
    name: 'a token that expires between the two',
    fault: all(
      sells,
      guarded,
      at(first(LAYER), (answer, {origin}) =>
        status(401, {'www-authenticate': `Bearer realm="${origin}/token"`})(answer, never),
      ),
      at({...TOKEN, number: number => number === 2}, status(200, {}, '{"access_token":"another"}')),
    ),
    want: 'success',
    requests: 7,
  },
  {
    name: 'a token with a line break',
    fault: all(guarded, at(TOKEN, status(200, {}, '{"token":"a\\r\\nb"}'))),
    want: 'registry-failed',
    requests: 2,
    resolves: false,
  },
  {
    name: 'an invalid token answer',
    fault: all(guarded, at(TOKEN, isHtml)),
    want: 'registry-failed',
    requests: 2,
    resolves: false,
  },
  {
    name: 'a token answer without one',
    fault: all(guarded, at(TOKEN, status(200, {}, '{}'))),
    want: 'registry-failed',
    requests: 2,
    resolves: false,
  },
  {
    name: 'a token answer of a megabyte',
    fault: all(guarded, at(TOKEN, status(200, {}, ' '.repeat(2 ** 20)))),
    want: 'limit-exceeded',
    requests: 2,
    resolves: false,
  },
  {
    name: 'a token refused',
    fault: all(guarded, at(TOKEN, status(401))),
    want: 'access-denied',
    requests: 2,
    resolves: false,
  },
  {
    name: 'a token endpoint that is down for a moment',
    fault: all(guarded, sells, at(first(TOKEN), status(503))),
    want: 'success',
    requests: 6,
  },
  {
    name: 'a realm that is a file',
    fault: realm('file:///etc/passwd'),
    want: 'registry-failed',
    requests: 1,
    resolves: false,
  },
  {
    name: 'a realm with a password',
    fault: realm('http://a:b@127.0.0.1/token'),
    want: 'registry-failed',
    requests: 1,
    resolves: false,
  },
  {
    name: 'an endless realm',
    fault: realm(`http://127.0.0.1/${'a'.repeat(3000)}`),
    want: 'registry-failed',
    requests: 1,
    resolves: false,
  },

  {
    name: '429 without end',
    fault: at(MANIFEST, status(429)),
    want: 'registry-failed',
    requests: 5,
    resolves: false,
    slept: 7500,
  },
  {
    name: '429 twice, and for how long',
    fault: at(first(PINNED, 2), status(429, {'retry-after': '7'})),
    want: 'success',
    requests: 5,
    slept: 15_500,
  },
  {
    name: '429 until a date',
    fault: at(first(LAYER), status(429, {'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT'})),
    want: 'success',
    requests: 4,
    slept: 30_500,
  },
  {
    name: '429 for an hour',
    fault: at(MANIFEST, status(429, {'retry-after': '3600'})),
    want: 'registry-failed',
    requests: 1,
    resolves: false,
    slept: 0,
  },
  {
    name: '429 with nonsense',
    fault: at(first(PINNED), status(429, {'retry-after': 'soon'})),
    want: 'success',
    requests: 4,
    slept: 500,
  },
  {name: '500 without end', fault: at(LAYER, status(500)), want: 'registry-failed', requests: 7},
  {name: 'no answer at all, once', fault: at(first(PINNED), lost), want: 'success', requests: 4},
  {
    name: 'no answer at all',
    fault: at(MANIFEST, lost),
    want: 'registry-unreachable',
    requests: 5,
    resolves: false,
  },
  {
    name: '502, 503 and 504 once each',
    fault: at(first(PINNED, 3), (answer, request) => status(501 + request.number)(answer, request)),
    want: 'success',
    requests: 6,
  },
  {name: '520, of a proxy, once', fault: at(first(PINNED), status(520)), want: 'success', requests: 4},
  {name: '505', fault: at(MANIFEST, status(505)), want: 'registry-failed', requests: 1, resolves: false},
  {name: '501', fault: at(MANIFEST, status(501)), want: 'registry-failed', requests: 2, resolves: false},
  {name: '418', fault: at(MANIFEST, status(418)), want: 'registry-failed', requests: 2, resolves: false},

  {name: 'a reset in the manifest', fault: at(first(MANIFEST), cut(50)), want: 'success', requests: 4},
  {name: 'a reset in the layer', fault: at(first(LAYER), cut(30_000)), want: 'success', requests: 4},
  {
    name: 'resets in the layer without end',
    fault: at(LAYER, cut(1000)),
    want: 'registry-unreachable',
    requests: 7,
  },
  {
    name: 'a reset, and another part',
    fault: all(
      at(first(LAYER), cut(30_000)),
      at({...LAYER, number: number => number > 1}, headers({'content-range': 'bytes 1-2/3'})),
    ),
    want: 'registry-failed',
    requests: 4,
  },
  {
    name: 'a layer that ends early once',
    fault: at(first(LAYER), ended(30_000)),
    want: 'success',
    requests: 4,
  },
  {
    name: 'a layer that always ends early',
    fault: at(LAYER, ended(1000)),
    want: 'registry-unreachable',
    requests: 7,
  },
  {name: 'a layer that ends at once', fault: at(LAYER, ended(0)), want: 'digest-mismatch', requests: 3},
  {
    name: 'a layer that is longer',
    fault: at(
      LAYER,
      bytes(body => Buffer.concat([body, body])),
    ),
    want: 'digest-mismatch',
    requests: 3,
  },
  {name: 'a manifest that ends early', fault: at(MANIFEST, ended(50)), want: 'digest-mismatch', requests: 2},
  {
    name: 'a manifest that is longer',
    fault: at(
      MANIFEST,
      bytes(body => Buffer.concat([body, body])),
    ),
    want: 'digest-mismatch',
    requests: 2,
  },

  {
    name: 'another digest in the header',
    fault: at(PINNED, headers({'docker-content-digest': `sha256:${'0'.repeat(64)}`})),
    want: 'digest-mismatch',
    requests: 2,
  },
  {
    name: 'another digest for the tag',
    fault: at(MANIFEST, headers({'docker-content-digest': `sha256:${'0'.repeat(64)}`})),
    want: 'not-found',
    requests: 2,
  },
  {
    name: 'no digest in the header',
    fault: at(MANIFEST, headers({'docker-content-digest': undefined})),
    want: 'success',
    requests: 4,
  },
  {
    name: 'other bytes in the layer',
    fault: at(
      LAYER,
      bytes(body => Buffer.from(body.map(byte => byte ^ 1))),
    ),
    want: 'digest-mismatch',
    requests: 3, // the only chunk is not passed on, so nothing was parsed
  },
  {name: 'a generic type', fault: typed('text/plain'), want: 'success', requests: 3},
  {
    name: 'the type of an index',
    fault: typed('application/vnd.oci.image.index.v1+json'),
    want: 'source-invalid',
    requests: 2,
  },
  {
    name: 'the type of something else',
    fault: typed('application/vnd.cncf.helm.config.v1+json'),
    want: 'source-invalid',
    requests: 2,
  },

  {
    name: 'a redirect to itself',
    fault: at(
      LAYER,
      redirect(({path}) => path),
    ),
    want: 'registry-failed',
    requests: 3,
  },
  {
    name: 'redirects in a circle',
    fault: at(
      LAYER,
      redirect(({path, number}) => `${path}?${number % 2 === 0 ? '' : 'other'}`),
    ),
    want: 'registry-failed',
    requests: 5,
  },
  {
    name: 'redirects without end',
    fault: at(
      LAYER,
      redirect(({path, number}) => `${path}?${number}`),
    ),
    want: 'registry-failed',
    requests: 8,
  },
  {name: 'a redirect to nowhere', fault: at(LAYER, status(302)), want: 'registry-failed', requests: 3},
  {
    name: 'a redirect to a file',
    fault: at(
      LAYER,
      redirect(() => 'file:///etc/passwd'),
    ),
    want: 'registry-failed',
    requests: 3,
  },

  {
    name: 'a manifest of 10 MB',
    fault: at(
      MANIFEST,
      bytes(() => Buffer.alloc(10_000_000, ' ')),
    ),
    want: 'limit-exceeded',
    requests: 2,
  },
  {
    name: 'a web page for a manifest',
    fault: at(MANIFEST, isHtml),
    want: 'registry-failed',
    requests: 2,
    resolves: false,
  },
  {name: 'a web page for a layer', fault: at(LAYER, isHtml), want: 'digest-mismatch', requests: 4},
  {
    name: 'garbage for a manifest',
    fault: at(MANIFEST, status(200, {'content-type': OCI.manifest}, '{"schemaVersion": 2, ')),
    want: 'source-invalid',
    requests: 3,
  },
]
