import {expect, it} from '@jest/globals'
import {namedTemplate, type NamedTemplate} from '../../../src/unpack/templates/named-template.js'

const RENDERS = {kind: 'Foo', apiVersion: 'foo.example.org/v1'}

it.each<{readonly path: string; readonly want: NamedTemplate}>([
  {
    path: 'Foo.foo.example.org_v1/one.yaml',
    want: {key: 'Foo.foo.example.org/v1', name: 'one', renders: RENDERS},
  },
  {
    path: 'Foo.foo.example.org_v1/status.yml',
    want: {key: 'Foo.foo.example.org/v1', name: 'status', renders: RENDERS},
  },
  {path: 'parts/labels.tpl', want: {key: 'parts', name: 'labels'}},
  {path: 'parts/Foo.foo.example.org_v1/one.yaml', want: {key: 'parts/Foo.foo.example.org_v1', name: 'one'}},
  {path: 'one.yaml', want: {key: '', name: 'one'}},
])('reads $path', ({path, want}) => {
  expect(namedTemplate(path)).toEqual(want)
})
