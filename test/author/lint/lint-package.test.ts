import {describe, expect, it} from '@jest/globals'
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
