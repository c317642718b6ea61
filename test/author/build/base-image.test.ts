import {describe, expect, it} from '@jest/globals'
import {buildImage} from '../../../src/author/build/build-image.js'
import {readBase} from '../../../src/author/build/base-image.js'
import type {ImageStore} from '../../../src/fetch/image-store.js'
import {blobsOf, documentsOf, type Image, layersOf} from '../../../src/fetch/image.js'
import {fetchImage} from '../../../src/fetch/fetch-image.js'
import {SOURCE_LIMITS} from '../../../src/fetch/source-limits.js'
import {registryFiles} from '../../../src/unpack/files/layer-files.js'
import {examinePackage} from '../../../src/unpack/read-package.js'
import {registryFilesIn} from '../../corpus.js'
import {chunked} from '../../fetch/fake-sources.js'
import {digestOf, indexOf, OCI, part, platform, type Part} from '../../fetch/image-parts.js'
import {tarOfFiles} from '../../fetch/raw-tar.js'
import {present} from '../../outcome.js'

const files = registryFilesIn('test/testdata/packages/image-counter/.registry')
const app = present(examinePackage(files).app)

/** A store in memory: parts by digest, and the one that is the root. */
function storeOf(root: Part, ...parts: readonly Part[]): ImageStore {
  const known = new Map([root, ...parts].map(each => [each.descriptor.digest, each.bytes]))
  const read = ({digest}: {readonly digest: Part['descriptor']['digest']}) =>
    chunked(present(known.get(digest)))
  return {
    name: 'oci:./base',
    root: () => Promise.resolve({...root.descriptor, bytes: read(root.descriptor)}),
    manifest: read,
    blob: read,
  }
}

/** The built image, as it is read back. */
function builtStore(image: Image): ImageStore {
  const read = async function* ({digest}: {readonly digest: string}) {
    const manifest = documentsOf(image).find(({descriptor}) => descriptor.digest === digest)
    if (manifest !== undefined) yield manifest.bytes
    else yield* present(blobsOf(image).find(({descriptor}) => descriptor.digest === digest)).open()
  }
  return {
    name: 'built',
    root: () => Promise.resolve({...image.descriptor, bytes: read(image.descriptor)}),
    manifest: read,
    blob: read,
  }
}

const below = part(
  OCI.layer,
  tarOfFiles({'bin/': '', 'bin/run': 'run', '.registry/': '', '.registry/old.yaml': 'x'}),
)
const settings = {
  architecture: 'arm64',
  os: 'linux',
  created: '2020-01-01T00:00:00Z',
  config: {
    Entrypoint: ['/bin/run'],
    Labels: {'org.opencontainers.image.title': 'Busybox', team: 'ours'},
  },
  rootfs: {type: 'layers', diff_ids: [digestOf(below.bytes)]},
  history: [{created_by: 'base'}],
}
const config = part(OCI.config, settings)
const annotations = {'org.opencontainers.image.version': '9', 'com.example.kept': 'yes'}
const manifest = (more: object = {}, layers: readonly Part[] = [below], own: Part = config) =>
  part(OCI.manifest, {
    schemaVersion: 2,
    mediaType: OCI.manifest,
    config: own.descriptor,
    layers: layers.map(({descriptor}) => descriptor),
    ...more,
  })

async function onto(store: ImageStore, name?: string): Promise<Image> {
  return buildImage({app, files, base: await readBase(store, name)})
}
const documentIn = (image: Image, at: number) =>
  JSON.parse(Buffer.from(present(documentsOf(image).at(at)).bytes).toString()) as Record<string, unknown>

async function configIn(image: Image): Promise<unknown> {
  for await (const chunk of present(image.config).open()) return JSON.parse(Buffer.from(chunk).toString())
  return undefined
}

const namesIn = async (image: Image) =>
  present(await registryFiles(layersOf(image)))
    .map(({path}) => path)
    .sort()

