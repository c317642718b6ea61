import {describe, expect, it} from '@jest/globals'
import {withDependencies} from '../../src/init/with-dependencies.js'

describe('withDependencies', () => {
  it.each([
    {text: 'title: A\n', want: 'title: A\ndependsOn:\n- crd: a.b/v1\n'},
    {text: 'dependsOn: [] # none\ntitle: A\n', want: 'dependsOn:\n- crd: a.b/v1\ntitle: A\n'},
    {
      text: 'dependsOn: # all\n  - crd: c.d/v1\ntitle: A\n',
      want: 'dependsOn: # all\n  - crd: a.b/v1\n  - crd: c.d/v1\ntitle: A\n',
    },
    {text: 'dependsOn: [{crd: c.d/v1}]\n', want: undefined},
  ])('adds to $text', ({text, want}) => {
    expect(withDependencies(text, ['a.b/v1'])).toBe(want)
  })

  it('changes nothing without dependencies', () => {
    expect(withDependencies('dependsOn: [{crd: c.d/v1}]\n', [])).toBe('dependsOn: [{crd: c.d/v1}]\n')
  })
})
