import {describe, expect, it} from '@jest/globals'
import {canary, disguises} from './canary.js'

describe('the encodings of a secret', () => {
  const secret = canary('found')
  it.each([
    {name: 'as it is', in: `Error: ${secret}!`},
    {name: 'in a URL', in: `https://anna:${encodeURIComponent(secret)}@example.org`},
    {name: 'in hex', in: Buffer.from(`x${secret}`).toString('hex')},
    {name: 'in a header', in: `Basic ${Buffer.from(`anna:${secret}`).toString('base64')}`},
    {name: 'in base64, two bytes further', in: Buffer.from(`annaxy:${secret} and more`).toString('base64')},
    {name: 'in base64, one byte further', in: Buffer.from(`anna-m:${secret}a`).toString('base64')},
    {name: 'in base64 of URLs', in: Buffer.from(`??>${secret}`).toString('base64url')},
  ])('$name', ({in: text}) => {
    expect(disguises(secret).some(each => text.includes(each))).toBe(true)
    expect(disguises(canary('found')).some(each => text.includes(each))).toBe(false)
  })
})
