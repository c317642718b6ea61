import {describe, expect, it} from '@jest/globals'
import {sendFollowing} from '../../src/registry/redirects.js'
import {outcome} from '../outcome.js'
import {scriptedHttp} from '../http/scripted-http.js'

const HOME = 'https://registry.test/v2/a/blobs/b'

/** Where a request went, and where it still had its credentials. */
async function followed(targets: readonly string[], method: 'GET' | 'PUT' = 'GET', status = 307) {
  const http = scriptedHttp((_, number) => {
    const location = targets[number - 1]
    return location === undefined ? {} : {status, headers: {location}}
  })
  const request = {method, url: new URL(HOME), headers: {authorization: 'secret', accept: 'x'}}
  const end = await outcome(async () => (await sendFollowing(http, request)).response.status)
  const went = http.asked.map(({url, headers}) => [
    url.href,
    headers['authorization'] !== undefined,
    headers['accept'],
  ])
  return {end, went: went.map(([url, isProven]) => [url, isProven])}
}

describe('a redirect', () => {
  it.each<{name: string; targets: readonly string[]; want: unknown}>([
    {name: 'none', targets: [], want: [[HOME, true]]},
    {
      name: 'on the same host',
      targets: ['/elsewhere'],
      want: [
        [HOME, true],
        ['https://registry.test/elsewhere', true],
      ],
    },
    {
      name: 'to another host',
      targets: ['https://cdn.test/b?s=1'],
      want: [
        [HOME, true],
        ['https://cdn.test/b?s=1', false],
      ],
    },
    {
      name: 'to a host of the same beginning',
      targets: ['https://registry.test.evil/b'],
      want: [
        [HOME, true],
        ['https://registry.test.evil/b', false],
      ],
    },
    {
      name: 'to another port',
      targets: ['https://registry.test:444/b'],
      want: [
        [HOME, true],
        ['https://registry.test:444/b', false],
      ],
    },
    {
      name: 'away and back',
      targets: ['https://cdn.test/b', 'https://registry.test/c'],
      want: [
        [HOME, true],
        ['https://cdn.test/b', false],
        ['https://registry.test/c', false],
      ],
    },
  ])('$name does not get credentials', async ({targets, want}) => {
    expect(await followed(targets)).toEqual({end: 200, went: want})
  })

  it.each<{name: string; targets: readonly string[]; method?: 'PUT'; status?: number}>([
    {name: 'to plain HTTP', targets: ['http://registry.test/b']},
    {name: 'with a password', targets: ['https://a:b@registry.test/b']},
    {name: 'to a file', targets: ['file:///etc/passwd']},
    {name: 'to no URL', targets: ['https://[']},
    {name: 'to itself', targets: [HOME]},
    {name: 'of an upload to another host', targets: ['https://cdn.test/b'], method: 'PUT'},
    {name: 'of an upload that makes it another request', targets: ['/elsewhere'], method: 'PUT', status: 302},
  ])('$name is not followed', async ({targets, method, status}) => {
    const {end, went} = await followed(targets, method, status)
    expect({end, requests: went.length}).toEqual({end: 'registry-failed', requests: 1})
  })

  it('of an upload is followed at the same origin', async () => {
    expect(await followed(['/elsewhere'], 'PUT')).toMatchObject({end: 200})
  })
})
