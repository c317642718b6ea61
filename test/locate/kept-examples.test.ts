import {describe, expect, it} from '@jest/globals'
import {entryName} from '../../src/cache/cache-names.js'
import {packageCache} from '../../src/cache/package-cache.js'
import type {Diagnostic} from '../../src/diagnostic.js'
import {CrossplaneError, type ErrorCode} from '../../src/errors.js'
import type {ImageStore} from '../../src/fetch/image-store.js'
import {DEFAULT_PLATFORM} from '../../src/fetch/platform.js'
import {packageInDirectory} from '../../src/locate/image-files.js'
import {RemoteRepository} from '../../src/locate/remote-repository.js'
import {parsePackageImage} from '../../src/reference/package-reference.js'
import type {Registry} from '../../src/registry/registry.js'
import type {PackageDirectory} from '../../src/unpack/files/package-directory.js'
import {memoryStore} from '../cache/memory-store.js'
import {chunked} from '../fetch/fake-sources.js'
import {OCI, part} from '../fetch/image-parts.js'
import {tarOfFiles} from '../fetch/raw-tar.js'
import {outcome, present} from '../outcome.js'

const STREAM = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: sql}\n'
const NAME = parsePackageImage('registry.example.org/team/sql:v1')

/** A registry with one package, whose layer of examples it can refuse, and a cache. */
function worldOf(examples: Readonly<Record<string, string>>, refusal?: ErrorCode) {
  const base = part(OCI.layer, tarOfFiles({'package.yaml': STREAM}))
  const own = part(OCI.layer, tarOfFiles(examples))
  const config = part(OCI.config, {})
  const marked = ({descriptor}: typeof base, value: string) => ({
    ...descriptor,
    annotations: {'io.crossplane.xpkg': value},
  })
  const manifest = part(OCI.manifest, {
    ...{schemaVersion: 2, mediaType: OCI.manifest, config: config.descriptor},
    layers: [marked(base, 'base'), marked(own, 'upbound')],
  })
  const image: ImageStore = {
    name: 'registry.example.org/team/sql:v1',
    root: () => Promise.resolve({bytes: chunked(manifest.bytes), mediaType: OCI.manifest}),
    manifest: () => chunked(manifest.bytes),
    blob: ({digest}) => {
      if (digest === own.descriptor.digest && refusal !== undefined) throw new CrossplaneError(refusal, 'no')
      return chunked(present([base, own, config].find(({descriptor}) => descriptor.digest === digest)).bytes)
    },
  }
  const [store, warnings] = [memoryStore(), [] as Diagnostic[]]
  const kept = packageCache(store, {clock: {now: () => 0}, warn: warning => warnings.push(warning)})
  const cache = () => Promise.resolve(kept)
  const registry = () => Promise.resolve({image: () => image} as unknown as Registry)
  const {digest} = manifest.descriptor
  const read = async (from: 'registry' | 'cache', withExamples: boolean) => {
    const remote = new RemoteRepository(NAME, from === 'registry' ? {registry, cache} : {cache})
    const {files, xpkg, fromCache} = await remote.files(digest, DEFAULT_PLATFORM, {withExamples})
    const paths = files.map(({path}) => path)
    return {paths, fromCache, examples: xpkg?.examples?.length, unread: xpkg?.unreadExamples}
  }
  const entry = () => {
    const text = Buffer.from(present(store.items.get(entryName(digest, DEFAULT_PLATFORM))).bytes).toString()
    return JSON.parse(text.slice(text.indexOf('\n'))) as {readonly files: readonly {readonly path: string}[]}
  }
  return {read, entry, warnings}
}

const whole = {paths: ['package.yaml'], unread: undefined}

describe('the examples of a package in the cache', () => {
  it('are apart from its files, which older programs take for its content', async () => {
    const {read, entry} = worldOf({'.up/examples.yaml': 'kind: Db\n'})
    expect(await read('registry', true)).toEqual({...whole, examples: 1, fromCache: false})
    expect(await read('registry', true)).toEqual({...whole, examples: 1, fromCache: true})
    expect(entry().files.map(({path}) => path)).toEqual(['package.yaml'])
  })

  it('are named as unread offline if another command put it there without them', async () => {
    const {read} = worldOf({'.up/examples.yaml': 'kind: Db\n'})
    await read('registry', false)
    const unread = 'they are not in the cache'
    expect(await read('cache', true)).toEqual({...whole, examples: undefined, unread, fromCache: true})
    expect(await read('cache', false)).toEqual({...whole, examples: undefined, fromCache: true})
    expect(await read('registry', true)).toEqual({...whole, examples: 1, fromCache: false})
  })

  it('do not damage it when they are as many as a package can have', async () => {
    const paths = Array.from({length: 9_999}, (_, at) => `.up/${at}.yaml`)
    const files = new Map([...paths.map(path => [path, 'kind: Db\n'] as const), ['.up/last.yaml', '']])
    const {read, warnings} = worldOf(Object.fromEntries(files))
    expect(await read('registry', true)).toMatchObject({examples: 10_000})
    expect(await read('cache', true)).toEqual({...whole, examples: 10_000, fromCache: true})
    expect(warnings).toEqual([])
  })
})

describe('examples that cannot be read', () => {
  it('are left out if the registry does not have their layer, and looked for again', async () => {
    const {read} = worldOf({'.up/examples.yaml': 'kind: Db\n'}, 'not-found')
    const want = {...whole, examples: 0, unread: 'no', fromCache: false}
    expect(await read('registry', true)).toEqual(want)
    expect(await read('registry', true)).toEqual(want)
  })

  it.each(['timeout', 'registry-unreachable', 'registry-failed', 'digest-mismatch'] as const)(
    'are a failure after %s',
    async code => {
      const {read} = worldOf({'.up/examples.yaml': 'kind: Db\n'}, code)
      expect(await outcome(() => read('registry', true))).toBe(code)
    },
  )

  it('are left out if the user may not read their file', async () => {
    const files: Readonly<Record<string, string>> = {'crossplane.yaml': STREAM}
    const directory: PackageDirectory = {
      ...{name: 'sql', location: []},
      list: path => Promise.resolve(path === '' ? ['crossplane.yaml', 'examples'] : ['db.yaml']),
      entry: path => {
        const isFile = path in files || path === 'examples/db.yaml'
        return Promise.resolve({kind: isFile ? 'file' : path === 'examples' ? 'directory' : 'absent'})
      },
      read: path => {
        const text = files[path]
        if (text === undefined) return Promise.reject(new CrossplaneError('read-failed', 'permission denied'))
        return Promise.resolve(Buffer.from(text))
      },
    }
    const {xpkg} = await packageInDirectory(directory, undefined, {withExamples: true})
    expect(xpkg).toEqual({form: 'folder', examples: [], unreadExamples: 'permission denied'})
  })
})
