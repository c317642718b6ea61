import {describe, expect, it} from '@jest/globals'
import {digestOf, verifiedBytes} from '../../src/fetch/verified-bytes.js'
import type {Expected} from '../../src/fetch/verified-bytes.js'

const RIGHT = ['one', 'two', 'six']
const DIGEST = digestOf(Buffer.from(RIGHT.join('')))

/** The texts that pass, and the code of the error that ends them. */
async function passed(parts: readonly string[], expected: Expected) {
  const texts: string[] = []
  try {
    for await (const chunk of verifiedBytes(chunksOf(parts), expected, 'the blob'))
      texts.push(Buffer.from(chunk).toString())
    return {texts}
  } catch (error) {
    return {texts, code: (error as {code?: string}).code}
  }
}

async function* chunksOf(parts: readonly string[]) {
  for (const part of parts) yield await Promise.resolve(Buffer.from(part))
}

describe('verifiedBytes', () => {
  const code = 'digest-mismatch'
  const both = {digest: DIGEST, size: 9}

  it.each([
    {name: 'right bytes', parts: RIGHT, expected: both, want: {texts: RIGHT}},
    {name: 'an empty chunk at the end', parts: [...RIGHT, ''], expected: both, want: {texts: [...RIGHT, '']}},
    {name: 'no size', parts: RIGHT, expected: {digest: DIGEST}, want: {texts: RIGHT}},
    {name: 'only a size', parts: ['one', 'ten'], expected: {size: 6}, want: {texts: ['one', 'ten']}},
    {
      name: 'all but the last chunk of other bytes',
      parts: ['one', 'ten', 'six'],
      expected: both,
      want: {texts: ['one', 'ten'], code},
    },
    {
      name: 'other bytes without a size, to their end',
      parts: ['one', 'ten'],
      expected: {digest: DIGEST},
      want: {texts: ['one', 'ten'], code},
    },
    {name: 'too few bytes', parts: ['one'], expected: both, want: {texts: ['one'], code}},
    {name: 'right bytes before others', parts: [...RIGHT, 'x'], expected: both, want: {texts: RIGHT, code}},
  ])('passes on $name', async ({parts, expected, want}) => {
    expect(await passed(parts, expected)).toEqual(want)
  })

  it('passes on no bytes of an empty blob whose digest differs', async () => {
    expect(await passed([], {digest: DIGEST, size: 0})).toEqual({texts: [], code})
  })
})
