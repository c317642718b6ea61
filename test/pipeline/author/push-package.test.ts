import {schemaRules} from '../../../src/adapters/cel/schema-rules.js'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from '@jest/globals'
import {nodeHttp} from '../../../src/adapters/http/node-http.js'
import {localFile, localFiles} from '../../../src/adapters/local-files.js'
import {localPackage} from '../../../src/adapters/local-package.js'
import {fetchImage} from '../../../src/fetch/fetch-image.js'
import {pushPackage, type PushReport} from '../../../src/pipeline/author/push-package.js'
import type {PushQuery} from '../../../src/pipeline/author/push-query.js'
import {parseImageName} from '../../../src/reference/image-name.js'
import {repositoryOf} from '../../../src/reference/repository.js'
import {ERAS} from '../../../src/render/era.js'
import {registryFiles} from '../../../src/unpack/files/layer-files.js'
import {ociRegistry} from '../../../src/registry/oci-registry.js'
import type {Image} from '../../../src/fetch/image.js'
import {registryFilesIn} from '../../corpus.js'
import {type RegistryServer, startRegistry} from '../../fakes/registry-server.js'
import {steadyClock} from '../../http/steady-clock.js'
import {indexOf, OCI, type Part, part} from '../../fetch/image-parts.js'
import {tarOfFiles} from '../../fetch/raw-tar.js'
import {present} from '../../outcome.js'
import {runCli} from '../../run-cli.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

const COUNTER = 'test/testdata/packages/image-counter'
const sources = {directory: localPackage, files: localFiles, file: localFile}
const sourceControl = {facts: () => Promise.resolve(undefined)}
const repositoryPaths = {pathOf: () => Promise.resolve(undefined)}
const own = {sources, sourceControl, repositoryPaths, schemaRules: () => Promise.resolve(schemaRules())}
const temporary = temporaryFolder()

const keychain = {credentialsFor: () => Promise.resolve(undefined)}
const client = ociRegistry({http: nodeHttp(), keychain, clock: steadyClock(), schemeOf: () => 'http:'})

let [server, other]: (RegistryServer | undefined)[] = []
beforeEach(async () => {
  ;[server, other] = await Promise.all([startRegistry(), startRegistry()])
})
afterEach(() => Promise.all([server?.close(), other?.close()]))
const host = () => present(server).host

/** `path` is completed to a reference in the registry of the test. */
function push(path: string, more: Partial<PushQuery> = {}): Promise<PushReport> {
  const query = {reference: `${host()}/${path}`, path: COUNTER, lint: true, ...more}
  const registry = () => Promise.resolve(client)
  return pushPackage(query, {...own, registry})
}

function pulled(reference: string): Promise<Image> {
  const {tag, ...name} = present(parseImageName(reference))
  return fetchImage(client.image(repositoryOf(name), tag === undefined ? {} : {tag}))
}

/** Requests that change something. */
function changes(at = server): readonly string[] {
  return present(at)
    .seen.filter(({method}) => method !== 'GET' && method !== 'HEAD')
    .map(({method, path}) => `${method} ${path}`)
}

