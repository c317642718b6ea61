import {describe, expect, it} from '@jest/globals'
import {gzipSync} from 'node:zlib'
import {tarOfFiles} from '../../../../test/fetch/raw-tar.js'
import {readChart, unpackedFiles} from '../../src/init/chart-files.js'

const filesOf = (files: Readonly<Record<string, string>>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))

describe('readChart', () => {
  it('reads names, defaults with their comments, schema and dependencies of either version', () => {
    const chart = readChart(
      filesOf({
        'Chart.yaml':
          'name: app\nversion: 1.0.0\ndescription: An app\ndependencies: [{name: redis, alias: cache}]\n',
        'requirements.yaml': 'dependencies: [{name: mysql}]\n',
        'values.yaml':
          '# size: 3\n\n## @param image Image of the app\n# and its registry\nimage: a\nother: b\n',
        'values.schema.json': '{"type": "object"}',
      }),
      './app',
    )
    expect(chart).toMatchObject({name: 'app', version: '1.0.0', description: 'An app'})
    expect(chart.values).toMatchObject({
      values: {image: 'a', other: 'b'},
      schema: {type: 'object'},
      subcharts: ['cache', 'mysql'],
    })
    expect(chart.values.commentAt(['image'])).toBe('Image of the app and its registry')
    expect(chart.values.commentAt(['other'])).toBeUndefined()
  })

  const LIBRARY = 'name: common\nversion: 1.0.0\ntype: library\n'
  const APPLICATION = 'name: common\nversion: 1.0.0\n'
  const packed = (text: string) =>
    gzipSync(tarOfFiles({'common/templates/x.yaml': 'x', 'common/Chart.yaml': text}))
  it.each<{name: string; files: Readonly<Record<string, string | Buffer>>; want: readonly string[]}>([
    {name: 'a library', files: {'charts/common/Chart.yaml': LIBRARY}, want: []},
    {name: 'a packed library', files: {'charts/common-1.0.0.tgz': packed(LIBRARY)}, want: []},
    {name: 'a packed chart', files: {'charts/common-1.0.0.tgz': packed(APPLICATION)}, want: ['common']},
    {name: 'no archive', files: {'charts/common-1.0.0.tgz': 'x'}, want: ['common']},
    {
      name: 'half an archive',
      files: {'charts/common-1.0.0.tgz': packed(LIBRARY).subarray(0, 40)},
      want: ['common'],
    },
    {name: 'a chart that is not there', files: {}, want: ['common']},
  ])(
    'has no field for the values of a dependency only if that is a library: $name',
    async ({files, want}) => {
      const chart = 'name: app\nversion: 1.0.0\ndependencies: [{name: common}]\n'
      const all = Object.entries({...files, 'Chart.yaml': chart})
      const bytes = all.map(
        ([path, content]) => [path, typeof content === 'string' ? Buffer.from(content) : content] as const,
      )
      const unpacked = await unpackedFiles(new Map(bytes))
      expect(readChart(unpacked.files, './app').values.subcharts).toEqual(want)
    },
  )

  it('has fields for the values of charts that it contains and does not name', () => {
    const files = filesOf({
      'Chart.yaml': 'name: app\nversion: 1.0.0\ndependencies: [{name: redis, alias: cache}]\n',
      'charts/redis/Chart.yaml': 'name: redis\nversion: 1.0.0\n',
      'charts/folder/Chart.yaml': 'name: mysql\nversion: 1.0.0\n',
      'charts/folder/charts/deep/Chart.yaml': 'name: deep\nversion: 1.0.0\n',
      'charts/common/Chart.yaml': LIBRARY,
      'charts/my-2-app-1.0.0.tgz': 'x',
    })
    expect(readChart(files, './app').values.subcharts).toEqual(['cache', 'mysql', 'my-2-app'])
  })

  it('has no values without values.yaml', () => {
    const {values} = readChart(filesOf({'Chart.yaml': 'name: app\n'}), './app')
    expect(values).toMatchObject({values: {}, subcharts: []})
    expect(values.commentAt(['image'])).toBeUndefined()
  })

  it('notes a schema that is no object', () => {
    const {values, notes} = readChart(
      filesOf({'Chart.yaml': 'name: app\n', 'values.schema.json': '[]'}),
      './app',
    )
    expect(values.schema).toBeUndefined()
    expect(notes).toEqual([expect.objectContaining({rule: 'init-chart-schema', file: 'values.schema.json'})])
  })

  it('notes archives that cannot be read, with the reason', async () => {
    const damaged = gzipSync(tarOfFiles({'a/Chart.yaml': 'name: a\n'})).subarray(0, 40)
    const {files, archives, notes} = await unpackedFiles(new Map([['charts/a-1.0.0.tgz', damaged]]))
    expect([...files.keys()]).toEqual(['charts/a-1.0.0.tgz'])
    expect(archives).toEqual([])
    expect(notes).toEqual([
      expect.objectContaining({
        rule: 'init-chart-archive',
        message: expect.stringMatching(/^charts\/a-1\.0\.0\.tgz cannot be read.*: its gzip data is damaged$/),
      }),
    ])
  })

  it('rejects a folder without Chart.yaml', () => {
    expect(() => readChart(filesOf({'values.yaml': 'a: b\n'}), './app')).toThrow(
      expect.objectContaining({
        code: 'not-found',
        message: 'cannot read the chart ./app: it has no Chart.yaml',
      }),
    )
  })
})
