import {describe, expect, it} from '@jest/globals'
import {fetchImage} from '../../src/fetch/fetch-image.js'
import type {FetchOptions} from '../../src/fetch/fetch-image.js'
import type {ImageStore, RootDocument} from '../../src/fetch/image-store.js'
import {layersOf} from '../../src/fetch/image.js'
import {parsePlatform} from '../../src/fetch/platform.js'
import {claimsWholeRegistry, REGISTRY_LAYER} from '../../src/fetch/registry-layer.js'
import {SOURCE_LIMITS} from '../../src/fetch/source-limits.js'
import {outcome, present} from '../outcome.js'
import {bytesOf, chunked} from './fake-sources.js'
import {OCI, digestOf, indexOf, manifestOf, part, platform} from './image-parts.js'
import type {Part} from './image-parts.js'

const DOCKER = {
  list: 'application/vnd.docker.distribution.manifest.list.v2+json',
  manifest: 'application/vnd.docker.distribution.manifest.v2+json',
  layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
}

/** A store of parts, which keeps manifests and blobs apart as a registry does. */
function storeOf(root: Part, others: readonly Part[] = [], document: Partial<RootDocument> = {}): ImageStore {
  const find = (digest: string) =>
    others.find(({descriptor}) => descriptor.digest === digest)?.bytes ?? Buffer.alloc(0)
  return {
    name: 'registry.test/p:v1',
    root: () => Promise.resolve({bytes: chunked(root.bytes), ...root.descriptor, ...document}),
    manifest: ({digest}) => chunked(find(digest)),
    blob: ({digest}) => chunked(find(digest)),
  }
}

const layer = part(OCI.layer, 'a layer')
const other = part(OCI.layer, 'another layer')
const image = manifestOf(layer, other)
const arm = manifestOf(other)

async function shown(store: ImageStore, options?: FetchOptions) {
  const image = await fetchImage(store, options)
  const layers = layersOf(image).map(({descriptor: {digest, size, mediaType}}) => ({digest, size, mediaType}))
  return {digest: image.descriptor.digest, tag: image.tag, layers}
}

