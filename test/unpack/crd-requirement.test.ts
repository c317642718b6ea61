import {describe, expect, it} from '@jest/globals'
import {crdRequirement} from '../../src/unpack/crd-requirement.js'

describe('crdRequirement', () => {
  it.each([
    {
      name: 'a resource, its group and version',
      in: 'widgets.example.org/v1alpha1',
      want: {resource: 'widgets', group: 'example.org', version: 'v1alpha1'},
    },
    {
      name: 'any version',
      in: 'widgets.example.org',
      want: {resource: 'widgets', group: 'example.org'},
    },
    {
      name: 'any resource',
      in: '*.example.org/v1',
      want: {resource: '*', group: 'example.org', version: 'v1'},
    },
    {
      name: 'the core group, which has no dot',
      in: 'nodes/v1',
      want: {resource: 'nodes', group: '', version: 'v1'},
    },
    {name: 'a group without a dot', in: 'deployments.apps', want: {resource: 'deployments', group: 'apps'}},
    {
      name: 'a slash with nothing behind it',
      in: 'widgets.example.org/',
      want: {resource: 'widgets', group: 'example.org'},
    },
  ])('$name: $in', ({in: text, want}) => {
    expect(crdRequirement(text)).toEqual(want)
  })
})
