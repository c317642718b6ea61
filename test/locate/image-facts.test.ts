import {describe, expect, it} from '@jest/globals'
import type {Image} from '../../src/fetch/image.js'
import {imageFacts} from '../../src/locate/image-files.js'
import {memoryLayer} from '../fetch/fake-sources.js'
import {member, rawTar, tarOfFiles} from '../fetch/raw-tar.js'

function image(user: string, ...layers: readonly Uint8Array[]): Image {
  const [config, manifest] = [Buffer.from(JSON.stringify({config: {User: user}})), Buffer.from('{}')]
  const {descriptor} = memoryLayer(manifest)
  return {
    descriptor,
    bytes: manifest,
    config: memoryLayer(config),
    layers: layers.map(bytes => memoryLayer(bytes)),
  }
}

describe('what the containers of an image can run', () => {
  const registry = tarOfFiles({'.registry/app.yaml': 'app', cp: 'not on the PATH', 'home/bin/cp': 'neither'})

  it.each([
    {name: 'a program', layer: tarOfFiles({'./usr/bin/cp': 'program'}), hasCopy: true},
    {
      name: 'a link to busybox',
      layer: rawTar(member({name: 'bin/cp', type: '2', linkName: '/bin/busybox'})),
      hasCopy: true,
    },
    {name: 'a folder of the name', layer: rawTar(member({name: 'bin/cp/', type: '5'})), hasCopy: false},
    {name: 'nothing', layer: tarOfFiles({'bin/sh': 'program'}), hasCopy: false},
  ])('includes $name: $hasCopy', async ({layer, hasCopy}) => {
    expect(await imageFacts(image('65532', layer, registry))).toEqual({user: '65532', hasCopy})
    expect(await imageFacts(image('', registry, layer))).toEqual({user: '', hasCopy})
  })
})
