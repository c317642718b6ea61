import {expect, it} from '@jest/globals'
import {REGISTRY} from '../../../src/adapters/http/failure-terms.js'
import {httpFailure} from '../../../src/adapters/http/http-failure.js'

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
