import {beforeAll} from '@jest/globals'
import {describeCluster} from '../cluster/describe-cluster.js'
import {type Removals, removals} from '../commands/cluster/interrupted-removals.js'
import {endsOfPhases} from '../commands/cluster/phases.js'
import {listener} from '../listening.js'
import {below, campaign, pick} from './campaign.js'

describeCluster('current', 'an uninstall that a signal ends', cluster => {
  const listen = listener()
  let all: Removals
  beforeAll(async () => {
    all = await removals(cluster(), listen)
  }, 120_000)

  campaign('is continued by the same command', {short: 10, long: 100}, async ({number, random}) => {
    await all.round(removal => {
      const writes = all.writes[removal]
      // Every second round at the end of a phase, the others at any write.
      const isBoundary = number % 2 === 0
      const last = isBoundary ? pick(random, endsOfPhases(writes)) : 1 + below(random, writes.length)
      return {
        signal: pick(random, ['SIGINT', 'SIGTERM', 'SIGKILL'] as const),
        at: ({number: at}) => at === last,
        isAnswered: isBoundary || random() < 0.5,
      }
    })
  })
})
