import {expect, it} from '@jest/globals'
import {packageCache} from '../../../src/cache/package-cache.js'
import {DEFAULT_PLATFORM} from '../../../src/fetch/platform.js'
import {importPackages} from '../../../src/pipeline/import/import-packages.js'
import {parsePackageImage} from '../../../src/reference/package-reference.js'
import {repositoryOf} from '../../../src/reference/repository.js'
import {memoryStore} from '../../cache/memory-store.js'
import {json, scriptedApi, servedKinds, statusOf} from '../../cluster/api/scripted-api.js'
import {digestOf} from '../../fetch/image-parts.js'
import {withoutPackages} from '../memory-packages.js'

const KINDS = servedKinds({'pkg.crossplane.io/v1': {providers: 'Provider'}})

const SQL = 'xpkg.example.org/team/sql'
const CONTENT = Buffer.from('apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: sql\n')
const DIGEST = digestOf(CONTENT)

/** Imports Providers with these references; the cache has the package of `SQL`. */
async function imported(...references: readonly string[]) {
  const items = references.map((reference, at) => ({
    metadata: {name: `p${at}`, uid: `u${at}`},
    spec: {package: reference},
  }))
  const {api} = scriptedApi(
    ({url: {pathname}}) =>
      pathname.endsWith('/providers') ? json({metadata: {}, items}) : statusOf(404, 'NotFound', 'none'),
    undefined,
    KINDS,
  )
  const cache = packageCache(memoryStore(), {
    clock: {now: () => 0},
    warn: ({message}) => expect(message).toBe(''),
  })
  await cache.keep({
    digest: DIGEST,
    platform: DEFAULT_PLATFORM,
    repository: repositoryOf(parsePackageImage(SQL)),
    files: [{path: 'package.yaml', bytes: CONTENT}],
    baseLayers: 1,
  })
  const unread = () => Promise.reject(new Error('nothing is read'))
  const ports = {
    inputs: {read: unread, readOptional: () => Promise.resolve(undefined), pathOf: (path: string) => path},
    budget: () => ({isSpent: () => false}),
    packages: () => Promise.resolve({...withoutPackages(), remote: {cache: () => Promise.resolve(cache)}}),
    ...{signatures: {}, rules: unread},
  } as unknown as Parameters<typeof importPackages>[2]
  const settings = {
    ...{owners: [], assume: {crds: [], files: []}, crossplane: {release: 'v0.12', isGiven: false}},
    ...{allowVersionMismatch: false, solveTimeout: 1000, coreVersion: '2.0.0'},
  }
  return await importPackages({file: 'x.yaml', settings}, api, ports)
}

it('an import leaves out a request whose reference no declaration can hold', async () => {
  const {declaration, notes} = await imported(`${SQL}:v1.0.0@${DIGEST}`, 'xpkg.example.org/Team/p:v1')
  expect(declaration).toContain(`- package: ${SQL}:v1.0.0@${DIGEST}\n`)
  expect(declaration).not.toContain('Team')
  expect(notes.filter(({rule}) => rule === 'import-unreadable')).toMatchObject([
    {message: expect.stringContaining('invalid package reference "xpkg.example.org/Team/p:v1"')},
  ])
  // Of one cause, there is one warning.
  expect(notes.filter(({rule}) => rule === 'import-unhealthy')).toMatchObject([{subject: {package: SQL}}])
})

it('an import of such requests alone names the first reference', async () => {
  await expect(imported('xpkg.example.org/Team/p:v1')).rejects.toMatchObject({
    code: 'reference-invalid',
    message: 'invalid package reference "xpkg.example.org/Team/p:v1"',
  })
})