describe('a package on top of an image', () => {
  it('has one additional layer, which hides the .registry/ below', async () => {
    const image = await onto(storeOf(manifest(), below, config))
    const read = await fetchImage(builtStore(image))
    expect({layers: read.layers.length, names: await namesIn(read)}).toEqual({
      layers: 2,
      names: files.map(({path}) => path).sort(),
    })
    expect(read.layers[0]?.descriptor.digest).toBe(below.descriptor.digest)
  })

  it('runs like the base image, with the annotations of the package', async () => {
    const base = manifest({annotations})
    const image = await onto(storeOf(base, below, config), 'registry.example.org/busybox:9')
    const labels = expect.objectContaining({
      'org.opencontainers.image.title': 'Counter',
      'org.opencontainers.image.version': '0.3.0',
      'org.opencontainers.image.base.digest': base.descriptor.digest,
      'org.opencontainers.image.base.name': 'registry.example.org/busybox:9',
    })
    expect(await configIn(image)).toEqual({
      ...settings,
      config: {Entrypoint: ['/bin/run'], Labels: labels},
      rootfs: {type: 'layers', diff_ids: [digestOf(below.bytes), expect.stringMatching(/^sha256:/)]},
      history: [{created_by: 'base'}, {created_by: 'kubectl crossplane package build'}],
    })
    expect(await configIn(image)).toMatchObject({config: {Labels: {team: 'ours'}}})
    expect(documentIn(image, 0).annotations).toEqual(labels)
    expect(documentIn(image, 0).annotations).toMatchObject({'com.example.kept': 'yes'})
  })

  it('is one image for each platform of an index, without attestations of the base images', async () => {
    const second = part(OCI.config, {...settings, architecture: 'amd64'})
    const [one, other] = [manifest(), manifest({}, [below], second)]
    const proof = manifest({annotations: {a: 'b'}})
    const index = indexOf(
      {...one, with: platform('linux', 'arm64')},
      {...other, with: platform('linux', 'amd64', 'v2')},
      {
        ...proof,
        with: {...platform('unknown', 'unknown'), annotations: {'vnd.docker.reference.type': 'attestation'}},
      },
    )
    const image = await onto(storeOf(index, one, other, proof, below, config, second))
    const {manifests} = documentIn(image, -1) as {manifests: readonly {platform: unknown}[]}
    expect(manifests.map(each => each.platform)).toEqual([
      {os: 'linux', architecture: 'arm64'},
      {os: 'linux', architecture: 'amd64', variant: 'v2'},
    ])
    expect(
      blobsOf(image).filter(({descriptor}) => descriptor.digest === below.descriptor.digest),
    ).toHaveLength(1)
    const requested = {platform: {os: 'linux', architecture: 'arm64'}}
    expect(await namesIn(await fetchImage(builtStore(image), requested))).toEqual(
      files.map(({path}) => path).sort(),
    )
  })

  it('has OCI media types for a base of any type', async () => {
    const docker = 'application/vnd.docker'
    const layer = part(`${docker}.image.rootfs.diff.tar`, below.bytes)
    const own = part(`${docker}.container.image.v1+json`, settings)
    const type = `${docker}.distribution.manifest.v2+json`
    const root = part(type, {
      ...(JSON.parse(manifest({}, [layer], own).bytes.toString()) as object),
      mediaType: type,
    })
    const image = await onto(storeOf(root, layer, own))
    const types = [...blobsOf(image), ...documentsOf(image)].map(({descriptor}) => descriptor.mediaType)
    expect(types.filter(each => !each.startsWith('application/vnd.oci.'))).toEqual([])
  })

  it('moves the annotation of the package layer to the new layer', async () => {
    const before = buildImage({app, files})
    const image = await onto(builtStore(before))
    const {layers} = documentIn(image, 0) as {layers: readonly {annotations?: object}[]}
    expect(layers.map(each => each.annotations)).toEqual([
      undefined,
      {'io.crossplane.package.registry-layer': 'whole'},
    ])
  })

  const many = Array.from({length: SOURCE_LIMITS.layers}, () => below)
  const longConfig = part(OCI.config, {
    ...settings,
    rootfs: {type: 'layers', diff_ids: many.map(() => digestOf(below.bytes))},
  })
  const foreign = part('application/vnd.docker.image.rootfs.foreign.diff.tar.gzip', 'x')
  const artifact = part('application/vnd.example.config+json', {})

  it.each([
    {
      name: 'a config of other layers',
      store: storeOf(manifest({}, [below, below]), below, config),
      code: 'source-invalid',
    },
    {
      name: 'an artifact',
      store: storeOf(manifest({}, [below], artifact), below, artifact),
      code: 'unsupported',
    },
    {name: 'a layer of another vendor', store: storeOf(manifest({}, [foreign]), config), code: 'unsupported'},
    {
      name: 'as many layers as run anywhere',
      store: storeOf(manifest({}, many, longConfig), below, longConfig),
      code: 'limit-exceeded',
    },
    {name: 'an index of nothing', store: storeOf(indexOf()), code: 'unsupported'},
  ])('is not built on $name', async ({store, code}) => {
    await expect(readBase(store)).rejects.toMatchObject({code})
  })

  it('is rejected on too deeply nested indexes', async () => {
    let root = manifest()
    const parts = [root]
    for (let depth = 0; depth <= SOURCE_LIMITS.indexDepth; depth++) parts.push((root = indexOf(root)))
    await expect(readBase(storeOf(root, ...parts, below, config))).rejects.toMatchObject({
      code: 'limit-exceeded',
    })
  })
})
