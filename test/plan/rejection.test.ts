import {expect, it} from '@jest/globals'
import {fileRejections} from '../../src/pipeline/impact/impact-gate.js'
import {rejectionPlaces} from '../../src/plan/rejection.js'

it('counts errors, and names a file, the package of an object without one, and otherwise what is wrong', () => {
  const repository = 'registry.example.org/team/store:v1.0.0'
  const object = {apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', name: 'plain'}
  const effect = {verdict: 'breaks', object, path: 'spec', message: 'it is rejected'} as const
  const open = [
    {...effect, file: repository, configuration: repository},
    {...effect, file: 'objects/a.yaml', line: 3},
  ]
  const rejections = fileRejections({open}, 'crossplane-packages.yaml', undefined)
  const other = {severity: 'error', rule: 'any', message: 'something else'} as const
  expect(rejectionPlaces([...rejections, ...rejections, other])).toBe(
    `5 errors: ${repository}, objects/a.yaml, something else`,
  )
  expect(rejectionPlaces(rejections)).toBe(`2 errors in ${repository}, objects/a.yaml`)
  expect(rejectionPlaces([other])).toBe('something else')
})
