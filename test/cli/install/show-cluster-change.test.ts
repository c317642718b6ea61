import {expect, it} from '@jest/globals'
import {painter} from '../../../src/cli/shell/text/paint.js'
import {formatClusterPlan} from '../../../src/cli/install/show-cluster-change.js'

it('shows what loses its controller before permissions', () => {
  const text = formatClusterPlan(
    {
      operations: [],
      unchanged: 1,
      rejections: [],
      impact: {
        dependents: [],
        crds: [{crd: 'a.example.org', users: [], instances: 1, first: [{name: 'mine', finalizers: []}]}],
      },
    },
    {
      packages: [{install: 'team/a', before: 'x/a:v1', after: 'x/a:v2'}],
      gained: ['read secrets'],
      lost: [],
      images: [],
      owners: [],
      mismatches: [],
    },
    {paint: painter(['--no-color']), argv: [], before: new Map(), showsObjects: false, showsFiles: false},
  )
  expect(text.split('\n').map(line => line.trim().split(/ {2,}/))).toEqual([
    ['PACKAGE', 'x/a:v1 -> v2', 'team/a'],
    ['RESOURCES', 'a.example.org', '1 custom resource loses its controller'],
    ['mine'],
    ['GAINS', 'read secrets'],
    ['1 unchanged'],
    [''],
  ])
})
