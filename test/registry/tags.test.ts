import {describe, expect, it} from '@jest/globals'
import {ociRegistry} from '../../src/registry/oci-registry.js'
import {outcome} from '../outcome.js'
import {scriptedHttp} from '../http/scripted-http.js'
import type {Scripted} from '../http/scripted-http.js'
import {steadyClock} from '../http/steady-clock.js'

async function listed(answer: (page: number) => Scripted, step = 0) {
  const http = scriptedHttp((_, number) => answer(number))
  const client = ociRegistry({
    http,
    keychain: {credentialsFor: () => Promise.resolve(undefined)},
    clock: steadyClock(step),
    schemeOf: () => 'https:',
  })
  const tags: string[] = []
  const end = await outcome(async () => {
    for await (const tag of client.tags({registry: 'registry.test', path: 'a'})) tags.push(tag)
    return 'all'
  })
  return {end, tags, requests: http.asked.length}
}

const page = (body: unknown, link?: string): Scripted => ({
  body: JSON.stringify(body),
  headers: link === undefined ? {} : {link},
})

describe('the error for a next page', () => {
  it.each([
    {link: 'https://evil.test/', want: 'is at https://evil.test, not at https://registry.test'},
    {link: 'http://registry.test/', want: 'is at http://registry.test, not at https://registry.test'},
    {link: 'https://a:b@registry.test/', want: 'has a password in its URL'},
    {link: 'https://[', want: 'has an invalid URL'},
  ])('says what is wrong with $link', async ({link, want}) => {
    const http = scriptedHttp(() => page({tags: ['b']}, `<${link}>; rel="next"`))
    const client = ociRegistry({
      http,
      keychain: {credentialsFor: () => Promise.resolve(undefined)},
      clock: steadyClock(0),
      schemeOf: () => 'https:',
    })
    const read = async () => {
      for await (const tag of client.tags({registry: 'registry.test', path: 'a'})) expect(tag).toBe('b')
    }
    await expect(read()).rejects.toMatchObject({
      message: expect.stringMatching(`the next page ${want.replaceAll('.', '[.]')}$`),
    })
  })
})

describe('tags', () => {
  it.each<{name: string; pages: readonly Scripted[]; want: unknown}>([
    {name: 'none', pages: [page({tags: []})], want: {end: 'all', tags: [], requests: 1}},
    {name: 'null', pages: [page({name: 'a', tags: null})], want: {end: 'all', tags: [], requests: 1}},
    {
      name: 'two pages',
      pages: [page({tags: ['b']}, '</v2/a/tags/list?last=b&n=1>; rel="next"'), page({tags: ['a']})],
      want: {end: 'all', tags: ['b', 'a'], requests: 2},
    },
    {
      name: 'a link by its whole URL, without quotes',
      pages: [
        page({tags: ['b']}, '<https://registry.test/v2/a/tags/list?last=b>;rel=next'),
        page({tags: ['a']}),
      ],
      want: {end: 'all', tags: ['b', 'a'], requests: 2},
    },
    {
      name: 'a link behind another, with more parameters',
      pages: [
        page(
          {tags: ['b']},
          '</v2/a/tags/list>; rel="prev", </v2/a/tags/list?last=b>; title="on"; rel="next"',
        ),
        page({tags: ['a']}),
      ],
      want: {end: 'all', tags: ['b', 'a'], requests: 2},
    },
    {
      name: 'a link to something else',
      pages: [page({tags: ['b']}, '</x>; rel="prev"')],
      want: {end: 'all', tags: ['b'], requests: 1},
    },
    {
      name: 'a link to another host',
      pages: [page({tags: ['b']}, '<https://evil.test/>; rel="next"')],
      want: {end: 'registry-failed', tags: ['b'], requests: 1},
    },
    {
      name: 'a link to plain HTTP',
      pages: [page({tags: ['b']}, '<http://registry.test/>; rel="next"')],
      want: {end: 'registry-failed', tags: ['b'], requests: 1},
    },
    {
      name: 'a link to no URL',
      pages: [page({tags: ['b']}, '<https://[>; rel="next"')],
      want: {end: 'registry-failed', tags: ['b'], requests: 1},
    },
    {
      name: 'a link to itself',
      pages: [page({tags: ['b']}, '</v2/a/tags/list>; rel="next"')],
      want: {end: 'registry-failed', tags: ['b'], requests: 1},
    },
    {
      name: 'a name that moves the cursor',
      pages: [page({tags: ['\u001b[2J']})],
      want: {end: 'registry-failed', tags: [], requests: 1},
    },
    {
      name: 'a name with a path',
      pages: [page({tags: ['../b']})],
      want: {end: 'registry-failed', tags: [], requests: 1},
    },
    {name: 'a number', pages: [page({tags: [1]})], want: {end: 'registry-failed', tags: [], requests: 1}},
    {name: 'a text', pages: [page({tags: 'abc'})], want: {end: 'registry-failed', tags: [], requests: 1}},
    {name: 'a list', pages: [page([])], want: {end: 'registry-failed', tags: [], requests: 1}},
    {name: 'garbage', pages: [{body: '{'}], want: {end: 'registry-failed', tags: [], requests: 1}},
    {
      name: 'too much',
      pages: [{body: ' '.repeat(9 * 2 ** 20)}],
      want: {end: 'limit-exceeded', tags: [], requests: 1},
    },
    {
      name: 'too much in many pages',
      pages: Array.from({length: 9}, (_, at) => ({
        headers: {link: `<?last=${at}>; rel="next"`},
        body: `{"tags":[]}${' '.repeat(8 * 2 ** 20 - 20)}`,
      })),
      want: {end: 'limit-exceeded', tags: [], requests: 9},
    },
  ])('are read of $name', async ({pages, want}) => {
    expect(await listed(number => pages[number - 1]!)).toEqual(want)
  })

  it('are not read further if pages do not end', async () => {
    const endless = await listed(number => page({tags: []}, `</v2/a/tags/list?last=${number}>; rel="next"`))
    expect(endless).toEqual({end: 'registry-failed', tags: [], requests: 10_000})
  })

  it('are not read further if all pages together take too long', async () => {
    const endless = (number: number) =>
      page({tags: [`v${number}`]}, `</v2/a/tags/list?last=v${number}>; rel="next"`)
    const {end, requests} = await listed(endless, 10_000)
    expect(end).toBe('timeout')
    expect(requests).toBeLessThan(40)
  })
})
