import {afterEach, describe, expect, it} from '@jest/globals'
import {nodeHttp} from '../../src/adapters/http/node-http.js'
import {githubForge} from '../../src/commit/github-forge.js'
import {CrossplaneError} from '../../src/errors.js'
import {GitHubServer} from '../fakes/github-server.js'

const TOKEN = 'ghs_secret'
const REQUEST = {
  ...{branch: 'crossplane-update/main/+/a', target: 'main', commit: 'a'.repeat(40)},
  ...{title: 'Upgrade a to v2', body: '## Packages\n'},
}

describe('pull requests of GitHub', () => {
  const servers: GitHubServer[] = []
  const waits: number[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      expect(server.violations).toEqual([])
      await server.close()
    }
    waits.splice(0)
  })

  async function world(repository = 'team/deploy', token = TOKEN) {
    const server = new GitHubServer('team/deploy', TOKEN)
    servers.push(server)
    const api = new URL(await server.start())
    const clock = {
      ...{now: () => 0, elapsed: () => 0, random: () => 0},
      sleep: (milliseconds: number) => {
        waits.push(milliseconds)
        return Promise.resolve()
      },
    }
    const forge = githubForge({api, repository, token}, {http: nodeHttp(), clock})
    return {server, forge}
  }

  it('are opened once, and edited when the update changes', async () => {
    const {server, forge} = await world()
    const opened = await forge.ensure(REQUEST)
    expect(opened).toEqual({status: 'opened', url: 'https://github.example.org/team/deploy/pull/1'})
    expect(await forge.ensure(REQUEST)).toMatchObject({status: 'unchanged'})
    expect(await forge.ensure({...REQUEST, title: 'Upgrade a to v3'})).toMatchObject({status: 'edited'})
    expect(await forge.ensure({...REQUEST, title: 'Upgrade a to v3', body: 'other\n'})).toMatchObject({
      status: 'edited',
    })
    expect(server.pulls.map(({title, body}) => [title, body.split('\n')[0]])).toEqual([
      ['Upgrade a to v3', 'other'],
    ])
    expect(new Set(server.seen.map(({method}) => method))).toEqual(new Set(['GET', 'POST', 'PATCH']))
  })

  it('keep what a user wrote, also with other line ends', async () => {
    const {server, forge} = await world()
    await forge.ensure(REQUEST)
    const [pull] = server.pulls
    if (pull === undefined) throw new Error('no pull request')
    pull.body = pull.body.replaceAll('\n', '\r\n')
    expect(await forge.ensure(REQUEST)).toMatchObject({status: 'unchanged'})
    pull.body = `mine\n${pull.body}`
    expect(await forge.ensure({...REQUEST, title: 'T', body: 'other\n'})).toMatchObject({status: 'unchanged'})
    expect([pull.title, pull.body.startsWith('mine')]).toEqual([REQUEST.title, true])
  })

  it('stay closed for the commit for which a user closed them', async () => {
    const {server, forge} = await world()
    await forge.ensure(REQUEST)
    const [pull] = server.pulls
    if (pull === undefined) throw new Error('no pull request')
    pull.state = 'closed'
    expect(await forge.ensure(REQUEST)).toMatchObject({status: 'closed'})
    expect(server.pulls).toHaveLength(1)
    expect(await forge.ensure({...REQUEST, commit: 'b'.repeat(40)})).toMatchObject({status: 'opened'})
  })

  it('are not those of forks, and are found on any page, whatever link a server names', async () => {
    const {server, forge} = await world()
    const own = server.add({ref: REQUEST.branch, state: 'closed', sha: REQUEST.commit})
    for (let index = 0; index < 150; index += 1) server.add({ref: REQUEST.branch, state: 'closed', sha: 'c'})
    const fork = server.add({ref: REQUEST.branch})
    Object.assign(fork.head.repo, {full_name: 'other/deploy'})
    expect(await forge.ensure(REQUEST)).toEqual({status: 'closed', url: own.html_url})
    expect(server.seen).toHaveLength(2)
  })

  it('have a body that GitHub accepts', async () => {
    const {server, forge} = await world()
    await forge.ensure({...REQUEST, body: 'x'.repeat(100_000)})
    expect(server.pulls[0]?.body).toMatch(/^This text is longer than GitHub allows/)
    expect(await forge.ensure({...REQUEST, body: 'x'.repeat(100_000)})).toMatchObject({status: 'unchanged'})
  })

  it.each([
    {status: 401, code: 'access-denied', calls: 1},
    {status: 403, code: 'access-denied', calls: 1},
    {status: 404, code: 'not-found', calls: 1},
    {status: 409, code: 'git-failed', calls: 1},
    {status: 422, code: 'git-failed', calls: 1},
    {status: 301, code: 'git-failed', calls: 1},
    {status: 500, code: 'git-failed', calls: 5},
    {status: 503, code: 'git-failed', calls: 5},
  ])('fail with $status as $code after $calls requests', async ({status, code, calls}) => {
    const {server, forge} = await world()
    const errors = [{resource: 'PullRequest', code: 'custom', message: 'this one'}]
    const body = JSON.stringify({
      message: `no ${TOKEN}`,
      errors,
      documentation_url: 'https://docs.github.com',
    })
    const location = 'https://evil.example.org/'
    server.next.push(...Array.from({length: 5}, () => ({status, body, headers: {location}})))
    const error = await forge.ensure(REQUEST).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CrossplaneError)
    expect(error).toMatchObject({code})
    const text = JSON.stringify([String(error), error])
    expect(text).toContain('no ***: this one')
    expect(text).not.toContain(TOKEN)
    expect(server.seen).toHaveLength(calls)
  })

  it.each([{status: 429}, {status: 403}])(
    'wait as long as $status with Retry-After says',
    async ({status}) => {
      const {server, forge} = await world()
      server.next.push({status, headers: {'retry-after': '7'}})
      expect(await forge.ensure(REQUEST)).toMatchObject({status: 'opened'})
      expect(waits).toEqual([7000])
    },
  )

  it.each([
    {status: 403, code: 'access-denied', method: 'POST'},
    {status: 409, code: 'git-failed', method: 'POST'},
    {status: 422, code: 'git-failed', method: 'POST'},
    {status: 502, code: 'git-failed', method: 'POST'},
    {status: 401, code: 'access-denied', method: 'PATCH'},
    {status: 404, code: 'not-found', method: 'PATCH'},
    {status: 422, code: 'git-failed', method: 'PATCH'},
    {status: 500, code: 'git-failed', method: 'PATCH'},
  ])('that fail with $status at $method are made by the next run', async ({status, code, method}) => {
    const {server, forge} = await world()
    if (method === 'PATCH') await forge.ensure({...REQUEST, title: 'Upgrade a to v1'})
    const body = JSON.stringify({message: 'no', documentation_url: 'https://docs.github.com'})
    const failures = Array.from({length: status < 500 ? 1 : 5}, () => ({status, body}))
    server.next.push(undefined, ...failures)
    await expect(forge.ensure(REQUEST)).rejects.toMatchObject({code})
    expect(server.next).toEqual([])
    expect(server.seen.filter(one => one.method === method)).toHaveLength(failures.length)
    const done = method === 'POST' ? 'opened' : 'edited'
    expect(await forge.ensure(REQUEST)).toMatchObject({status: done})
    expect(server.pulls.map(({title}) => title)).toEqual([REQUEST.title])
  })

  it.each([{status: 429}, {status: 503}])('wait as long as $status says for a POST', async ({status}) => {
    const {server, forge} = await world()
    const body = JSON.stringify({message: 'later'})
    server.next.push(undefined, {status, body, headers: {'retry-after': '9'}})
    expect(await forge.ensure(REQUEST)).toMatchObject({status: 'opened'})
    expect(waits).toEqual([9000])
    expect(server.pulls).toHaveLength(1)
  })

  it('are found after a lost answer, which has opened one', async () => {
    const {server, forge} = await world()
    server.add({ref: REQUEST.branch})
    expect(await forge.ensure(REQUEST)).toMatchObject({status: 'unchanged'})
    expect(server.pulls).toHaveLength(1)
  })

  it('are found after the answer to their creation was lost', async () => {
    const {server, forge} = await world()
    server.next.push({status: 200, body: '[]'})
    server.add({ref: REQUEST.branch})
    expect(await forge.ensure(REQUEST)).toEqual({
      ...{status: 'opened', url: 'https://github.example.org/team/deploy/pull/1'},
    })
    expect(server.pulls).toHaveLength(1)
  })

  it('keep a title that a user wrote, while their text is kept current', async () => {
    const {server, forge} = await world()
    await forge.ensure(REQUEST)
    const [pull] = server.pulls
    if (pull === undefined) throw new Error('no pull request')
    pull.title = 'mine'
    expect(await forge.ensure(REQUEST)).toMatchObject({status: 'unchanged'})
    const next = {...REQUEST, title: 'Upgrade a to v3', body: 'other\n'}
    expect(await forge.ensure(next)).toMatchObject({status: 'edited'})
    expect([pull.title, pull.body.split('\n')[0]]).toEqual(['mine', 'other'])
    expect(await forge.ensure(next)).toMatchObject({status: 'unchanged'})
  })

  it('have errors without a part of a token, wherever an answer is cut', async () => {
    const token = `ghs_${'0123456789abcdef'.repeat(8)}`
    const {server, forge} = await world('team/deploy', token)
    server.next.push({status: 404, body: JSON.stringify({message: `${'x'.repeat(150)} ${token}`})})
    const error = await forge.ensure(REQUEST).catch((thrown: unknown) => String(thrown))
    expect(error).toContain('***')
    expect(error).not.toContain('0123456789ab')
  })

  it('reject an answer that is none of GitHub', async () => {
    const {server, forge} = await world()
    const isForeign = true
    server.next.push({status: 200, body: '<html>', isForeign}, {status: 200, body: '{}', isForeign})
    await expect(forge.ensure(REQUEST)).rejects.toMatchObject({code: 'git-failed'})
    await expect(forge.ensure(REQUEST)).rejects.toMatchObject({code: 'git-failed'})
  })

  it('reject a wrong token and another repository', async () => {
    const other = await world('team/deploy', 'wrong')
    await expect(other.forge.ensure(REQUEST)).rejects.toMatchObject({code: 'access-denied'})
    const absent = await world('team/absent')
    await expect(absent.forge.ensure(REQUEST)).rejects.toMatchObject({code: 'not-found'})
  })
})
