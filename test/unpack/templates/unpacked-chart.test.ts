import {describe, expect, it} from '@jest/globals'
import {gzipSync} from 'node:zlib'
import {unpackedChart} from '../../../src/unpack/templates/unpacked-chart.js'
import {tarOfFiles} from '../../fetch/raw-tar.js'

const packed = (files: Parameters<typeof tarOfFiles>[0]) => gzipSync(tarOfFiles(files))
const file = (path: string, bytes: Uint8Array) => ({path, bytes})
const SUB = packed({'sub/Chart.yaml': 'name: sub\n', 'sub/crds/a.yaml': 'a'})

async function pathsIn(...files: readonly ReturnType<typeof file>[]) {
  const {files: all, archives, unread} = await unpackedChart(files)
  return {paths: all.map(({path}) => path), archives, unread}
}

describe('unpackedChart', () => {
  it('makes folders of archives, also in archives and in folders, as the first segment of a path has any name', async () => {
    const outer = packed({
      'x/Chart.yaml': 'name: outer\n',
      'x/charts/sub-1.tgz': SUB,
      './x/values.yaml': 'a: 1',
    })
    expect(await pathsIn(file('charts/in/charts/sub.tgz', SUB), file('charts/outer-2.tgz', outer))).toEqual({
      paths: [
        'charts/in/charts/sub/Chart.yaml',
        'charts/in/charts/sub/crds/a.yaml',
        'charts/x/Chart.yaml',
        'charts/x/charts/sub/Chart.yaml',
        'charts/x/charts/sub/crds/a.yaml',
        'charts/x/values.yaml',
      ],
      archives: ['charts/in/charts/sub.tgz', 'charts/outer-2.tgz', 'charts/x/charts/sub-1.tgz'],
      unread: [],
    })
  })

  it('tells charts of one name apart', async () => {
    const {paths} = await pathsIn(file('charts/sub-1.tgz', SUB), file('charts/sub-2.tgz', SUB))
    expect(paths.filter(path => path.endsWith('Chart.yaml'))).toEqual([
      'charts/sub-2/Chart.yaml',
      'charts/sub/Chart.yaml',
    ])
  })

  it('leaves a chart without archives, and what Helm ignores, as it is', async () => {
    const files = [file('charts/_a.tgz', SUB), file('files/a.tgz', SUB), file('charts/.b.tgz', SUB)]
    expect((await unpackedChart(files)).files).toBe(files)
  })

  it('names what it does not read', async () => {
    const both = [file('charts/sub.tgz', SUB), file('charts/sub/Chart.yaml', new Uint8Array())]
    expect((await pathsIn(...both)).unread).toEqual([
      {file: 'charts/sub.tgz', reason: 'there is a folder charts/sub too'},
    ])
    const damaged = gzipSync('no tar')
    expect((await pathsIn(file('charts/a.tgz', damaged))).unread[0]?.file).toBe('charts/a.tgz')
    const outside = packed({'a/../../b': 'x', 'a/Chart.yaml': 'name: a\n'})
    expect((await pathsIn(file('charts/a.tgz', outside))).paths).toEqual(['charts/a/Chart.yaml'])
  })

  it('unpacks a limited number of bytes, however many archives there are', async () => {
    const bomb = packed({'b/x': Buffer.alloc(19 << 20)})
    const files = Array.from({length: 40}, (_, index) => file(`charts/a-${index}.0.tgz`, bomb))
    const start = performance.now()
    const {archives, unread} = await unpackedChart(files)
    expect([archives.length, unread.length]).toEqual([3, 37])
    expect(unread[0]?.reason).toBe('it has more than 64 MiB in the archives of its charts')
    // Without a limit for all together, it takes half a minute.
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
