import {expect, it} from '@jest/globals'
import {chartObjects} from '../../src/helm/helm-objects.js'

it('ends a text in block style as Helm writes it, with a line break', () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  text: |\n    last line'
  const templates = [{path: 'templates/a.yaml', text, documents: [{text, line: 1}]}]
  const chart = {name: 'a', version: '1.0.0', subcharts: []}
  const {objects} = chartObjects({engine: 'helm3', templates, installOrder: [], crds: [], chart}, 'chart')
  expect(objects.map(({object}) => object.data)).toEqual([{text: 'last line\n'}])
})
