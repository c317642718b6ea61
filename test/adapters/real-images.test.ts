import {execFile} from 'node:child_process'
import {mkdir, rm, symlink, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {beforeAll, expect, it} from '@jest/globals'
import {localFile, localFiles} from '../../src/adapters/local-files.js'
import {localPackage} from '../../src/adapters/local-package.js'
import {archiveFiles} from '../../src/fetch/archive-files.js'
import {dockerArchiveStore} from '../../src/fetch/docker-archive-store.js'
import {fetchImage} from '../../src/fetch/fetch-image.js'
import {type Descriptor, type Image, layersOf} from '../../src/fetch/image.js'
import {ociLayout} from '../../src/fetch/oci-layout.js'
import {directoryFiles} from '../../src/unpack/files/directory-files.js'
import {registryFiles} from '../../src/unpack/files/layer-files.js'
import type {PackageFile} from '../../src/unpack/package-file.js'
import {missingTool} from '../missing-tool.js'
import {present} from '../outcome.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder} from '../temporary-folder.js'

const run = promisify(execFile)
const PACKAGE = 'test/testdata/packages/image-counter'

/** Images of one package as real tools make them: `umoci` the layers, `skopeo` every other form of the same image. */
describeReal('images built by umoci and skopeo', missingTool('umoci', 'skopeo', 'tar', 'gzip'), () => {
  const temporary = temporaryFolder()
  const at = (name: string) => join(temporary, name)
  const umoci = (...args: string[]) => run('umoci', args)
  const skopeo = (...args: string[]) => run('skopeo', ['--insecure-policy', ...args])

  async function fromLayout(path: string, tag?: string): Promise<Image> {
    return fetchImage(ociLayout(await localFiles(path), tag === undefined ? {} : {tag}))
  }
  async function fromOciArchive(path: string, tag?: string): Promise<Image> {
    return fetchImage(ociLayout(await archiveFiles(await localFile(path)), tag === undefined ? {} : {tag}))
  }
  async function fromDockerArchive(path: string, reference?: string): Promise<Image> {
    return fetchImage(await dockerArchiveStore(await archiveFiles(await localFile(path)), {reference}))
  }

  /** skopeo's own form of what a registry sends: the manifest as it is, and blobs by their digest. */
  async function fromDir(path: string): Promise<Image> {
    const files = await localFiles(path)
    const read = async function* (name: string) {
      yield* present(await files.file(name)).read()
    }
    const blob = ({digest}: Descriptor) => read(digest.slice('sha256:'.length))
    const mediaType = 'application/vnd.docker.distribution.manifest.v2+json'
    const root = () => Promise.resolve({bytes: read('manifest.json'), mediaType})
    return fetchImage({name: path, root, manifest: blob, blob})
  }

  beforeAll(async () => {
    await umoci('init', '--layout', at('layout'))
    await umoci('new', '--image', `${at('layout')}:plain`)
    await umoci(
      'insert',
      '--rootless',
      '--image',
      `${at('layout')}:plain`,
      `${PACKAGE}/.registry`,
      '/.registry',
    )
    await umoci('new', '--image', `${at('layout')}:rooted`)
    await umoci('insert', '--rootless', '--image', `${at('layout')}:rooted`, PACKAGE, '/')
    await changedLater()
    const image = `oci:${at('layout')}:plain`
    await skopeo('copy', image, `oci:${at('copied')}:v1`)
    await skopeo('copy', '--dest-compress-format', 'zstd', '--dest-compress', image, `dir:${at('zstd')}`)
    await skopeo('copy', `dir:${at('zstd')}`, `oci:${at('zstd-layout')}:v1`)
    await skopeo('copy', '--format', 'v2s2', image, `dir:${at('v2s2')}`)
    await skopeo('copy', image, `oci-archive:${at('oci.tar')}:v1`)
    await skopeo('copy', image, `oci-archive:${at('untagged.tar')}`)
    await skopeo('copy', image, `docker-archive:${at('docker.tar')}:registry.test/team/counter:v1`)
    await skopeo(
      'copy',
      '--additional-tag',
      'library/other:v2',
      image,
      `docker-archive:${at('two-names.tar')}:counter:v1`,
    )
    await run('sh', ['-c', 'gzip -c "$0" > "$0.gz"', at('docker.tar')])
    await run('tar', ['-cf', at('by-tar.tar'), '-C', at('copied'), '.'])
  })

  /** The same package again, by way of a layer that has more, and one that takes it away. */
  async function changedLater(): Promise<void> {
    const bundle = at('bundle')
    const image = `${at('layout')}:changed`
    const registry = join(bundle, 'rootfs/.registry')
    await umoci('tag', '--image', `${at('layout')}:plain`, 'changed')
    await umoci('unpack', '--rootless', '--image', image, bundle)
    await mkdir(join(registry, 'old/deeper'), {recursive: true})
    await writeFile(join(registry, 'old/deeper/file.yaml'), 'x')
    await writeFile(join(registry, 'icon.svg'), 'another icon')
    await symlink('app.yaml', join(registry, 'same.yaml'))
    await umoci('repack', '--refresh-bundle', '--image', `${at('layout')}:more`, bundle)
    await rm(join(registry, 'old'), {recursive: true})
    await rm(join(registry, 'same.yaml'))
    await run('cp', [`${PACKAGE}/.registry/icon.svg`, registry])
    await umoci('repack', '--image', image, bundle)
    await umoci('config', '--image', image, '--config.entrypoint', '/nothing')
    await rm(bundle, {recursive: true})
  }

  function shown(files: readonly PackageFile[]): Record<string, string> {
    return Object.fromEntries(files.map(({path, bytes}) => [path, Buffer.from(bytes).toString('base64')]))
  }
  const requested = async () => shown(await directoryFiles(await localPackage(PACKAGE)))

  it.each<{name: string; read: () => Promise<Image>; tag: string | undefined}>([
    {name: 'a layout of umoci', read: () => fromLayout(at('layout'), 'plain'), tag: 'plain'},
    {
      name: 'a folder put at the root',
      read: () => fromLayout(at('layout'), 'rooted'),
      tag: 'rooted',
    },
    {
      name: 'files changed and deleted in later layers',
      read: () => fromLayout(at('layout'), 'changed'),
      tag: 'changed',
    },
    {name: 'a layout of skopeo', read: () => fromLayout(at('copied')), tag: 'v1'},
    {name: 'zstd layers', read: () => fromLayout(at('zstd-layout')), tag: 'v1'},
    {name: "Docker's manifest", read: () => fromDir(at('v2s2')), tag: undefined},
    {name: 'an oci-archive', read: () => fromOciArchive(at('oci.tar'), 'v1'), tag: 'v1'},
    {
      name: 'an oci-archive without a tag',
      read: () => fromOciArchive(at('untagged.tar')),
      tag: undefined,
    },
    {
      name: 'a layout in a tar by tar',
      read: () => fromOciArchive(at('by-tar.tar')),
      tag: 'v1',
    },
    {name: 'a docker-archive', read: () => fromDockerArchive(at('docker.tar')), tag: 'v1'},
    {
      name: 'a docker-archive by name',
      read: () => fromDockerArchive(at('docker.tar'), 'registry.test/team/counter:v1'),
      tag: 'v1',
    },
    {
      name: 'a docker-archive by its second name',
      read: () => fromDockerArchive(at('two-names.tar'), 'other:v2'),
      tag: 'v2',
    },
  ])('read $name', async ({read, tag}) => {
    const image = await read()
    expect({
      files: shown(present(await registryFiles(layersOf(image)))),
      tag: image.tag,
    }).toEqual({files: await requested(), tag})
  })

  it('read files of intermediate layers', async () => {
    const image = await fromLayout(at('layout'), 'more')
    const text = (content: string) => Buffer.from(content).toString('base64')
    const files = await requested()
    expect(shown(present(await registryFiles(layersOf(image))))).toEqual({
      ...files,
      'icon.svg': text('another icon'),
      'old/deeper/file.yaml': text('x'),
      'same.yaml': files['app.yaml'],
    })
  })

  it('have layers of the expected compression', async () => {
    const layers = [await fromLayout(at('layout'), 'changed'), await fromLayout(at('zstd-layout'))].map(
      image => layersOf(image).map(({descriptor}) => descriptor.mediaType.replace(/.*[+.]/, '')),
    )
    expect(layers).toEqual([['gzip', 'gzip', 'gzip'], ['zstd']])
  })

  it('report that a compressed archive must be decompressed', async () => {
    await expect(fromDockerArchive(at('docker.tar.gz'))).rejects.toMatchObject({
      code: 'unsupported',
      suggestions: [expect.stringContaining('gunzip')],
    })
  })

  it('have the digest that skopeo reports', async () => {
    const {stdout} = await skopeo('inspect', '--format', '{{.Digest}}', `oci:${at('copied')}:v1`)
    expect((await fromLayout(at('copied'))).descriptor.digest).toBe(stdout.trim())
  })
})
