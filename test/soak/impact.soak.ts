import {expect} from '@jest/globals'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {neighborsIn} from '../commands/cluster/neighboring-versions.js'
import {describeCorpus} from '../corpus.js'
import {abreast} from '../crd/abreast.js'
import {changedKinds, disagreements, generatedPairs, judgePair} from '../usage/impact-judge.js'
import {MUTATIONS} from '../usage/impact-pairs.js'
import {below, campaign, pick} from './campaign.js'

/** Pairs of a round, which have kinds of their own. */
const PAIRS = 5
/** Mutations of one pair. */
const MAX_MUTATIONS = 3

type Mutation = readonly [string, (spec: JsonObject) => JsonObject]

describeCluster('current', 'what an upgrade does to objects, on a current API server', cluster => {
  campaign(
    'is what is reported offline, for several changes at once',
    {short: 1, long: 60},
    async ({number, random}) => {
      const mutations = Array.from({length: PAIRS}, (_none, index): Mutation => {
        const some = Array.from({length: 1 + below(random, MAX_MUTATIONS)}, () =>
          pick(random, Object.entries(MUTATIONS)),
        )
        const name = `${number}-${index} ${some.map(([text]) => text).join(', ')}`
        return [name, spec => some.reduce((whole, [, mutate]) => mutate(whole), spec)]
      })
      const pairs = generatedPairs(Object.fromEntries(mutations), `r${number}`).map(pair => ({
        ...pair,
        canBeRejected: true,
      }))
      const rows = (await abreast(pairs, pair => judgePair(cluster().kube, pair))).flat()
      expect(rows.flatMap(row => disagreements(row).map(text => `${row.name}: ${text}`))).toEqual([])
    },
  )

  describeCorpus('for all neighboring releases of real packages', () => {
    const all = ['corpus', 'corpus-xpkg'].flatMap(neighborsIn)
    campaign('is what is reported offline', {short: 1, long: all.length}, async ({number}) => {
      const {name, from, to} = all[number % all.length]!
      const kinds = changedKinds(`${name}@${from}`, `${name}@${to}`, `r${number}`)
      const rows = (await abreast(kinds, pair => judgePair(cluster().kube, pair))).flat()
      expect(rows.flatMap(row => disagreements(row).map(text => `${from}: ${row.name}: ${text}`))).toEqual([])
    })
  })
})
