import {describe, expect, it} from '@jest/globals'
import {text} from 'node:stream/consumers'
import {pacedHttp} from '../../src/http/pace.js'
import {chunked} from '../fetch/fake-sources.js'
import {outcome} from '../outcome.js'
import {scriptedHttp} from './scripted-http.js'
import {steadyClock} from './steady-clock.js'

describe('the minimum pace of a response', () => {
  it.each([
    {name: 'fast', reason: 'a chunk each second', step: 500, idleMs: {}, want: 'xyz'},
    {name: 'slow', reason: 'a chunk each minute', step: 60_000, idleMs: {}, want: 'timeout'},
    {name: 'a watch', reason: 'quiet is normal', step: 60_000, idleMs: {idleMs: 600_000}, want: 'xyz'},
  ])('$name: $reason', async ({step, idleMs, want}) => {
    const http = pacedHttp(
      scriptedHttp(() => ({body: chunked(Buffer.from('xyz'), 1)})),
      steadyClock(step),
    )
    const url = new URL('https://server.example.org/')
    const {body} = await http.send({method: 'GET', url, headers: {}, ...idleMs})
    expect(await outcome(() => text(body))).toBe(want)
  })
})
