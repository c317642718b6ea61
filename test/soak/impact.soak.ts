import {expect} from '@jest/globals'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {corpusEntries, describeCorpus} from '../corpus.js'
import {abreast} from '../crd/abreast.js'
import {changedKinds, disagreements, generatedPairs, judgePair} from '../usage/impact-judge.js'
import {MUTATIONS} from '../usage/impact-pairs.js'
import {below, campaign, pick} from './campaign.js'

/** Pairs of a round, which have kinds of their own. */
const PAIRS = 5
/** Mutations of one pair. */
const MAX_MUTATIONS = 3
/** Kinds of a release that a round judges. */
const KINDS = 5

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

  describeCorpus('for neighboring releases of real packages', () => {
    const pairs = neighbors(corpusEntries('corpus-xpkg').filter(name => name.startsWith('provider-')))
    const done = new Set<string>()
    campaign('is what is reported offline', {short: 1, long: pairs.length * 4}, async ({random}) => {
      const [old, now] = pick(random, pairs)
      const kinds = changedKinds(old, now).filter(({name}) => !done.has(name))
      const start = below(random, Math.max(1, kinds.length - KINDS))
      const some = kinds.slice(start, start + KINDS)
      some.forEach(({name}) => done.add(name))
      const rows = (await abreast(some, pair => judgePair(cluster().kube, pair))).flat()
      expect(rows.flatMap(row => disagreements(row).map(text => `${old}: ${row.name}: ${text}`))).toEqual([])
    })
  })
})

/** Releases of one package that follow one another. */
function neighbors(names: readonly string[]): readonly (readonly [string, string])[] {
  const sorted = [...names].sort((a, b) => a.localeCompare(b, 'en', {numeric: true}))
  return sorted.flatMap((name, index) => {
    const next = sorted[index + 1]
    return next !== undefined && next.split('@')[0] === name.split('@')[0] ? [[name, next] as const] : []
  })
}
