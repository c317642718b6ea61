// Imported before a program: a bug that shows itself when a secret is sent.
import http from 'node:http'
import {syncBuiltinESMExports} from 'node:module'

const {request} = http
/** @type {(...args: any[]) => http.ClientRequest} */
http.request = (options, ...rest) => {
  if (options.headers?.authorization !== undefined) throw new TypeError('a bug of a test')
  return request(options, ...rest)
}
syncBuiltinESMExports()
