import {describe, expect, it} from '@jest/globals'
import type {Blob} from '../../../src/fetch/image.js'
import {SOURCE_LIMITS} from '../../../src/fetch/source-limits.js'
import {findStream} from '../../../src/xpkg/image/xpkg-stream.js'
import {memoryLayer} from '../../fetch/fake-sources.js'
import {member, rawTar, tarOfFiles} from '../../fetch/raw-tar.js'
import {outcome} from '../../outcome.js'

function layer(tar: Uint8Array, annotation?: string): Blob {
  const plain = memoryLayer(tar)
  if (annotation === undefined) return plain
  return {...plain, descriptor: {...plain.descriptor, annotations: {'io.crossplane.xpkg': annotation}}}
}

async function read(layers: readonly Blob[]) {
  const found = await findStream(layers)
  return found && {text: Buffer.from(found.bytes).toString(), baseLayers: found.baseLayers}
}

const stream = (text: string) => tarOfFiles({'package.yaml': text})

describe('findStream', () => {
  it.each<{name: string; layers: readonly Blob[]; want: unknown}>([
    {
      name: 'reads the annotated layer alone',
      layers: [layer(stream('other')), layer(stream('base'), 'base'), layer(stream('later'))],
      want: {text: 'base', baseLayers: 1},
    },
    {
      name: 'reads the first of two annotated layers',
      layers: [layer(stream('first'), 'base'), layer(stream('second'), 'base')],
      want: {text: 'first', baseLayers: 2},
    },
    {
      name: 'compares the annotation exactly, and searches all layers without it',
      layers: [layer(stream('x'), 'Base')],
      want: {text: 'x', baseLayers: 0},
    },
    {
      name: 'ignores the layer of examples',
      layers: [layer(stream('base'), 'base'), layer(tarOfFiles({'.up/examples.yaml': 'x'}), 'upbound')],
      want: {text: 'base', baseLayers: 1},
    },
    {
      name: 'takes the file of the highest layer',
      layers: [layer(stream('lower')), layer(stream('higher'))],
      want: {text: 'higher', baseLayers: 0},
    },
    {
      name: 'finds the file at any depth, the first one of a layer',
      layers: [layer(tarOfFiles({'a/b/package.yaml': 'first', 'package.yaml': 'second'}))],
      want: {text: 'first', baseLayers: 0},
    },
    {
      name: 'does not see a file that a higher layer deletes',
      layers: [layer(tarOfFiles({'a/package.yaml': 'deleted'})), layer(tarOfFiles({'.wh.a': ''}))],
      want: undefined,
    },
    {
      name: 'does not follow links',
      layers: [layer(rawTar(member({name: 'package.yaml', type: '2', linkName: '/etc/passwd'})))],
      want: undefined,
    },
    {name: 'finds nothing in other images', layers: [layer(tarOfFiles({'bin/x': 'x'}))], want: undefined},
  ])('$name', async ({layers, want}) => {
    expect(await read(layers)).toEqual(want)
  })

  it('does not search other layers for that of an annotated one', async () => {
    const layers = [layer(tarOfFiles({'crossplane.yaml': 'x'}), 'base'), layer(stream('x'))]
    expect(await outcome(() => findStream(layers))).toBe('source-invalid')
  })

  it('rejects a stream beyond the limit', async () => {
    const limits = {...SOURCE_LIMITS, xpkgBytes: 10}
    const layers = [layer(stream('x'.repeat(11)), 'base')]
    expect(await outcome(() => findStream(layers, limits))).toBe('limit-exceeded')
  })
})
