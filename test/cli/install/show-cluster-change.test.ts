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

it.each([
  {showsObjects: false, want: 'x/a@sha256:aaaaaaaaaaaa'},
  {showsObjects: true, want: `x/a@sha256:${'a'.repeat(64)}`},
])('shortens digests unless each object has a line: $showsObjects', ({showsObjects, want}) => {
  const after = `x/a@sha256:${'a'.repeat(64)}`
  const summary = {
    packages: [{install: 'team/a', before: 'x/a:v1', after}],
    ...{gained: [], lost: [], images: [], owners: [], mismatches: []},
  }
  const output = {
    paint: painter(['--no-color']),
    argv: [],
    before: new Map(),
    showsObjects,
    showsFiles: false,
  }
  const plan = {operations: [], unchanged: 1, rejections: []}
  expect(formatClusterPlan(plan, summary, output).split('\n')[0]).toBe(`PACKAGE   x/a:v1 -> ${want}   team/a`)
})
