import {describe, expect, it} from '@jest/globals'
import {lintExample} from '../../../src/author/lint/lint-example.js'
import {lintPackage} from '../../../src/author/lint/lint-package.js'
import {DEPLOYMENT, SQUARE_PNG, WIDGET_CRD} from '../../../src/author/lint/rules/example-files.js'
import {app, describeFindings} from './lint-case.js'

describeFindings('a package', [
  {
    name: 'everything at once',
    reason: 'an author fixes all of it in one pass, also if the package cannot be rendered',
    files: {
      'app.yaml': 'title: [\n',
      'install.yaml': `${DEPLOYMENT}        image: example/widgets\n        ports: 80\n`,
      'resources/crd.yaml': WIDGET_CRD.replace('scope: Namespaced', 'scope: ""'),
      'resources/gear.icon.svg': SQUARE_PNG,
      'resources/notes.txt': 'yes\n',
    },
    want: [
      'app.yaml:2 [yaml-syntax]',
      'install.yaml:8 spec.template.spec.containers[0].image [image-floating]',
      'install.yaml:9 spec.template.spec.containers[0].ports [field-type]',
      'resources/crd.yaml:10 spec.scope [crd-scope-missing]',
      'resources/gear.icon.svg [metadata-orphan]',
      'resources/gear.icon.svg [icon-content]',
      'resources/notes.txt [file-unrecognised]',
    ],
  },
  {
    name: 'the order of files',
    reason: 'the order is that of a walk, for any order of the input',
    files: {'b/x': '', 'a.b/x': '', 'a/z': '', 'app.yaml': 'title: Example\n'},
    want: [
      'a/z [file-unrecognised]',
      'a.b/x [file-unrecognised]',
      'app.yaml:1 [permission-scope-missing]',
      'b/x [file-unrecognised]',
    ],
  },
])

describe('a package with more diagnostics than the limit', () => {
  it('reports that once', () => {
    const files = Array.from({length: 2000}, (_, index) => ({path: `${index}.txt`, bytes: Buffer.of()}))
    const bytes = Buffer.from(app())
    const found = lintPackage({files: [...files, {path: 'app.yaml', bytes}]})
    expect({
      count: found.length,
      last: found.filter(({rule}) => rule !== 'file-unrecognised').map(({rule}) => rule),
    }).toEqual({count: 1001, last: ['too-many']})
  })
})

describe('a behavior with a value of another type', () => {
  const fields = {
    crd: {apiVersion: 'example.org/v1', kind: 'Widget'},
    engine: {type: 'helm3', controllerImage: 'x/y', kustomize: {overlays: [], kustomization: {kind: 'A'}}},
    source: {path: 'a', image: 'x/z'},
  }
  const paths = [
    ['crd'],
    ['crd', 'apiVersion'],
    ['crd', 'kind'],
    ['engine'],
    ['engine', 'type'],
    ['engine', 'controllerImage'],
    ['engine', 'kustomize'],
    ['engine', 'kustomize', 'overlays'],
    ['engine', 'kustomize', 'kustomization'],
    ['source'],
    ['source', 'path'],
    ['source', 'image'],
  ]
  const values = [null, true, 5, 'text', '', [], ['a'], {}, {a: 'b'}, {a: {b: [{}]}}]

  it.each(paths)('at %s is reported or accepted, and never the end of lint', (...path) => {
    for (const value of values) {
      const behavior = structuredClone(fields) as Record<string, unknown>
      const parent = path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, behavior)
      parent[path.at(-1) ?? ''] = value
      const files = {
        'app.yaml': app(),
        'behavior.yaml': JSON.stringify(behavior),
        'resources/widget.crd.yaml': WIDGET_CRD,
      }
      expect(lintExample({files})).toBeInstanceOf(Array)
    }
  })
})
