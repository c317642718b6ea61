import {afterEach, expect, it} from '@jest/globals'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {describeCorpus} from '../../corpus.js'
import {SEED, shuffled} from '../../shuffled.js'
import {deleteProviders, type Neighbors, providerNeighbors, upgradeNeighbors} from './neighboring-versions.js'

/** Upgrades by which CRDs leave a package, and by which they lose their stored version. */
const ALWAYS: readonly Neighbors[] = [
  {name: 'provider-aws', from: 'v0.10.0', to: 'v0.11.1'},
  {name: 'provider-azure', from: 'v0.3.0', to: 'v0.10.0'},
  {name: 'provider-azure', from: 'v0.2.1', to: 'v0.3.0'},
  {name: 'provider-gcp', from: 'v0.5.0', to: 'v0.6.0'},
]
const text = ({name, from, to}: Neighbors) => `${name} ${from} → ${to}`
const others = providerNeighbors().filter(each => !ALWAYS.some(always => text(always) === text(each)))
const DRAWN = shuffled(others, SEED).slice(0, 4)

describeCorpus('neighboring versions of real providers', () => {
  describeCluster('current', `with a custom resource of each kind (seed ${SEED})`, cluster => {
    afterEach(() => deleteProviders(cluster()), 180_000)

    it.each([...ALWAYS, ...DRAWN].map(each => [text(each), each] as const))(
      '%s: each keeps its controller, or the upgrade is rejected and names it',
      async (_, neighbors) => {
        const rejected = await upgradeNeighbors(cluster(), neighbors)
        if (ALWAYS.includes(neighbors)) expect(rejected).not.toEqual([])
      },
      240_000,
    )
  })
})
