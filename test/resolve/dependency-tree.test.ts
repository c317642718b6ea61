import {describe, expect, it} from '@jest/globals'
import {dependencyTree, type TreeNode} from '../../src/resolve/dependency-tree.js'
import {installReasons} from '../../src/resolve/install-reasons.js'
import type {SolverInput} from '../../src/resolve/solver-input.js'
import type {Graph} from '../../src/resolve/resolution.js'
import {sketch} from '../../src/resolve/sketch.js'
import {input, solved, version} from './world.js'

/** A tree as `need=package:tag(mark)[children]`. */
function drawn(nodes: readonly TreeNode[]): string {
  return nodes
    .map(({need, met, mark, needs}) => {
      const by =
        met.by === 'package'
          ? `${met.package}:${met.tag}`
          : met.by === 'nothing'
            ? `!${met.rule}`
            : met.origin
      return `${need}=${by}${mark === undefined ? '' : `(${mark})`}${needs.length === 0 ? '' : `[${drawn(needs)}]`}`
    })
    .join(' ')
}

function graphOf(asked: SolverInput): Graph {
  const result = solved(asked)
  if (result.kind === 'rejected') throw new Error(result.message)
  return result.resolution
}

const leaf = version('leaf:v1', {owns: ['ls.l.org']})
const mid = version('mid:v1', {requires: ['ls.l.org']})
const twice = input(['top'], [version('top:v1', {requires: ['mid', 'mid', 'leaf']}), mid, leaf].map(stable))
const cycle = input(
  ['a'],
  [version('a:v1', {requires: ['b']}), version('b:v1', {requires: ['a', 'b']})].map(stable),
)

function stable<Summary extends {readonly tag: string}>(summary: Summary): Summary {
  return {...summary, tag: `${summary.tag}.0.0`}
}

describe('the tree of a resolution', () => {
  it.each([
    {
      name: 'a package that is required twice',
      reason: 'its dependencies are shown once; a package without dependencies is not marked',
      in: dependencyTree(graphOf(twice)),
      want: 'top=top:v1.0.0[mid=mid:v1.0.0[ls.l.org=leaf:v1.0.0] mid=mid:v1.0.0(repeat) leaf=leaf:v1.0.0]',
    },
    {
      name: 'a cycle',
      reason: 'it ends at the package that closes it',
      in: dependencyTree(graphOf(cycle)),
      want: 'a=a:v1.0.0[b=b:v1.0.0[a=a:v1.0.0(cycle) b=b:v1.0.0(cycle)]]',
    },
    {
      name: 'a depth of 0',
      reason: 'only the requested package is shown',
      in: dependencyTree(graphOf(twice), 0),
      want: 'top=top:v1.0.0(depth)',
    },
    {
      name: 'one level',
      reason: 'each omission is marked',
      in: dependencyTree(graphOf(twice), 1),
      want: 'top=top:v1.0.0[mid=mid:v1.0.0(depth) mid=mid:v1.0.0(depth) leaf=leaf:v1.0.0]',
    },
  ])('$name: $reason', ({in: tree, want}) => {
    expect(drawn(tree)).toBe(want)
  })
})

describe('the tree of packages that cannot be resolved', () => {
  const sql = ['1', '2'].map(major => version(`sql:v${major}.0.0`, {owns: [`ds.sql.org/v${major}`]}))
  const app = (...requires: string[]) => version('app:v1.0.0', {requires})

  it.each([
    {name: 'a CRD without an owner', in: [app('x.y.org')], want: 'x.y.org=!missing-group'},
    {
      name: 'a version that no package serves',
      in: [app('ds.sql.org/v9'), ...sql],
      want: 'ds.sql.org/v9=!stale-version',
    },
    {
      name: 'a version that conflicts with another requirement',
      in: [app('ds.sql.org/v2', 'ds.sql.org/v1'), ...sql],
      want: 'ds.sql.org/v2=sql:v2.0.0 ds.sql.org/v1=!version-conflict',
    },
    {
      name: 'a CRD with several owners',
      in: [app('ds.sql.org'), ...sql, version('b:v1.0.0', {owns: ['ds.sql.org']})],
      want: 'ds.sql.org=!ambiguous-owner',
    },
  ])('$name is unsatisfied, and the other packages are in the tree', ({in: summaries, want}) => {
    const [root] = dependencyTree(sketch(input(['app'], summaries)))
    expect(drawn(root?.needs ?? [])).toBe(want)
  })

  it('has the selected versions if only an owner is ambiguous', () => {
    const asked = input(
      ['app'],
      [
        app('ds.sql.org'),
        version('app:v2.0.0', {requires: ['x.y.org', 'ds.sql.org']}),
        ...sql,
        version('b:v1.0.0', {owns: ['ds.sql.org']}),
      ],
    )
    const result = solved(asked)
    expect(drawn(dependencyTree(sketch(asked, result.kind === 'rejected' ? result : {})))).toBe(
      'app=app:v1.0.0[ds.sql.org=!ambiguous-owner]',
    )
  })

  it('is the resolution if there is one', () => {
    for (const asked of [twice, cycle]) {
      expect(dependencyTree(sketch(asked))).toEqual(dependencyTree(graphOf(asked)))
    }
  })
})

describe('the reasons for an install', () => {
  const steps = (asked: SolverInput, identity: string) =>
    installReasons(graphOf(asked), identity).map(reason => reason.steps.map(({need}) => need).join(' > '))

  it.each([
    {name: 'a requested package', in: steps(twice, 'top'), want: ['top']},
    {
      name: 'a package of two dependents',
      in: steps(twice, 'leaf'),
      want: ['top > leaf', 'top > mid > ls.l.org'],
    },
    {
      name: 'a package that one dependent requires twice',
      in: steps(twice, 'mid'),
      want: ['top > mid', 'top > mid'],
    },
    {name: 'a package in a cycle', in: steps(cycle, 'a'), want: ['a', 'a > b > a']},
    {name: 'a package that is not installed', in: steps(twice, 'other'), want: []},
  ])('$name: the shortest path through each dependent', ({in: got, want}) => {
    expect(got).toEqual(want)
  })
})
