import {expect, it} from '@jest/globals'
import {readDeclaration} from '../../../src/declaration/read-declaration.js'
import {CrossplaneError} from '../../../src/errors.js'
import {withDeclaredPlaces} from '../../../src/pipeline/request/declared-places.js'

const TEXT = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages:
- package: r.io/x/a:v1
- package: r.io/x/a:v2
- package: r.io/x/b
`

it('names the line of the entry with the requested version, of several for one package', async () => {
  const bytes = Buffer.from(TEXT)
  const declaration = {
    ...{path: 'x.yaml', name: 'x.yaml', bytes, isSplit: false},
    content: readDeclaration('x.yaml', bytes),
  }
  const subjects = [
    {package: 'r.io/x/a', requirement: 'v2'},
    {package: 'r.io/x/a', requirement: 'v1'},
    {package: 'r.io/x/a', requirement: 'v3'},
    {package: 'r.io/x/b', requirement: ''},
  ]
  const diagnostics = subjects.map(subject => ({
    ...{severity: 'error', rule: 'unresolvable', message: 'it was requested'},
    subject,
  })) as CrossplaneError['diagnostics']
  const failing = withDeclaredPlaces(declaration, () =>
    Promise.reject(new CrossplaneError('unresolvable', 'no', {diagnostics})),
  )
  const error = await failing.catch((thrown: unknown) => thrown as CrossplaneError)
  expect(error.diagnostics.map(({line}) => line)).toEqual([5, 4, 4, 6])
})
