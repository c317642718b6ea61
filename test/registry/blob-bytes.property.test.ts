import {expect, it} from '@jest/globals'
import fc from 'fast-check'
import {CrossplaneError} from '../../src/errors.js'
import type {HttpRequest} from '../../src/http/http.js'
import {blobBytes} from '../../src/registry/blob-bytes.js'
import {Session} from '../../src/registry/session.js'
import {bytesOf, chunked} from '../fetch/fake-sources.js'
import {scriptedHttp} from '../http/scripted-http.js'
import type {Scripted} from '../http/scripted-http.js'
import {steadyClock} from '../http/steady-clock.js'

/** How one answer ends: after so many bytes, broken or as if it were complete; and whether a range is honoured. */
const interruption = fc.record({
  after: fc.nat(60),
  isClean: fc.boolean(),
  knowsRanges: fc.boolean(),
  chunk: fc.integer({min: 1, max: 20}),
})
type Interruption = typeof interruption extends fc.Arbitrary<infer T> ? T : never

it('a blob is the same, wherever its responses break off', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({maxLength: 100}),
      fc.array(interruption, {maxLength: 4}),
      async (blob, breaks) => {
        const http = scriptedHttp((request, number) => answerTo(request, blob, breaks[number - 1]))
        const session = new Session('registry.test', {
          http,
          clock: steadyClock(),
          keychain: {credentialsFor: () => Promise.resolve(undefined)},
          schemeOf: () => 'https:',
        })
        const call = {
          url: session.url('a/blobs/b'),
          scopes: [],
          aim: 'read it',
          name: 'it',
          size: blob.length,
        }
        const read = await bytesOf(blobBytes(session, call))
        // An answer that ends well and brings nothing is an end: only the digest can tell that it came too early.
        const gaveUp = breaks.some(
          ({after, isClean, knowsRanges}) => isClean && (after === 0 || !knowsRanges),
        )
        expect(read).toEqual(gaveUp ? Buffer.from(blob).subarray(0, read.length) : Buffer.from(blob))
        expect(http.asked.length).toBeLessThanOrEqual(breaks.length + 1)
      },
    ),
  )
})

const UNBROKEN: Interruption = {after: 1000, isClean: true, knowsRanges: true, chunk: 7}

function answerTo({headers}: HttpRequest, blob: Uint8Array, how: Interruption = UNBROKEN): Scripted {
  const {after, isClean, knowsRanges, chunk} = how
  const [, asked] = /^bytes=(\d+)-$/.exec(String(headers['range'] ?? '')) ?? []
  if (asked === undefined || !knowsRanges) return {body: brokenOff(blob.subarray(0, after), isClean, chunk)}
  return {
    status: 206,
    headers: {'content-range': `bytes ${asked}-${blob.length - 1}/${blob.length}`},
    body: brokenOff(blob.subarray(Number(asked)).subarray(0, after), isClean, chunk),
  }
}

async function* brokenOff(bytes: Uint8Array, isClean: boolean, chunk: number): AsyncGenerator<Uint8Array> {
  yield* chunked(bytes, chunk)
  if (!isClean) throw new CrossplaneError('registry-unreachable', 'the connection broke')
}
