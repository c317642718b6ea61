import {describe, expect, it} from '@jest/globals'
import type {SolverInput} from '../../../src/resolve/solver-input.js'
import {input, solved, version} from '../world.js'

const sql = (tag: string, served: string) => version(`sql:${tag}`, {owns: [`databases.sql.org/${served}`]})
const app = (...requires: string[]) => version('app:v1.0.0', {requires})

const ACCEPT = 'Request other versions of these packages, or pass --allow-version-mismatch.'
const OTHER = 'Request other versions of these packages.'

interface Case {
  readonly name: string
  readonly in: SolverInput
  readonly want: readonly string[]
}

const CROSSPLANE = {
  version: 'none',
  provided: [{group: 'old.org', plural: 'stacks', served: ['v1'], release: 'v0.10'}],
}

const CASES: readonly Case[] = [
  {
    name: 'other versions for two pins of one package',
    in: input(['sql:v1.0.0', 'sql:v2.0.0'], [sql('v1.0.0', 'v1'), sql('v2.0.0', 'v2')]),
    want: [OTHER],
  },
  {
    name: 'a mismatch where it gives an answer',
    in: input(['app'], [app('databases.sql.org/v9'), sql('v1.0.0', 'v1')]),
    want: [ACCEPT],
  },
  {
    name: 'no mismatch where that gives no answer',
    in: input(
      ['app', 'sql:v2.0.0', 'sql:v1.0.0'],
      [app('databases.sql.org/v1'), sql('v1.0.0', 'v1'), sql('v2.0.0', 'v2')],
    ),
    want: [OTHER],
  },
  {
    name: 'the release of Crossplane that provides the CRD',
    in: input(['app'], [app('stacks.old.org/v1')], {crossplane: CROSSPLANE}),
    want: ['Pass --crossplane-version v0.10 if the cluster runs a Crossplane that provides it.'],
  },
  {
    name: 'the base where a cluster lacks a CRD of Crossplane',
    in: input(['app'], [app('stacks.old.org/v1')], {crossplane: {...CROSSPLANE, target: 'cluster'}}),
    want: [
      'Pass --with-package-api to create these CRDs of Crossplane without validation; kinds that Crossplane reconciles itself (workload, apiextensions, core.oam.dev) have no controller until it runs.',
    ],
  },
  {
    name: 'packages for the current Crossplane that runs, before the base',
    in: input(['app'], [app('stacks.old.org/v1')], {
      crossplane: {...CROSSPLANE, target: 'cluster-with-core'},
    }),
    want: ['Install a package for a current Crossplane, or pass --v0.12-base.'],
  },
  {
    name: 'not the base where it does not create the CRD',
    in: input(['app'], [app('stacks.old.org/v1')], {
      crossplane: {...CROSSPLANE, target: 'cluster-with-base'},
    }),
    want: ['Install a Crossplane that provides it, or pass --assume with the CRD to install without it.'],
  },
  {
    name: 'nothing about unreadable packages for a CRD of Crossplane',
    in: input(['app'], [app('stacks.old.org/v1')], {
      crossplane: {...CROSSPLANE, target: 'cluster-with-base'},
      unreadable: [{identity: 'x/other', tag: 'v1.0.0', reason: 'it has no app.yaml'}],
    }),
    want: ['Install a Crossplane that provides it, or pass --assume with the CRD to install without it.'],
  },
  {
    name: 'another source where no release provides the version',
    in: input(['app'], [app('stacks.old.org/v2')], {crossplane: CROSSPLANE}),
    want: [
      'Add the source of the package that provides it with --packages or --index, or pass --assume with the CRD if the cluster serves it.',
    ],
  },
]

describe('suggestions', () => {
  it.each(CASES)('are $name', ({in: asked, want}) => {
    const result = solved(asked)
    expect(result.kind === 'rejected' && result.suggestions).toEqual(want)
  })

  it('list five of many possible owners, with the count', () => {
    const many = Array.from({length: 4000}, (_, index) =>
      version(`p${index}:v1.0.0`, {owns: ['databases.sql.org']}),
    )
    const result = solved(input(['app'], [app('databases.sql.org'), ...many]))
    const {diagnostics = [], suggestions = []} = result.kind === 'rejected' ? result : {}
    expect(diagnostics[0]?.message).toBe(
      'app:v1.0.0 requires databases.sql.org, but 4000 packages own it: p0, p1, p10, p100, p1000 and 3995 more',
    )
    expect(suggestions[0]).toContain('such as p0, p1, p10, p100 or p1000.')
  })
})
