import {beforeAll} from '@jest/globals'
import {describeCluster} from '../cluster/describe-cluster.js'
import {type Lives, lives} from '../commands/cluster/interrupted-lives.js'
import {listener} from '../listening.js'
import {below, campaign, pick} from './campaign.js'

describeCluster('current', 'a run that a signal ends at any write', cluster => {
  const listen = listener()
  let all: Lives
  beforeAll(async () => {
    all = await lives(cluster(), listen)
  }, 120_000)

  campaign('is continued by the same command', {short: 10, long: 100}, async ({random}) => {
    await all.live(verb => {
      const last = 1 + below(random, all.undisturbed[verb].writes.length)
      return {
        signal: pick(random, ['SIGINT', 'SIGTERM', 'SIGKILL'] as const),
        at: ({number}) => number === last,
        isAnswered: random() < 0.5,
      }
    })
  })
})
