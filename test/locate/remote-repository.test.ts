import {expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {RemoteRepository} from '../../src/locate/remote-repository.js'
import {parsePackageImage} from '../../src/reference/package-reference.js'
import type {Registry} from '../../src/registry/registry.js'

/** Crossplane compares texts, in which docker.io has several names. */
it.each(['docker.io/team/app', 'index.docker.io/team/app', 'registry.example.org/team/app'])(
  '%s is read from where a cluster rewrites this text to',
  async repository => {
    const read: string[] = []
    const tags = ({registry, path}: {readonly registry: string; readonly path: string}) => {
      read.push(`${registry}/${path}`)
      return []
    }
    const remote = new RemoteRepository(parsePackageImage(`${repository}:v1`), {
      clusterMirror: text =>
        text === repository
          ? {
              repository: 'mirror.example.net/app',
              imageConfig: 'hub',
              rewrite: {from: text, to: 'mirror.example.net/app'},
            }
          : undefined,
      registry: () => Promise.resolve({tags} as unknown as Registry),
    })
    expect(await remote.tags()).toEqual([])
    expect(read).toEqual(['mirror.example.net/app'])
  },
)

it('leaves out the tags of signatures, which are not versions', async () => {
  const hex = '0123456789abcdef'.repeat(4)
  const listed = [
    ...['v1.0.0', 'sha256-notes', `sha256-${hex}`, `sha256-${hex}.sig`, `sha256-${hex}.att`],
    ...[`sha256-${hex}.sbom`, `sha512-${hex}${hex}`, 'main'],
  ]
  const tags = () => listed
  const remote = new RemoteRepository(parsePackageImage('registry.example.org/team/app'), {
    registry: () => Promise.resolve({tags} as unknown as Registry),
  })
  expect(await remote.tags()).toEqual(['v1.0.0', 'sha256-notes', 'main'])
})

/** docker.io does not say which repositories exist, and a current Crossplane accepts no name without a registry. */
it.each([
  {name: 'team/app', code: 'access-denied', says: true},
  {name: 'team/app', code: 'registry-unreachable', says: true},
  {name: 'team/app', code: 'registry-failed', says: false},
  {name: 'docker.io/team/app', code: 'access-denied', says: false},
] as const)('tells where $name is looked up after $code: $says', async ({name, code, says}) => {
  const remote = new RemoteRepository(parsePackageImage(`${name}:v1`), {
    registry: () => Promise.reject(new CrossplaneError(code, 'no')),
  })
  const advice = 'Name the registry, such as xpkg.crossplane.io/team/app: a name without one is on docker.io.'
  await expect(remote.tags()).rejects.toMatchObject({code, suggestions: says ? [advice] : []})
})
