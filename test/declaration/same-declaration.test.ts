import {describe, expect, it} from '@jest/globals'
import {isSameDeclaration} from '../../src/declaration/same-declaration.js'

const TEXT = 'kind: PackageDeclaration\npackages:\n- package: x/a:v1\n'

describe('two texts of a declaration', () => {
  it.each([
    {
      name: 'another indentation',
      in: 'kind: PackageDeclaration\npackages:\n  - package: x/a:v1\n',
      want: true,
    },
    {name: 'quotes and comments', in: `# ours\n${TEXT.replace('x/a:v1', '"x/a:v1"')}`, want: true},
    {name: 'another tag', in: TEXT.replace('v1', 'v2'), want: false},
    {name: 'another entry', in: `${TEXT}- package: x/b:v1\n`, want: false},
    {name: 'a second document', in: `${TEXT}---\n${TEXT}`, want: false},
    {name: 'no YAML', in: `${TEXT}<<<<<<< HEAD\n: [`, want: false},
  ])('with $name are the same: $want', ({in: other, want}) => {
    expect(isSameDeclaration(TEXT, other)).toBe(want)
  })
})
