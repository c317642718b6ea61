import {expect, it} from '@jest/globals'
import {REGISTRY} from '../../../src/adapters/http/failure-terms.js'
import {brokenResponse, httpFailure} from '../../../src/adapters/http/http-failure.js'

it.each([
  {
    name: 'lists them',
    subjectaltname: 'DNS:b.example.org, DNS:a.example.org, IP Address:10.0.0.1',
    want: ': 10.0.0.1, a.example.org, b.example.org',
  },
  {name: 'has none', subjectaltname: undefined, want: ''},
])('the error for a certificate of other hosts $name', ({subjectaltname, want}) => {
  const cause = Object.assign(new Error('no match'), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    cert: {subjectaltname},
  })
  const {code, message} = httpFailure({url: new URL('https://127.0.0.1:5000/'), terms: REGISTRY}, cause)
  expect({code, message}).toEqual({
    code: 'tls-refused',
    message: `TLS certificate of 127.0.0.1:5000 is not trusted: it is for another host${want}`,
  })
})

it.each([
  {
    name: 'is reset',
    error: Object.assign(new Error('read'), {code: 'ECONNRESET'}),
    want: 'connection reset by peer',
  },
  {
    name: 'ends early',
    error: Object.assign(new Error('aborted'), {code: 'ECONNRESET'}),
    want: 'connection closed before its end',
  },
])('a response that $name is retried, and is no reason to check the name of the server', ({error, want}) => {
  const {code, message, suggestions} = brokenResponse(
    {url: new URL('https://r.example.org/'), terms: REGISTRY},
    error,
  )
  expect({code, message, suggestions}).toEqual({
    code: 'registry-unreachable',
    message: `cannot read the response of r.example.org: ${want}`,
    suggestions: [REGISTRY.suggestions.silent],
  })
})
