import {describe, expect, it} from '@jest/globals'
import {formatPackageTransition} from '../../../src/cli/status/show-packages.js'
import type {ListedPackage} from '../../../src/pipeline/cluster/core/list-packages.js'
import {packageTransitions} from '../../../src/pipeline/cluster/watch-status.js'

const listed = (name: string, more: Partial<ListedPackage> = {}): ListedPackage => ({
  kind: 'Provider',
  name,
  package: `registry.example.org/x/${name}:v1.0.0`,
  state: 'healthy',
  requiredBy: [],
  waitsFor: [],
  duplicates: [],
  unused: false,
  ...more,
})

const starting = listed('a', {state: 'starting', reason: 'unpacking'})

describe('the changes of packages that are watched', () => {
  it.each<{name: string; before: ListedPackage[]; after: ListedPackage[]; want: string[]}>([
    {name: 'one that appears', before: [], after: [listed('a')], want: ['Provider a: Healthy']},
    {name: 'one that does not change', before: [starting], after: [{...starting, waitsFor: ['x']}], want: []},
    {
      name: 'another state',
      before: [starting],
      after: [listed('a')],
      want: ['Provider a: Starting -> Healthy'],
    },
    {
      name: 'another reason',
      before: [starting],
      after: [{...starting, reason: 'not healthy yet'}],
      want: ['Provider a: Starting -> Starting: not healthy yet'],
    },
    {
      name: 'one that is removed, and the same name of another kind',
      before: [listed('a')],
      after: [listed('a', {kind: 'Function', state: 'broken', reason: 'bad \u001b[31mtag'})],
      want: ['Function a: Broken: bad \\u001b[31mtag', 'Provider a: Healthy -> removed'],
    },
  ])('are $name', ({before, after, want}) => {
    expect(packageTransitions(before, after).map(formatPackageTransition)).toEqual(want)
  })
})
