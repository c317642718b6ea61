// Loaded before a program: a bug that shows itself when a secret is sent.
const http = require('node:http')
const {syncBuiltinESMExports} = require('node:module')

const {request} = http
/** @type {(...args: any[]) => http.ClientRequest} */
http.request = (options, ...rest) => {
  if (options.headers?.authorization !== undefined) throw new TypeError('a bug of a test')
  return request(options, ...rest)
}
syncBuiltinESMExports()
