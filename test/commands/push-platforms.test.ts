import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {generateKeyPairSync} from 'node:crypto'
import {mkdirSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {indexOf, OCI, part, platform} from '../fetch/image-parts.js'
import {tarOfFiles} from '../fetch/raw-tar.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const temporary = temporaryFolder()
const at = (path: string) => join(temporary, path)
const EXAMPLE = './examples/xpkg/configuration-database'
const OLD = 'test/testdata/packages/image-counter'

/** A manifest or an index. */
interface Manifest {
  readonly layers?: readonly {
    readonly digest: string
    readonly annotations?: Readonly<Record<string, string>>
  }[]
  readonly manifests?: readonly {
    readonly digest: string
    readonly platform: {readonly architecture: string}
  }[]
}

const provider = (name: string) =>
  `apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: ${name}}\nspec: {}\n`

/** Writes a layout with the program of a platform; returns its reference. */
function runtime(architecture: string): string {
  const folder = at(`runtime-${architecture}`)
  const layer = part(OCI.layer, tarOfFiles({'bin/provider': architecture}))
  const diff_ids = [layer.descriptor.digest]
  const config = part(OCI.config, {os: 'linux', architecture, rootfs: {type: 'layers', diff_ids}})
  const manifest = part(OCI.manifest, {
    schemaVersion: 2,
    mediaType: OCI.manifest,
    config: config.descriptor,
    layers: [layer.descriptor],
  })
  mkdirSync(join(folder, 'blobs/sha256'), {recursive: true})
  for (const {descriptor, bytes} of [layer, config, manifest])
    writeFileSync(join(folder, 'blobs', descriptor.digest.replace(':', '/')), bytes)
  writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  writeFileSync(join(folder, 'index.json'), indexOf(manifest).bytes)
  return `oci:${folder}`
}

/** Builds a package for a platform as a file; returns its path and the digest of its image. */
async function built(architecture: string, name = 'provider-example') {
  const folder = at(name)
  writeTree(folder, {'crossplane.yaml': provider(name)})
  const path = at(`${name}-${architecture}.xpkg`)
  const flags = ['--embed-runtime-image', runtime(architecture)]
  const {status, stdout, stderr} = await runCli('package', 'build', path, folder, ...flags)
  expect({status, stderr}).toEqual({
    status: 0,
    stderr: expect.stringContaining('.xpkg: 1 file of the package, '),
  })
  return {path, digest: stdout.trim()}
}

describe('package push of files for several platforms', () => {
  let server: RegistryServer | undefined
  beforeAll(async () => {
    server = await startRegistry()
  })
  afterAll(() => server?.close())
  const push = (tag: string, ...args: readonly string[]) =>
    runCli('package', 'push', `${present(server).host}/team/provider:${tag}`, ...args)

  it('pushes an index of the images, as the Crossplane CLI does', async () => {
    const [amd64, arm64] = [await built('amd64'), await built('arm64')]
    const {status, stdout, stderr} = await push('v1.0.0', amd64.path, arm64.path)
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('pushed 2 images')})
    const {contents} = present(server)
    const repository = contents.ensure('team/provider')
    const [, digest = ''] = stdout.trim().split('@')
    const index = JSON.parse(Buffer.from(present(repository.manifests.get(digest)).bytes).toString()) as {
      mediaType: string
      manifests: readonly object[]
    }
    expect(index.mediaType).toBe(OCI.index)
    expect(index.manifests).toEqual([
      expect.objectContaining({digest: amd64.digest, ...platform('linux', 'amd64')}),
      expect.objectContaining({digest: arm64.digest, ...platform('linux', 'arm64')}),
    ])
    for (const choice of [[], ['--platform', 'linux/arm64']]) {
      const reference = `${present(server).host}/team/provider:v1.0.0`
      const inspected = await runCli('package', 'inspect', reference, ...choice, '--no-cache', '-o', 'json')
      expect(JSON.parse(inspected.stdout)).toMatchObject({package: {kind: 'Provider', digest}})
    }
  })

  it('signs the index, before its tag and the index of packages', async () => {
    const {privateKey, publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
    writeFileSync(at('key.pem'), privateKey.export({format: 'pem', type: 'pkcs8'}))
    writeFileSync(at('key.pub'), publicKey.export({format: 'pem', type: 'spki'}))
    const [amd64, arm64] = [await built('amd64'), await built('arm64')]
    const {host, seen} = present(server)
    const from = seen.length
    const flags = ['--sign-key', at('key.pem'), '--index', `${host}/team/names`]
    const {status, stdout} = await push('v1.1.0', amd64.path, arm64.path, ...flags)
    expect(status).toBe(0)
    const [, digest = ''] = stdout.trim().split('@')
    const puts = seen
      .slice(from)
      .flatMap(({method, path}) =>
        method === 'PUT' ? (/\/(.+)\/manifests\/(.+)/.exec(path)?.slice(1) ?? []) : [],
      )
    const places = [digest, digest.replace(':', '-'), 'v1.1.0', 'v2/team/names'].map(place =>
      puts.indexOf(place),
    )
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
    const reference = `${host}/team/provider@${digest}`
    const verified = await runCli('package', 'verify', reference, '--key', at('key.pub'), '-o', 'json')
    expect({status: verified.status, stdout: verified.stdout}).toEqual({
      status: 0,
      stdout: expect.stringContaining(digest),
    })
  })

  it('adds the package to each platform of one runtime image', async () => {
    const [amd64, arm64] = [await built('amd64'), await built('arm64')]
    await push('v3.0.0', amd64.path, arm64.path)
    const folder = at('over-both')
    writeTree(folder, {'crossplane.yaml': provider('over-both')})
    const from = `${present(server).host}/team/provider:v3.0.0`
    const {status, stdout, stderr} = await push('v3.1.0', folder, '--embed-runtime-image', from)
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('pushed 2 images')})
    const {manifests} = present(server).contents.ensure('team/provider')
    const read = (digest: string) =>
      JSON.parse(Buffer.from(present(manifests.get(digest)).bytes).toString()) as Manifest
    const layersOf = (digest: string) => (read(digest).layers ?? []).map(layer => layer.digest)
    const images = read(stdout.trim().split('@')[1] ?? '').manifests ?? []
    expect(images.map(image => image.platform.architecture)).toEqual(['amd64', 'arm64'])
    for (const [index, runtimeImage] of [amd64, arm64].entries()) {
      const own = present(images[index]).digest
      expect(layersOf(own).slice(0, -1)).toEqual(layersOf(runtimeImage.digest))
      const marks = (read(own).layers ?? []).map(layer => layer.annotations?.['io.crossplane.xpkg'] ?? '')
      expect(marks).toEqual(['', '', 'base'])
    }
  })

  it('warns of packages with different objects, and of an index that Crossplane cannot install', async () => {
    const [arm64, other] = [await built('arm64'), await built('riscv64', 'provider-other')]
    const {status, stderr} = await push('v2.0.0', arm64.path, other.path)
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringMatching(/\[platform-content\][^]*\[platform-missing\]/),
    })
    const reference = `${present(server).host}/team/provider:v2.0.0`
    const rendered = await runCli('package', 'render', reference, '--platform', 'linux/arm64')
    expect(rendered).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(
        /Warning: \S+:v2\.0\.0 has no image for linux\/amd64.*\[platform-missing\]/,
      ),
    })
  })

  it('warns of the same in a layout, and asks no registry', async () => {
    const {contents} = present(server)
    const {manifests, blobs} = contents.ensure('team/provider')
    const {stdout} = await push('v2.1.0', (await built('arm64')).path, (await built('riscv64')).path)
    const digest = stdout.trim().split('@')[1] ?? ''
    const stored = [...blobs, ...[...manifests].map(([key, {bytes}]) => [key, Buffer.from(bytes)] as const)]
    const list = {mediaType: OCI.index, digest, size: present(manifests.get(digest)).bytes.length}
    const layout = writeTree(at('arm-only'), {
      'oci-layout': '{"imageLayoutVersion": "1.0.0"}',
      'index.json': JSON.stringify({schemaVersion: 2, manifests: [list]}),
      ...Object.fromEntries(stored.map(([key, bytes]) => [`blobs/${key.replace(':', '/')}`, bytes])),
    })
    const render = async (...flags: readonly string[]) =>
      await runCli(
        'package',
        'render',
        `oci:${layout}`,
        '--as-package',
        'nowhere.example.org/x/y:v1',
        ...flags,
      )
    expect(await render('--offline')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('has no image for linux/amd64: it has linux/arm64, linux/riscv64'),
    })
    expect(await render('--platform', 'linux/arm64')).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(
        /Warning: nowhere\S+ has no image for linux\/amd64.*\[platform-missing\]/,
      ),
    })
  })

  it('rejects files without a target, which would become one', async () => {
    const [{path: amd64}, {path: arm64}] = [await built('amd64'), await built('arm64')]
    const given = [amd64, arm64].map(path => basename(path))
    expect(await runCli('package', 'push', ...given)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`the target ${given[0] ?? ''} is the name of a file`),
    })
  })

  it.each([
    {name: 'a folder', in: async () => [(await built('amd64')).path, EXAMPLE]},
    {
      name: 'two files for one platform',
      in: async () => [(await built('amd64')).path, (await built('amd64', 'provider-other')).path],
    },
    {
      name: 'a package without a program',
      in: async () => {
        await runCli('package', 'build', at('none.xpkg'), EXAMPLE)
        return [(await built('amd64')).path, at('none.xpkg')]
      },
    },
    {
      name: 'a package with .registry/',
      in: async () => {
        await runCli('package', 'build', `oci:${at('old')}:0.3.0`, OLD, '--no-lint')
        return [(await built('amd64')).path, `oci:${at('old')}:0.3.0`]
      },
    },
    {
      name: 'a flag about building',
      in: async () => [(await built('amd64')).path, (await built('arm64')).path, '--ignore', 'x'],
    },
  ])('rejects $name, and pushes nothing', async ({in: args}) => {
    const {seen} = present(server)
    const given = await args()
    const before = seen.length
    const {status, stdout, stderr} = await push('v3.0.0', ...given, '-o', 'json')
    expect({status, stdout, error: JSON.parse(stderr) as object}).toEqual({
      status: 2,
      stdout: '',
      error: expect.objectContaining({code: 'usage'}),
    })
    expect(seen.slice(before).filter(({method}) => method !== 'GET' && method !== 'HEAD')).toEqual([])
  })
})
