import {describe, expect, it} from '@jest/globals'
import {readChart} from '../../src/init/chart-files.js'

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
      readsGlobal: false,
    })
    expect(chart.values.commentAt(['image'])).toBe('Image of the app and its registry')
    expect(chart.values.commentAt(['other'])).toBeUndefined()
  })

  it('has no values without values.yaml', () => {
    const {values} = readChart(filesOf({'Chart.yaml': 'name: app\n'}), './app')
    expect(values).toMatchObject({values: {}, subcharts: [], readsGlobal: false})
    expect(values.commentAt(['image'])).toBeUndefined()
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
