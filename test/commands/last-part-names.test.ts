import {describe, expect, it} from '@jest/globals'
import {API, objects, servedRequests} from './served-requests.js'

describe('the last part of a repository, in a cluster', () => {
  const served = servedRequests()

  /** A package of which the request has the derived name, with a revision for each version. */
  function installed(path = 'base') {
    const cluster = served()
    const {name, request, publish, digests} = cluster
    publish('base', 'v1.1.0')
    if (path !== 'base') publish(path, 'v1.0.0')
    const own = request('base', name('base:v1.1.0'), {digest: digests.base, skips: false})
    for (const [number, version] of ['v1.0.0', 'v1.1.0'].entries())
      objects.set(`providerrevisions/${own}-${number + 1}`, {
        ...{apiVersion: API, kind: 'ProviderRevision'},
        metadata: {
          name: `${own}-${number + 1}`,
          uid: `${number}`,
          labels: {'pkg.crossplane.io/package': own},
        },
        spec: {
          ...{image: name(`base:${version}`), revision: number + 1},
          desiredState: number === 1 ? 'Active' : 'Inactive',
        },
      })
    return {...cluster, own}
  }

  it.each([
    {words: ['history', 'base'], want: 'v1.0.0'},
    {words: ['rollback', 'base', '--dry-run=client'], want: 'v1.1.0 -> v1.0.0'},
    {words: ['upgrade', 'base:v1.0.0', '--dry-run=client'], want: 'v1.1.0 -> v1.0.0'},
    {words: ['status', 'base'], want: 'base:v1.1.0'},
    {words: ['list'], want: 'base:v1.1.0'},
    {words: ['tree', 'base', '--installed'], want: 'base'},
    {words: ['why', 'base', '--installed'], want: 'base'},
    {words: ['outdated', 'base', '--installed'], want: ''},
  ])('is a NAME of $words', async ({words, want}) => {
    const {inCluster, own} = installed()
    const {status, stdout, stderr} = await inCluster(...words)
    expect({status, stdout, stderr: status === 0 ? '' : stderr}).toEqual({
      ...{status: 0, stderr: ''},
      stdout: expect.stringContaining(want),
    })
    expect(own).not.toBe('base')
  })

  it.each([
    ['uninstall', 'base', '--dry-run=client'],
    ['move', 'base', 'r.example.org/other/base', '--dry-run=client'],
  ])('is a suggestion of %s, which removes a request', async (...words) => {
    const {inCluster, own} = installed()
    const {status, stderr} = await inCluster(...words)
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining('package "base" not found')})
    expect(stderr).toContain(`Did you mean provider.pkg.crossplane.io/${own}?`)
  })

  it.each([
    ['history', 'base'],
    ['rollback', 'base'],
    ['upgrade', 'base:v1.0.0'],
    ['status', 'base'],
    ['tree', 'base', '--installed'],
    ['why', 'base', '--installed'],
    ['outdated', 'base', '--installed'],
  ])('is ambiguous for %s where two repositories have it', async (...words) => {
    const {inCluster, own, request, name, digests} = installed('more/base')
    const other = request('more/base', name('more/base:v1.0.0'), {digest: digests.base, skips: false})
    const {status, stderr} = await inCluster(...words)
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining('"base": it names ')})
    for (const full of [own, other]) expect(stderr).toContain(`provider.pkg.crossplane.io/${full}`)
  })
})
