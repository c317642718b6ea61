import {describe, expect, it} from '@jest/globals'
import type {Blob} from '../../../src/fetch/image.js'
import {REGISTRY_LAYER, WHOLE} from '../../../src/fetch/registry-layer.js'
import {registryFiles} from '../../../src/unpack/files/layer-files.js'
import {memoryLayer} from '../../fetch/fake-sources.js'
import {member, rawTar, tarOfFiles} from '../../fetch/raw-tar.js'
import {outcome, present} from '../../outcome.js'

const directory = member({name: '.registry/', type: '5'})
const opaque = member({name: '.registry/.wh..wh..opq'})
const app = (content: string) => member({name: '.registry/app.yaml'}, content)
const old = tarOfFiles({'.registry/app.yaml': 'old', '.registry/old.yaml': 'old', 'bin/manager': 'x'})
const linked = rawTar(member({name: '.registry', type: '2', linkName: 'etc'}))
const hardLinked = member({name: '.registry/new.yaml', type: '1', linkName: '.registry/old.yaml'})

/** What is read of the layers, and which of them were opened, the upper ones claiming to be whole or not. */
async function reading(layers: readonly Uint8Array[], claims: readonly number[]) {
  const opened = new Set<number>()
  const watched = layers.map((bytes, index): Blob => {
    const layer = memoryLayer(bytes)
    const open = () => {
      opened.add(index)
      return layer.open()
    }
    const annotations: Record<string, string> = claims.includes(index) ? {[REGISTRY_LAYER]: WHOLE} : {}
    return {descriptor: {...layer.descriptor, annotations}, open}
  })
  const files = await outcome(async () =>
    Object.fromEntries(
      present(await registryFiles(watched)).map(({path, bytes}) => [path, Buffer.from(bytes).toString()]),
    ),
  )
  return {files, opened: [...opened].sort()}
}

describe('a layer that claims to hold all of .registry/', () => {
  it.each<{
    name: string
    layers: readonly Uint8Array[]
    claims: readonly number[]
    want: unknown
    opened: readonly number[]
  }>([
    {
      name: 'and does: those below it are not read',
      layers: [old, old, rawTar(directory, opaque, app('new'))],
      claims: [2],
      want: {'app.yaml': 'new'},
      opened: [2],
    },
    {
      name: 'and does, with layers above it: they are read',
      layers: [old, rawTar(directory, opaque, app('new')), tarOfFiles({'.registry/later.yaml': 'later'})],
      claims: [1],
      want: {'app.yaml': 'new', 'later.yaml': 'later'},
      opened: [1, 2],
    },
    {
      name: 'twice: the upper one counts',
      layers: [old, rawTar(directory, opaque, app('new')), rawTar(directory, opaque, app('newer'))],
      claims: [1, 2],
      want: {'app.yaml': 'newer'},
      opened: [2],
    },
    {
      name: 'over a link: the directory replaces it',
      layers: [linked, rawTar(directory, opaque, app('new'))],
      claims: [1],
      want: {'app.yaml': 'new'},
      opened: [1],
    },
    {
      name: 'as the lowest: no layer is skipped',
      layers: [tarOfFiles({'.registry/app.yaml': 'only'})],
      claims: [0],
      want: {'app.yaml': 'only'},
      opened: [0],
    },
    {
      name: 'with a file elsewhere above it: all are read, since a link of a lower layer may lead it into .registry/',
      layers: [old, rawTar(directory, opaque, app('new')), tarOfFiles({'usr/doc': 'x'})],
      claims: [1],
      want: {'app.yaml': 'new'},
      opened: [0, 1, 2],
    },
    {
      name: 'with a file above it that passes a link below it: rejected as without the claim',
      layers: [
        rawTar(member({name: 'x', type: '2', linkName: '/'})),
        rawTar(directory, opaque, app('new')),
        tarOfFiles({'x/.registry/app.yaml': 'other'}),
      ],
      claims: [1],
      want: 'source-unsafe',
      opened: [0, 1, 2],
    },
    {
      name: 'and has no whiteout: all are read',
      layers: [old, rawTar(directory, app('new'))],
      claims: [1],
      want: {'app.yaml': 'new', 'old.yaml': 'old'},
      opened: [0, 1],
    },
    {
      name: 'and has its whiteout too late: all are read',
      layers: [old, rawTar(directory, hardLinked, opaque)],
      claims: [1],
      want: {'new.yaml': 'old'},
      opened: [0, 1],
    },
    {
      name: 'and links to a hidden file: rejected as without the claim',
      layers: [old, rawTar(directory, opaque, hardLinked)],
      claims: [1],
      want: 'source-unsafe',
      opened: [1],
    },
    {
      name: 'and holds nothing: all are read',
      layers: [old, rawTar(), tarOfFiles({'.registry/later.yaml': 'later'})],
      claims: [1],
      want: {'app.yaml': 'old', 'old.yaml': 'old', 'later.yaml': 'later'},
      opened: [0, 1, 2],
    },
    {
      name: 'and is the last, and holds nothing: all are read',
      layers: [old, rawTar(directory)],
      claims: [1],
      want: {'app.yaml': 'old', 'old.yaml': 'old'},
      opened: [0, 1],
    },
  ])('$name', async ({layers, claims, want, opened}) => {
    expect(await reading(layers, claims)).toEqual({files: want, opened})
    expect((await reading(layers, [])).files).toEqual(want)
  })
})