describe('pushPackage', () => {
  it('pushes a package that can be pulled by the returned reference', async () => {
    const {reference, digest, tag, unchanged} = await push('team/counter:v0.3.0')
    expect({reference, tag, unchanged}).toEqual({
      reference: `${host()}/team/counter:v0.3.0@${digest}`,
      tag: 'v0.3.0',
      unchanged: false,
    })
    const {layers} = await pulled(reference)
    const paths = (await registryFiles(layers))?.map(({path}) => path).sort()
    expect(paths).toEqual(
      registryFilesIn(join(COUNTER, '.registry'))
        .map(({path}) => path)
        .sort(),
    )
  })

  it('pushes the same content once', async () => {
    const first = await push('team/counter:v0.3.0')
    const done = changes()
    expect(await push('team/counter:v0.3.0')).toEqual({...first, unchanged: true})
    expect(changes()).toEqual(done)
  })

  it('rejects a tag that exists with other content, and overwrites it when forced', async () => {
    const first = await push('team/counter:v0.3.0')
    const done = changes()
    const path = writeTree(join(temporary, 'other'), {
      '.registry/app.yaml': 'title: A\nversion: 0.3.0\npermissionScope: Cluster\n',
    })
    await expect(push('team/counter:v0.3.0', {path, lint: false})).rejects.toMatchObject({
      code: 'output-refused',
      message: expect.stringContaining(first.digest) as unknown,
      suggestions: expect.arrayContaining([expect.stringContaining('--force')]) as unknown,
    })
    expect(changes()).toEqual(done)
    const forced = await push('team/counter:v0.3.0', {path, lint: false, force: true})
    expect(forced.digest).not.toBe(first.digest)
    expect(forced.warnings).toMatchObject([{rule: 'tag-overwritten'}])
  })

  it.each(['main', 'latest', '3fa9c01d'])('warns about the tag %s, which is not a version', async tag => {
    const {reference, warnings} = await push(`team/counter:${tag}`, {lint: false})
    expect(reference).toContain(`:${tag}@`)
    expect(warnings).toMatchObject([{severity: 'warning', rule: 'tag-not-a-version'}])
  })

  it('uses the version as tag by default', async () => {
    const {reference} = await push('team/counter')
    expect(reference.split('@')[0]).toBe(`${host()}/team/counter:0.3.0`)
  })

  it('pushes to the default source if no registry is given', async () => {
    const registry = () => Promise.resolve(client)
    const ports = {...own, registry, defaultSource: `${host()}/mirror`}
    const {reference} = await pushPackage({reference: 'team/counter', path: COUNTER, lint: true}, ports)
    expect(reference.split('@')[0]).toBe(`${host()}/mirror/team/counter:0.3.0`)
  })

  it.each([
    {name: 'another tag than the version', in: ['team/counter:v9', {}], code: 'usage'},
    {name: 'a digest', in: [`team/counter@sha256:${'0'.repeat(64)}`, {}], code: 'usage'},
    {name: 'a folder as target', in: ['team/counter', {reference: './counter'}], code: 'reference-invalid'},
    {
      name: 'a missing tag',
      in: [
        'team/bare',
        {
          path: writeTree(join(temporary, 'bare'), {
            '.registry/app.yaml': 'title: A\npermissionScope: Cluster\n',
          }),
        },
      ],
      code: 'reference-incomplete',
    },
    {name: 'a base that is a folder', in: ['team/counter', {from: './base'}], code: 'usage'},
  ] as const)('is rejected for $name, before anything is sent', async ({in: [path, more], code}) => {
    await expect(push(path, more)).rejects.toMatchObject({code})
    expect(changes()).toEqual([])
  })

  it('rejects a base image that does not exist before it sends anything', async () => {
    await expect(push('team/counter', {from: `${host()}/team/none:v1`})).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(changes()).toEqual([])
  })

  it.each([
    {name: 'the same registry', at: () => server, uploads: 2},
    {name: 'another registry', at: () => other, uploads: 3},
  ])('adds a layer to an image in $name', async ({at, uploads}) => {
    await push('team/base:v0.3.0')
    const target = `${present(at()).host}/team/counter`
    await push('', {reference: target, from: `${host()}/team/base:v0.3.0`})
    // A layer that is mounted is not uploaded: only the new layer and the new configuration are.
    expect(changes(at()).filter(each => /PUT .*\/team\/counter\/blobs\//.test(each))).toHaveLength(uploads)
    expect((await pulled(`${target}:0.3.0`)).layers).toHaveLength(2)
  })
})

/** A layout of one image in a new folder. */
function layoutOf(name: string, root: Part, ...parts: readonly Part[]): string {
  const files: Record<string, string | Uint8Array> = {
    'oci-layout': '{"imageLayoutVersion": "1.0.0"}',
    'index.json': indexOf(root).bytes,
  }
  for (const {descriptor, bytes} of [root, ...parts])
    files[`blobs/${descriptor.digest.replace(':', '/')}`] = bytes
  return writeTree(join(temporary, name), files)
}

describe('pushPackage of an existing image', () => {
  const built = async (target: string) => {
    const {stdout} = await runCli('package', 'build', target, COUNTER)
    return stdout.trim()
  }

  it.each([
    {name: 'a layout', path: `oci:${temporary}/layout:v0.3.0`},
    {name: 'an archive', path: `oci-archive:${temporary}/archive.tar:v0.3.0`},
  ])('keeps the digest of $name', async ({path}) => {
    const digest = await built(path)
    expect(await push('team/counter', {path})).toMatchObject({digest, tag: 'v0.3.0'})
  })

  it.each([
    {name: 'under another version', reference: 'team/counter:v1.0.0', more: {}},
    {name: 'on another image', reference: 'team/counter:v0.3.0', more: {from: 'oci:base'}},
    {name: 'with its metadata baked', reference: 'team/counter:v0.3.0', more: {bake: ERAS.packages}},
  ])('rejects an image $name', async ({reference, more}) => {
    const path = `oci:${temporary}/before:v0.3.0`
    await built(path)
    await expect(push(reference, {path, ...more})).rejects.toMatchObject({code: 'usage'})
  })

  it.each([
    {name: 'the same registry', at: () => server, uploads: 2},
    {name: 'another registry', at: () => other, uploads: 3},
  ])('does not send layers of a base in $name again', async ({at, uploads}) => {
    await push('team/base:v0.3.0')
    const path = `oci:${temporary}/over-${uploads}:v0.3.0`
    const from = `${host()}/team/base:v0.3.0`
    await runCli('package', 'build', path, COUNTER, '--from', from)
    const target = `${present(at()).host}/team/counter`
    await push('', {reference: target, path})
    expect(changes(at()).filter(each => /PUT .*\/team\/counter\/blobs\//.test(each))).toHaveLength(uploads)
    expect((await pulled(`${target}:v0.3.0`)).layers).toHaveLength(2)
  })

  it('pushes other platforms, and counts shared layers once', async () => {
    const layers = [part(OCI.layer, tarOfFiles({etc: 'of all'}))]
    const platforms = ['arm64', 's390x'].map(architecture => {
      const config = part(OCI.config, {architecture, os: 'linux', rootfs: {diff_ids: ['sha256:of-the-base']}})
      const manifest = {
        schemaVersion: 2,
        config: config.descriptor,
        layers: layers.map(each => each.descriptor),
      }
      const platform = {os: 'linux', architecture}
      return {config, manifest: {...part(OCI.manifest, manifest), with: {platform}}}
    })
    const index = indexOf(...platforms.map(({manifest}) => manifest))
    const parts = platforms.flatMap(({config, manifest}) => [config, manifest])
    const base = layoutOf('base', index, ...layers, ...parts)
    const path = `oci:${temporary}/over:v0.3.0`
    const {stdout} = await runCli('package', 'build', path, COUNTER, '--from', `oci:${base}`, '-o', 'json')
    const {digest, size} = JSON.parse(stdout) as {digest: string; size: number}
    const target = {root: {registry: host(), path: 'index'}, layout: 'single-repository'} as const
    expect(await push('team/counter', {path, index: target})).toMatchObject({
      ...{digest, size, images: 2, index: {root: `${host()}/index`, state: 'added'}},
    })
  })

  it.each([
    {name: 'cut off', damage: (bytes: Buffer) => bytes.subarray(1)},
    {name: 'changed', damage: (bytes: Buffer) => Buffer.from(bytes).fill(0, 0, 1)},
  ])('rejects a layer that is $name, and does not name the registry as the cause', async ({damage}) => {
    const bytes = tarOfFiles({etc: 'of the base'})
    const layer = part(OCI.layer, bytes)
    const config = part(OCI.config, {rootfs: {diff_ids: [layer.descriptor.digest]}})
    const layers = [layer.descriptor]
    const manifest = part(OCI.manifest, {schemaVersion: 2, config: config.descriptor, layers})
    const base = layoutOf('sound', manifest, config, layer)
    const path = `oci:${temporary}/damaged:v0.3.0`
    await runCli('package', 'build', path, COUNTER, '--from', `oci:${base}`)
    const file = join(temporary, 'damaged/blobs', layer.descriptor.digest.replace(':', '/'))
    writeFileSync(file, damage(Buffer.from(bytes)))
    await expect(push('team/counter', {path})).rejects.toMatchObject({
      code: 'digest-mismatch',
      message: expect.stringContaining(layer.descriptor.digest),
    })
    expect(changes().filter(each => each.includes('/manifests/'))).toEqual([])
  })

  it('rejects an image that is not a package', async () => {
    await expect(push('team/counter:v1', {path: `oci:${temporary}/nowhere`})).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})

describe('pushPackage to a registry that does not create repositories', () => {
  it('names the repository to create, and succeeds once it exists', async () => {
    const closed = await startRegistry({makesNoRepositories: true})
    const reference = `${closed.host}/team/counter:v0.3.0`
    const code = 'access-denied'
    const suggestions = [
      `Create the repository ${closed.host}/team/counter if the registry does not create it on push.`,
    ]
    await expect(push('', {reference})).rejects.toMatchObject({
      code,
      suggestions: expect.arrayContaining(suggestions) as unknown,
    })
    closed.contents.ensure('team/counter')
    expect((await push('', {reference})).tag).toBe('v0.3.0')
    await closed.close()
  })
})
