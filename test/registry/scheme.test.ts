import {describe, expect, it} from '@jest/globals'
import {encryptedAbroad} from '../../src/registry/scheme.js'
import {outcome} from '../outcome.js'
import {scriptedHttp} from '../http/scripted-http.js'

describe('without --plain-http, a request', () => {
  it.each<{url: string; reason: string; want: number | string}>([
    {url: 'https://registry.test/v2/', reason: 'it is encrypted', want: 200},
    {url: 'http://127.0.0.1:5000/v2/', reason: 'it stays on the host', want: 200},
    {url: 'http://localhost:5000/v2/', reason: 'it stays on the host', want: 200},
    {url: 'http://[::1]:5000/v2/', reason: 'it stays on the host', want: 200},
    {url: 'http://registry.test/v2/', reason: 'plain HTTP can be intercepted', want: 'registry-failed'},
    {url: 'http://192.0.2.7/token', reason: 'plain HTTP can be intercepted', want: 'registry-failed'},
    {url: 'http://127.0.0.1.test/', reason: 'a name only looks like home', want: 'registry-failed'},
  ])('to $url: $reason', async ({url, want}) => {
    const asked = scriptedHttp(() => ({}))
    const http = encryptedAbroad(asked)
    const send = async () => (await http.send({method: 'GET', url: new URL(url), headers: {}})).status
    expect(await outcome(send)).toBe(want)
    expect(asked.asked).toHaveLength(want === 200 ? 1 : 0)
  })
})
