import {beforeAll, expect, it} from '@jest/globals'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {listener} from '../../listening.js'
import {type Lives, lives, type Verb, VERBS} from './interrupted-lives.js'
import type {Interruption} from './interrupted-run.js'
import {endsOfPhases, phaseOf} from './phases.js'

describeCluster('current', 'a run that is interrupted between two phases', cluster => {
  const listen = listener()
  let all: Lives
  beforeAll(async () => {
    all = await lives(cluster(), listen)
  }, 120_000)

  it('has the phases of a plan', () => {
    const phases = ({writes}: {readonly writes: readonly string[]}) =>
      endsOfPhases(writes).map(end => phaseOf(writes[end - 1] ?? ''))
    expect(Object.fromEntries(VERBS.map(verb => [verb, phases(all.undisturbed[verb])]))).toEqual({
      install: [
        ...[
          'namespaces',
          'lease',
          'user',
          'inventory',
          'crds',
          'claims',
          'roles',
          'bindings',
          'records',
          'controllers',
        ],
        // Roles have the witnesses of inventories.
        ...['roles', 'inventory', 'roles', 'no lease'],
      ],
      upgrade: [
        ...[
          'lease',
          'user',
          'roles',
          'inventory',
          'crds',
          'roles',
          'no bindings',
          'bindings',
          'records',
          'controllers',
        ],
        ...['no roles', 'roles', 'inventory', 'roles', 'no lease'],
      ],
      uninstall: [
        ...['lease', 'inventory', 'no controllers', 'no bindings', 'no roles', 'no records', 'claims'],
        ...['no crds', 'no roles', 'no inventory', 'no lease'],
      ],
    })
  })

  // A round interrupts all verbs, each after its phase of the same number.
  const ROUNDS = Array.from({length: 15}, (_, round) => round)

  it.each(ROUNDS)(
    'is continued by the same command (phase %i, SIGKILL)',
    round => live(round, () => 'SIGKILL'),
    120_000,
  )

  // The program ends itself in the same way at each of them: some are enough.
  it.each(ROUNDS.filter(round => round % 3 === 0))(
    'is continued by the same command (phase %i, SIGINT or SIGTERM)',
    round => live(round, verb => ((round + VERBS.indexOf(verb)) % 2 === 0 ? 'SIGINT' : 'SIGTERM')),
    120_000,
  )

  async function live(round: number, signalOf: (verb: Verb) => Interruption['signal']): Promise<void> {
    await all.live(verb => {
      const ends = endsOfPhases(all.undisturbed[verb].writes)
      const end = ends[round % ends.length]
      return {signal: signalOf(verb), at: ({number}) => number === end, isAnswered: true}
    })
  }
})
