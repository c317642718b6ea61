import {describe, expect, it} from '@jest/globals'
import {directoryFiles, folderInDirectory} from '../../../src/unpack/files/directory-files.js'
import {folderInLayers, registryFiles} from '../../../src/unpack/files/layer-files.js'
import type {PackageFile} from '../../../src/unpack/package-file.js'
import {localPackage} from '../../../src/adapters/local-package.js'
import {memoryLayer} from '../../fetch/fake-sources.js'
import {member, rawTar, tarOfFiles} from '../../fetch/raw-tar.js'
import {outcome} from '../../outcome.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {symlinkSync} from 'node:fs'
import {join} from 'node:path'

const texts = (files: readonly PackageFile[] | undefined | string) =>
  Array.isArray(files)
    ? Object.fromEntries(
        (files as readonly PackageFile[]).map(({path, bytes}) => [path, Buffer.from(bytes).toString()]),
      )
    : files

describe('another folder of an image', () => {
  const lower = tarOfFiles({
    '.registry/app.yaml': 'app',
    'app/chart/a.yaml': 'old',
    'app/chart/b.yaml': 'b',
    'app/other': 'x',
  })

  it.each<{name: string; upper: Uint8Array; path: readonly string[]; want: unknown}>([
    {
      name: 'of two layers',
      upper: tarOfFiles({'app/chart/a.yaml': 'a'}),
      path: ['app', 'chart'],
      want: {'a.yaml': 'a', 'b.yaml': 'b'},
    },
    {
      name: 'with a whiteout',
      upper: tarOfFiles({'app/chart/.wh.b.yaml': ''}),
      path: ['app', 'chart'],
      want: {'a.yaml': 'old'},
    },
    {name: 'that is absent', upper: tarOfFiles({}), path: ['chart'], want: undefined},
    {
      name: 'with a link out of it',
      upper: rawTar(member({name: 'app/chart/l', type: '2', linkName: '../other'})),
      path: ['app', 'chart'],
      want: 'source-unsafe',
    },
  ])('$name', async ({upper, path, want}) => {
    const layers = [lower, upper].map(bytes => memoryLayer(bytes))
    expect(texts(await outcome(() => folderInLayers(layers, path)))).toEqual(want)
    expect(texts(await registryFiles(layers))).toEqual({'app.yaml': 'app'})
  })
})

describe('another folder of a directory', () => {
  const folder = temporaryFolder()
  writeTree(folder, {'.registry/app.yaml': 'app', 'charts/a/Chart.yaml': 'chart', 'outside/x': 'x'})
  symlinkSync('outside', join(folder, 'linked'))

  it.each([
    {path: ['charts', 'a'], want: {'Chart.yaml': 'chart'}},
    {path: ['charts', 'b'], want: undefined},
    {path: ['linked'], want: undefined},
  ])('$path', async ({path, want}) => {
    const directory = await localPackage(folder)
    expect(texts(await folderInDirectory(directory, path))).toEqual(want)
    expect(texts(await directoryFiles(directory))).toEqual({'app.yaml': 'app'})
  })
})
