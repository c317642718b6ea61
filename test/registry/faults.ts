import type {Answer, Diagnostic, Passing} from '../fakes/faulty-registry.js'

/** Which requests go wrong: those to a path, all of them or some by number. */
export interface Where {
  readonly path: RegExp
  readonly number?: (number: number) => boolean
}

export const MANIFEST: Where = {path: /\/manifests\//}
export const PINNED: Where = {path: /\/manifests\/sha256:/}
export const LAYER: Where = {path: /\/blobs\//}
export const TOKEN: Where = {path: /^\/token$/}

/** The same, only so many times or only once. */
export const first = (where: Where, times = 1): Where => ({...where, number: number => number <= times})

/** A fault at some requests. */
export function at({path, number = () => true}: Where, change: Diagnostic): Diagnostic {
  return (answer, request) =>
    path.test(request.path) && number(request.number) ? change(answer, request) : answer
}

/** Several faults, one after the other. */
export function all(...diagnostics: readonly Diagnostic[]): Diagnostic {
  return (answer, request) => diagnostics.reduce((changed, fault) => fault(changed, request), answer)
}

/** An answer of the proxy's own. */
export function status(code: number, headers: Answer['headers'] = {}, body = ''): Diagnostic {
  return () => ({status: code, headers, body: Buffer.from(body)})
}

/** The answer with other bytes and no word of how many. */
export function bytes(change: (body: Buffer) => Buffer): Diagnostic {
  return answer => {
    const {'content-length': _length, ...headers} = answer.headers
    return {...answer, headers, body: change(answer.body)}
  }
}

/** The beginning of the answer, and then a reset connection. What has no body cannot break off in it. */
export const cut =
  (length: number): Diagnostic =>
  (answer, {method}) =>
    method === 'HEAD' ? answer : {...answer, body: answer.body.subarray(0, length), isCut: true}

/** No answer, although the request was carried out. */
export const lost: Diagnostic = answer => ({...answer, isLost: true})

/** The beginning of the answer, ended as if it were all. */
export const ended = (length: number): Diagnostic => bytes(body => body.subarray(0, length))

/** The answer with other headers; undefined leaves one out. */
export const headers =
  (changed: Answer['headers']): Diagnostic =>
  answer => ({
    ...answer,
    headers: Object.fromEntries(
      Object.entries({...answer.headers, ...changed}).filter(([, value]) => value !== undefined),
    ),
  })

export const redirect =
  (target: (request: Passing) => string): Diagnostic =>
  (answer, request) =>
    status(307, {location: target(request)})(answer, request)
