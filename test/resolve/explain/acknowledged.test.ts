import {describe, expect, it} from '@jest/globals'
import type {Acknowledged} from '../../../src/declaration/acknowledged.js'
import type {Fact} from '../../../src/resolve/facts.js'
import {input, solved, version} from '../world.js'

const sql = (tag: string, serves: string) =>
  version(`example/sql:${tag}`, {owns: [`databases.sql.org/${serves}`]})

const FACTS: readonly Fact[] = [
  {origin: 'crossplane', group: 'workload.org', plural: 'apps', served: ['v1']},
  {origin: 'crossplane', group: 'cache.org', plural: 'caches', served: ['v1']},
]

/** The notes of a package that needs an old version of another one, and two CRDs of Crossplane. */
function notesOf(acknowledged: Acknowledged, ...newer: readonly string[]): readonly string[] {
  const app = version('example/app:v1', {
    requires: ['databases.sql.org/v1', 'apps.workload.org/v1', 'caches.cache.org/v1'],
  })
  const summaries = [app, sql('v1.0.0', 'v1'), ...newer.map(tag => sql(tag, 'v2'))]
  const result = solved(input(['example/app:v1'], summaries, {facts: FACTS, acknowledged}))
  if (result.kind === 'rejected') throw new Error(result.message)
  return result.resolution.notes
    .filter(({rule}) => ['held-back', 'assumed-crossplane'].includes(rule))
    .map(({rule, message}) => `${rule}: ${message.split(/;|, required/)[0] ?? ''}`)
}

const HELD = 'held-back: example/sql:v1.0.0 is held back'
const BOTH = 'assumed-crossplane: apps.workload.org/v1, caches.cache.org/v1'

describe('an acknowledged note', () => {
  it.each<{
    readonly name: string
    readonly in: Acknowledged
    readonly newer?: readonly string[]
    readonly want: readonly string[]
  }>([
    {name: 'none is left out without a declaration', in: {}, want: [BOTH, HELD]},
    {name: 'the newest version is known', in: {'held-back': ['example/sql:v2.0.0']}, want: [BOTH]},
    {
      name: 'a newer version was published',
      in: {'held-back': ['example/sql:v2.0.0']},
      newer: ['v2.0.0', 'v3.0.0'],
      want: [BOTH, HELD],
    },
    {
      name: 'one of two requirements is known',
      in: {'assumed-crossplane': ['apps.workload.org/v1']},
      want: ['assumed-crossplane: caches.cache.org/v1', HELD],
    },
    {
      name: 'all requirements are known',
      in: {'assumed-crossplane': ['caches.cache.org/v1', 'apps.workload.org/v1']},
      want: [HELD],
    },
    {
      name: 'a requirement is known by another rule',
      in: {'assumed-kubernetes': ['apps.workload.org/v1']},
      want: [BOTH, HELD],
    },
  ])('$name', ({in: acknowledged, newer = ['v2.0.0'], want}) => {
    expect(notesOf(acknowledged, ...newer)).toEqual(want)
  })
})
