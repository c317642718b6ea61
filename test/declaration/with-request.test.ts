import {expect, it} from '@jest/globals'
import {withRequest} from '../../src/declaration/with-request.js'

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n'
const [OLD, NEW] = ['r.example.org/market/sql:v1.0.0', 'r.example.org/community/sql:v1.0.0']

it.each([
  {
    name: 'begins with its name',
    before: `- name: my-sql\n  package: ${OLD} # ours\n  pin: tag\n`,
    after: `- package: ${NEW} # ours\n  name: new-sql\n  pin: tag\n`,
  },
  {
    name: 'is indented deeper',
    before: `  -   package: ${OLD}\n      name: my-sql\n      pin: tag\n`,
    after: `  -   package: ${NEW}\n      name: new-sql\n      pin: tag\n`,
  },
  {
    name: 'has a value with the text of a field',
    before: `- package: ${OLD}\n  runtime:\n    annotations:\n      package: ${OLD}\n      name: other\n`,
    after: `- package: ${NEW}\n  name: new-sql\n  runtime:\n    annotations:\n      package: ${OLD}\n      name: other\n`,
  },
])('an entry that $name requests another package', ({before, after}) => {
  const file = {name: 'crossplane-packages.yaml', bytes: Buffer.from(`${HEAD}${before}`)}
  expect(withRequest(file, 0, {package: NEW, name: 'new-sql'})).toBe(`${HEAD}${after}`)
})
