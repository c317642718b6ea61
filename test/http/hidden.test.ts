import {describe, expect, it} from '@jest/globals'
import {hidden} from '../../src/http/hidden.js'

const [HEADER, CLAIMS, SIGNATURE] = [
  'eyJhbGciOiJFUzI1NiJ9',
  'eyJzdWIiOiJhZGFAZXhhbXBsZS5vcmcifQ',
  'c2lnbmF0dXJlLW9m',
]
const TOKEN = [HEADER, CLAIMS, SIGNATURE].join('.')

describe('a text of a server', () => {
  it.each([
    {name: 'the whole secret', in: `invalid ${TOKEN}!`, want: 'invalid ***!'},
    {name: 'a segment of a token', in: `claims ${CLAIMS}, not valid`, want: 'claims ***, not valid'},
    {name: 'two segments', in: `${HEADER} and ${SIGNATURE}`, want: '*** and ***'},
    {name: 'the beginning', in: `token "${TOKEN.slice(0, 30)}..."`, want: 'token "***..."'},
    {name: 'a part in the middle', in: `near ${TOKEN.slice(25, 45)}`, want: 'near ***'},
    {name: 'no part', in: 'the token has expired', want: 'the token has expired'},
    {name: 'a word that a secret has, too', in: 'eyJhbGci is JSON', want: 'eyJhbGci is JSON'},
  ])('has no secret: $name', ({in: text, want}) => {
    expect(hidden(text, [TOKEN])).toBe(want)
  })

  it('keeps words that are as short as a short secret', () => {
    expect(hidden('no such user: pw', ['pw', ''])).toBe('no such user: pw')
    expect(hidden('user password-1', ['password-1'])).toBe('user ***')
  })

  it('is read in time, however long it and the secret are', () => {
    const secret = 'ab'.repeat(4000)
    expect(hidden(`${'ab'.repeat(2000)}c`, [secret])).toBe('***c')
  })
})
