import {describe, expect, it} from '@jest/globals'
import {joinedChanges, type PackagesChange} from '../../../src/pipeline/cluster/joined-changes.js'
import type {ClusterSnapshot} from '../../../src/plan/cluster/state/cluster-snapshot.js'

function changeOf(...identities: readonly string[]): PackagesChange {
  const plan = {operations: [], unchanged: 1, rejections: []}
  const snapshot = {live: new Map(), dryRuns: new Map()} as unknown as ClusterSnapshot
  const decision = {plan, snapshot, firstOwners: [], installs: []}
  return {set: {warnings: []}, notes: [], decision, decide: () => Promise.resolve(decision), identities}
}

describe('a change of packages of both formats', () => {
  const limited = (value: number) => [{file: 'policy.yaml', limits: {packages: {value, line: 3}}}]

  it('is one plan, which has as many packages as a policy allows', () => {
    const [stacks, xpkgs] = [changeOf('x/a', 'x/b'), changeOf('registry.example.org/c')]
    for (const teams of [undefined, limited(3)])
      expect(joinedChanges([stacks, xpkgs], teams).decision.plan).toMatchObject({unchanged: 2})
    expect(() => joinedChanges([stacks, xpkgs], limited(2))).toThrow(
      'cannot use 3 packages: line 3 of policy.yaml allows 2',
    )
  })
})
