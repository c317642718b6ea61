import {describe, expect, it} from '@jest/globals'
import {fetchImage} from '../../src/fetch/fetch-image.js'
import {layersOf} from '../../src/fetch/image.js'
import {ociLayout} from '../../src/fetch/oci-layout.js'
import type {LayoutChoice} from '../../src/fetch/oci-layout.js'
import {parsePlatform} from '../../src/fetch/platform.js'
import {outcome, present} from '../outcome.js'
import {bytesOf, memoryFiles} from './fake-sources.js'
import {OCI, indexOf, manifestOf, part, platform, tagged} from './image-parts.js'
import type {Part} from './image-parts.js'

const layer = part(OCI.layer, 'a layer')
const one = manifestOf(layer)
const two = manifestOf(layer, layer)
const list = indexOf({...one, with: platform('linux', 'amd64')}, {...two, with: platform('linux', 'arm64')})

function layoutOf(index: Part, files: Record<string, string | Uint8Array> = {}) {
  const blobs = [layer, one, two, list].map(({bytes, descriptor}) => [
    `blobs/${descriptor.digest.replace(':', '/')}`,
    bytes,
  ])
  return memoryFiles('./layout', {
    'oci-layout': '{"imageLayoutVersion": "1.0.0"}',
    'index.json': index.bytes,
    ...(Object.fromEntries(blobs) as Record<string, Buffer>),
    ...files,
  })
}

describe('ociLayout', () => {
  const byTag = indexOf({...one, with: tagged('v1')}, {...two, with: tagged('v2')})
  it.each<{name: string; reason: string; index: Part; choice?: LayoutChoice; want: unknown}>([
    {
      name: 'the only image',
      reason: 'no tag is needed',
      index: indexOf(one),
      want: {digest: one.descriptor.digest, layers: 1},
    },
    {
      name: 'its tag',
      reason: 'the layout contains it',
      index: indexOf({...one, with: tagged('v1')}),
      want: {digest: one.descriptor.digest, tag: 'v1', layers: 1},
    },
    {
      name: 'the tag of a whole name',
      reason: 'skopeo writes what it was given',
      index: indexOf({...one, with: tagged('registry.test:5000/team/package:v1')}),
      want: {digest: one.descriptor.digest, tag: 'v1', layers: 1},
    },
    {
      name: 'one by its tag',
      reason: 'of two',
      index: byTag,
      choice: {tag: 'v2'},
      want: {digest: two.descriptor.digest, tag: 'v2', layers: 2},
    },
    {name: 'none of two', reason: 'no tag is given', index: byTag, want: 'reference-invalid'},
    {
      name: 'none by another tag',
      reason: 'nothing is called so',
      index: byTag,
      choice: {tag: 'v3'},
      want: 'not-found',
    },
    {name: 'none of nothing', reason: 'it is empty', index: indexOf(), want: 'not-found'},
    {
      name: 'an image with two tags',
      reason: 'it is one image',
      index: indexOf({...one, with: tagged('v1')}, {...one, with: tagged('latest')}),
      want: {digest: one.descriptor.digest, tag: 'v1', layers: 1},
    },
    {
      name: 'an image for many platforms',
      reason: 'its index is what a reference pins',
      index: indexOf({...list, with: tagged('v1')}),
      choice: {platform: parsePlatform('linux/arm64')},
      want: {digest: list.descriptor.digest, tag: 'v1', layers: 2},
    },
    {
      name: 'by platform',
      reason: 'a layout without tags can be one image itself',
      index: list,
      choice: {platform: parsePlatform('linux/arm64')},
      want: {digest: two.descriptor.digest, layers: 2},
    },
    {
      name: 'by platform among those of one tag',
      reason: 'linux/amd64 is the default',
      index: indexOf(
        {...one, with: {...platform('linux', 'amd64'), ...tagged('v1')}},
        {...two, with: {...platform('linux', 'arm64'), ...tagged('v1')}},
      ),
      want: {digest: one.descriptor.digest, tag: 'v1', layers: 1},
    },
    {
      name: 'what is missing',
      reason: 'its blob is missing',
      index: indexOf(manifestOf()),
      want: 'not-found',
    },
  ])('finds $name: $reason', async ({index, choice = {}, want}) => {
    const found = await outcome(async () => {
      const image = await fetchImage(ociLayout(layoutOf(index), choice), choice)
      const {descriptor, tag} = image
      return {digest: descriptor.digest, tag, layers: layersOf(image).length}
    })
    expect(found).toEqual(want)
  })

  it('reads layers from the layout', async () => {
    const {layers} = await fetchImage(ociLayout(layoutOf(indexOf(one))))
    expect(String(await bytesOf(present(layers[0]).open()))).toBe('a layer')
  })

  it.each<{name: string; files: Record<string, string>; want: string}>([
    {name: 'another version', files: {'oci-layout': '{"imageLayoutVersion": "2.0.0"}'}, want: 'unsupported'},
    {name: 'a version that is not JSON', files: {'oci-layout': '1.0.0'}, want: 'source-invalid'},
    {name: 'an invalid index', files: {'index.json': '{"manifests": {}}'}, want: 'source-invalid'},
    {name: 'a long index', files: {'index.json': ' '.repeat(5 * 2 ** 20)}, want: 'limit-exceeded'},
  ])('rejects $name', async ({files, want}) => {
    expect(await outcome(() => fetchImage(ociLayout(layoutOf(indexOf(one), files))))).toBe(want)
  })

  it('reports a directory that is not a layout', async () => {
    expect(await outcome(() => fetchImage(ociLayout(memoryFiles('./dir', {}))))).toBe('not-found')
  })

  it('suggests existing tags', async () => {
    const error: unknown = await fetchImage(ociLayout(layoutOf(byTag))).catch((caught: unknown) => caught)
    expect(error).toMatchObject({suggestions: [expect.stringContaining('v1, v2')]})
  })
})