describe('fetchImage', () => {
  it('returns the image of a manifest', async () => {
    expect(await shown(storeOf(image, [], {tag: 'v1'}))).toEqual({
      digest: image.descriptor.digest,
      tag: 'v1',
      layers: [layer.descriptor, other.descriptor],
    })
  })

  it.each<{name: string; annotations: object; want: unknown}>([
    {name: 'a claim', annotations: {[REGISTRY_LAYER]: 'whole'}, want: [false, true]},
    {name: 'a claim of another kind', annotations: {[REGISTRY_LAYER]: 'part'}, want: [false, false]},
  ])('detects $name by the annotation of a layer', async ({annotations, want}) => {
    const [below, above] = [layer.descriptor, {...other.descriptor, annotations}]
    const root = part(OCI.manifest, {schemaVersion: 2, layers: [below, above]})
    const found = await outcome(async () =>
      layersOf(await fetchImage(storeOf(root))).map(each => claimsWholeRegistry(each.descriptor)),
    )
    expect(found).toEqual(want)
  })

  it('opens layers any number of times', async () => {
    const {layers} = await fetchImage(storeOf(manifestOf(layer), [layer]))
    const texts = [await bytesOf(present(layers[0]).open()), await bytesOf(present(layers[0]).open())].map(
      String,
    )
    expect(texts).toEqual(['a layer', 'a layer'])
  })

  it.each<{name: string; reason: string; stored: string; want: string}>([
    {name: 'other bytes', reason: 'same size', stored: 'A layer', want: 'digest-mismatch'},
    {
      name: 'more bytes',
      reason: 'rejected before the end',
      stored: 'a layer and more',
      want: 'digest-mismatch',
    },
    {name: 'fewer bytes', reason: 'truncated', stored: 'a la', want: 'digest-mismatch'},
  ])('rejects a layer of $name: $reason', async ({stored, want}) => {
    const store = storeOf(manifestOf(layer), [{...layer, bytes: Buffer.from(stored)}])
    const {layers} = await fetchImage(store)
    expect(await outcome(() => bytesOf(present(layers[0]).open()))).toBe(want)
  })

  describe('chooses from an index', () => {
    const index = indexOf(
      {...image, with: platform('linux', 'amd64')},
      {...arm, with: platform('linux', 'arm64', 'v8')},
    )
    const attestation = {
      ...part(OCI.manifest, {}),
      with: {
        ...platform('unknown', 'unknown'),
        annotations: {'vnd.docker.reference.type': 'attestation-manifest'},
      },
    }
    const nested = (depth: number): Part => (depth === 0 ? image : indexOf(nested(depth - 1)))

    it.each<{name: string; reason: string; root: Part; requested?: string; want: unknown}>([
      {name: 'linux/amd64', reason: 'the default', root: index, want: [layer, other]},
      {name: 'another platform', reason: 'requested', root: index, requested: 'linux/arm64', want: [other]},
      {name: 'none', reason: 'nothing fits', root: index, requested: 'linux/s390x', want: 'not-found'},
      {name: 'none of nothing', reason: 'it is empty', root: indexOf(), want: 'not-found'},
      {
        name: 'the only one',
        reason: 'no platform is given',
        root: indexOf(image),
        requested: 'linux/arm64',
        want: [layer, other],
      },
      {name: 'none of two', reason: 'no platforms are given', root: indexOf(image, arm), want: 'not-found'},
      {
        name: 'a matching platform before an entry without one',
        reason: 'the other one could be anything',
        root: indexOf(arm, {...image, with: platform('linux', 'amd64')}),
        want: [layer, other],
      },
      {
        name: 'the only one beside an attestation',
        reason: 'an attestation is not an image',
        root: indexOf(attestation, image),
        want: [layer, other],
      },
      {
        name: 'no attestation',
        reason: 'there is nothing else',
        root: indexOf(attestation),
        want: 'not-found',
      },
      {
        name: 'no artifact',
        reason: 'signatures are listed beside images',
        root: indexOf(part('application/vnd.dev.cosign.simplesigning.v1+json', {}), image),
        want: [layer, other],
      },
      {name: 'through four indexes', reason: 'the limit', root: nested(4), want: [layer, other]},
      {name: 'through five indexes', reason: 'beyond it', root: nested(5), want: 'limit-exceeded'},
    ])('$name: $reason', async ({root, requested, want}) => {
      const store = storeOf(root, [image, arm, ...[1, 2, 3, 4].map(nested)])
      const options = requested === undefined ? {} : {platform: parsePlatform(requested)}
      const layers = await outcome(async () => (await shown(store, options)).layers)
      expect(layers).toEqual(Array.isArray(want) ? (want as Part[]).map(({descriptor}) => descriptor) : want)
    })

    it('pins the index, not the selected manifest', async () => {
      expect((await shown(storeOf(index, [image, arm]))).digest).toBe(index.descriptor.digest)
    })

    it('rejects a manifest other than the listed one', async () => {
      const store = storeOf(index, [{...image, bytes: arm.bytes}])
      expect(await outcome(() => shown(store))).toBe('digest-mismatch')
    })
  })

  const stray = {schemaVersion: 2, mediaType: OCI.manifest, layers: [], config: {}, manifests: []}
  const descriptor = layer.descriptor
  it.each<{name: string; mediaType?: string; document: object | string; want: unknown}>([
    {
      name: 'Docker manifests',
      mediaType: DOCKER.manifest,
      document: {
        schemaVersion: 2,
        mediaType: DOCKER.manifest,
        layers: [{...descriptor, mediaType: DOCKER.layer}],
      },
      want: 1,
    },
    {
      name: 'a type known only to the document',
      mediaType: 'application/json; charset=utf-8',
      document: {schemaVersion: 2, mediaType: OCI.manifest, layers: []},
      want: 0,
    },
    {name: 'a type known only to the source', document: {schemaVersion: 2, layers: []}, want: 0},
    {
      name: 'a type that only the fields show',
      mediaType: '',
      document: {schemaVersion: 2, layers: []},
      want: 0,
    },
    {
      name: 'an index that only the fields show',
      mediaType: '',
      document: {schemaVersion: 2, manifests: []},
      want: 'not-found',
    },
    {
      name: 'OCI called Docker',
      mediaType: DOCKER.manifest,
      document: {schemaVersion: 2, mediaType: OCI.manifest, layers: []},
      want: 0,
    },
    {
      name: 'an index called manifest',
      document: {schemaVersion: 2, mediaType: OCI.index, manifests: []},
      want: 'source-invalid',
    },
    {name: 'a manifest that is an index too', document: stray, want: 'source-invalid'},
    {
      name: 'an index that is a manifest too',
      mediaType: OCI.index,
      document: {...stray, mediaType: OCI.index},
      want: 'source-invalid',
    },
    {
      name: 'schema 1',
      mediaType: 'application/vnd.docker.distribution.manifest.v1+prettyjws',
      document: {schemaVersion: 1, fsLayers: []},
      want: 'unsupported',
    },
    {name: 'schema 1 called otherwise', document: {schemaVersion: 1, fsLayers: []}, want: 'unsupported'},
    {
      name: 'an artifact manifest',
      mediaType: 'application/vnd.oci.artifact.manifest.v1+json',
      document: {schemaVersion: 2, blobs: []},
      want: 'unsupported',
    },
    {
      name: 'an unknown type',
      mediaType: 'application/vnd.acme+json',
      document: {schemaVersion: 2, layers: []},
      want: 'unsupported',
    },
    {name: 'nothing known', mediaType: 'application/json', document: {schemaVersion: 2}, want: 'unsupported'},
    {
      name: 'a Helm chart',
      document: {
        schemaVersion: 2,
        layers: [{...descriptor, mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip'}],
      },
      want: 'unsupported',
    },
    {
      name: 'sha512',
      document: {schemaVersion: 2, layers: [{...descriptor, digest: `sha512:${'a'.repeat(128)}`}]},
      want: 'unsupported',
    },
    {
      name: 'a digest too short',
      document: {schemaVersion: 2, layers: [{...descriptor, digest: 'sha256:abc'}]},
      want: 'source-invalid',
    },
    {
      name: 'a path for a digest',
      document: {schemaVersion: 2, layers: [{...descriptor, digest: '../../etc/passwd'}]},
      want: 'source-invalid',
    },
    {
      name: 'a negative size',
      document: {schemaVersion: 2, layers: [{...descriptor, size: -1}]},
      want: 'source-invalid',
    },
    {
      name: 'a size in words',
      document: {schemaVersion: 2, layers: [{...descriptor, size: '7'}]},
      want: 'source-invalid',
    },
    {name: 'no layers', document: {schemaVersion: 2, mediaType: OCI.manifest}, want: 'source-invalid'},
    {name: 'no schema version', document: {mediaType: OCI.manifest, layers: []}, want: 'source-invalid'},
    {name: 'a list', document: [], want: 'source-invalid'},
    {name: 'no JSON', document: '{', want: 'source-invalid'},
    {name: 'no UTF-8', document: '{"schemaVersion": 2, "a": "\xe9"}', want: 'source-invalid'},
    {name: 'deep JSON', document: '['.repeat(2_000_000), want: 'source-invalid'},
    {name: '127 layers', document: {schemaVersion: 2, layers: new Array(127).fill(descriptor)}, want: 127},
    {
      name: '128 layers',
      document: {schemaVersion: 2, layers: new Array(128).fill(descriptor)},
      want: 'limit-exceeded',
    },
    {name: '5 MiB', document: ' '.repeat(5 * 2 ** 20), want: 'limit-exceeded'},
  ])('reads or rejects $name', async ({mediaType = OCI.manifest, document, want}) => {
    const bytes = typeof document === 'string' ? Buffer.from(document, 'latin1') : document
    const store = storeOf(part(mediaType, bytes))
    expect(await outcome(async () => (await shown(store)).layers.length)).toBe(want)
  })

  it('reports all errors of a manifest', async () => {
    const layers = [{mediaType: '', digest: 'x', size: 1.5}, 'no']
    const error: unknown = await fetchImage(storeOf(part(OCI.manifest, {schemaVersion: 2, layers}))).catch(
      (caught: unknown) => caught,
    )
    expect(error).toMatchObject({
      code: 'source-invalid',
      diagnostics: ['layers[0].mediaType', 'layers[0].digest', 'layers[0].size', 'layers[1]'].map(field => ({
        field,
      })),
    })
  })

  it.each<{name: string; document: Partial<RootDocument>; want: unknown}>([
    {
      name: 'the requested digest',
      document: {digest: image.descriptor.digest},
      want: image.descriptor.digest,
    },
    {name: 'another', document: {digest: digestOf(Buffer.from('x'))}, want: 'digest-mismatch'},
    {name: 'none', document: {digest: undefined, size: undefined}, want: image.descriptor.digest},
  ])('compares the root with $name', async ({document, want}) => {
    expect(await outcome(async () => (await shown(storeOf(image, [], document))).digest)).toBe(want)
  })

  it('rejects a listed manifest by its size alone', async () => {
    const huge = {...image, descriptor: {...image.descriptor, size: SOURCE_LIMITS.manifestBytes + 1}}
    expect(await outcome(() => shown(storeOf(indexOf(huge), [image])))).toBe('limit-exceeded')
  })
})
