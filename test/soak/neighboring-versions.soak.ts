import {afterEach} from '@jest/globals'
import {describeCluster} from '../cluster/describe-cluster.js'
import {
  deleteProviders,
  providerNeighbors,
  upgradeNeighbors,
} from '../commands/cluster/neighboring-versions.js'
import {describeCorpus} from '../corpus.js'
import {campaign} from './campaign.js'

describeCorpus('neighboring versions of real providers', () => {
  const all = providerNeighbors()

  describeCluster('current', 'with a custom resource of each kind', cluster => {
    afterEach(() => deleteProviders(cluster()), 180_000)

    campaign(
      'each keeps its controller, or the upgrade is rejected and names it',
      {short: 1, long: all.length},
      async ({number}) => {
        if (number > 0) await deleteProviders(cluster())
        await upgradeNeighbors(cluster(), all[number % all.length]!)
      },
    )
  })
})
