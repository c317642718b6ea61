import {describe, expect, it} from '@jest/globals'
import {dockerArchiveStore} from '../../src/fetch/docker-archive-store.js'
import {fetchImage} from '../../src/fetch/fetch-image.js'
import {outcome, present} from '../outcome.js'
import {bytesOf, memoryFiles} from './fake-sources.js'
import {digestOf} from './image-parts.js'

const blob = Buffer.from('a blob')
const blobPath = `blobs/${digestOf(blob).replace(':', '/')}`
const FILES = {'one/layer.tar': 'one', 'two/layer.tar': 'two', [blobPath]: blob}

const archive = (manifest: unknown, files: Record<string, string | Uint8Array> = FILES) =>
  memoryFiles('a.tar', {
    ...files,
    'manifest.json': typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
  })

const one = {Config: 'one.json', RepoTags: ['team/package:v1'], Layers: ['one/layer.tar']}
const two = {
  Config: 'two.json',
  RepoTags: ['docker.io/library/other:v2', 'other:stable'],
  Layers: ['one/layer.tar', 'two/layer.tar'],
}
const untagged = {Config: 'three.json', RepoTags: null, Layers: ['two/layer.tar']}

describe('an image of a docker archive', () => {
  it.each<{name: string; manifest: unknown; reference?: string; want: unknown}>([
    {name: 'the only image', manifest: [one], want: {tag: 'v1', layers: ['one']}},
    {name: 'one without a name', manifest: [untagged], want: {layers: ['two']}},
    {
      name: 'one without layers',
      manifest: [{RepoTags: ['a:v1'], Layers: null}],
      want: {tag: 'v1', layers: []},
    },
    {name: 'no tag where there are two', manifest: [two], want: {layers: ['one', 'two']}},
    {name: 'by name', manifest: [one, two], reference: 'team/package:v1', want: {tag: 'v1', layers: ['one']}},
    {
      name: 'by the long name',
      manifest: [one, two],
      reference: 'docker.io/team/package:v1',
      want: {tag: 'v1', layers: ['one']},
    },
    {
      name: 'by the short name',
      manifest: [one, two],
      reference: 'other:v2',
      want: {tag: 'v2', layers: ['one', 'two']},
    },
    {
      name: 'latest for no tag',
      manifest: [{...one, RepoTags: ['a:latest']}, two],
      reference: 'a',
      want: {tag: 'latest', layers: ['one']},
    },
    {name: 'by number', manifest: [one, untagged], reference: '@1', want: {layers: ['two']}},
    {
      name: 'a registry with a port',
      manifest: [{...one, RepoTags: ['r.test:5000/a:v1']}],
      reference: 'r.test:5000/a:v1',
      want: {tag: 'v1', layers: ['one']},
    },
    {name: 'none of several', manifest: [one, two], want: 'reference-invalid'},
    {name: 'none by another name', manifest: [one], reference: 'team/package:v2', want: 'not-found'},
    {name: 'none by another number', manifest: [one], reference: '@1', want: 'not-found'},
    {name: 'none of none', manifest: [], want: 'not-found'},
    {name: 'a manifest that is not a list', manifest: 'null', want: 'source-invalid'},
    {name: 'a manifest that is not JSON', manifest: '[', want: 'source-invalid'},
    {name: 'layers that are not a list', manifest: [{...one, Layers: {}}], want: 'source-invalid'},
    {name: 'a missing layer', manifest: [{...one, Layers: ['none.tar']}], want: 'source-invalid'},
    {name: 'a layer outside', manifest: [{...one, Layers: ['../../etc/passwd']}], want: 'source-unsafe'},
    {
      name: '128 layers',
      manifest: [{...one, Layers: new Array(128).fill('one/layer.tar')}],
      want: 'limit-exceeded',
    },
  ])('finds $name', async ({manifest, reference, want}) => {
    const found = await outcome(async () => {
      const image = await fetchImage(await dockerArchiveStore(archive(manifest), {reference}))
      const layers = await Promise.all(image.layers.map(async layer => String(await bytesOf(layer.open()))))
      return {tag: image.tag, layers}
    })
    expect(found).toEqual(want)
  })

  it('is rejected without manifest.json', async () => {
    expect(await outcome(() => dockerArchiveStore(memoryFiles('a.tar', {})))).toBe('not-found')
  })

  it.each([
    {name: 'a layer of the right digest', stored: 'a blob', want: 'a blob'},
    {name: 'a layer of another digest', stored: 'A blob', want: 'digest-mismatch'},
  ])('reads a layer named by its digest: $name', async ({stored, want}) => {
    const store = await dockerArchiveStore(archive([{Layers: [blobPath]}], {[blobPath]: stored}))
    const {layers} = await fetchImage(store)
    const text = await outcome(async () => String(await bytesOf(present(layers[0]).open())))
    expect({text, digest: present(layers[0]).descriptor.digest}).toEqual({text: want, digest: digestOf(blob)})
  })
})
