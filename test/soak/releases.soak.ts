import {expect} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {tryAt} from '../checks/places.js'
import {realPairs, releasePair} from '../checks/release-pairs.js'
import {type Format, FORMATS} from '../checks/worlds.js'
import {describeCorpus} from '../corpus.js'
import type {CliResult} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {campaign} from './campaign.js'

const folder = temporaryFolder()

/** What places without a cluster report of a release that takes something away. */
const LOSSES =
  /\[(crd-dropped|crd-deleted|crd-version-removed|crd-scope-changed|owner-changed|xpkg-(?:function|capability|kind|policy)-lost)\]/g

type TreePlace = 'lock' | 'render' | '--git'

campaign('places without a cluster judge a release alike', {short: 5, long: 100}, async round => {
  for (const format of FORMATS) {
    const {change, fixture} = releasePair(round.random, format)
    await expectAlike({format, what: JSON.stringify({change, fixture})}, async place => {
      const root = mkdtempSync(join(folder, 'world-'))
      return await tryAt(place, format, fixture, {root, host: ''})
    })
  }
})

describeCorpus('neighboring versions of real packages', () => {
  const pairs = FORMATS.flatMap(format => realPairs(format).map(pair => ({...pair, format})))

  campaign('are judged alike, too', {short: 2, long: pairs.length}, async ({number, random}) => {
    const isSample = process.env.SOAK_MINUTES === undefined
    const index = isSample ? Math.floor(random() * pairs.length) : number % pairs.length
    const {what, format, fixture} = pairs[index]!
    await expectAlike({format, what}, async place => {
      const root = mkdtempSync(join(folder, 'real-'))
      return await tryAt(place, format, fixture, {root, host: ''})
    })
  })
})

/** Expects that places without a cluster report the same of a release. */
async function expectAlike(
  {format, what}: {readonly format: Format; readonly what: string},
  change: (place: TreePlace) => Promise<CliResult>,
): Promise<void> {
  const at = async (place: TreePlace) => {
    const {status, stdout, stderr} = await change(place)
    const rules = new Set([...(stdout + stderr).matchAll(LOSSES)].map(([, rule]) => rule))
    return {what, status, rules: [...rules].sort(), stderr}
  }
  const [lock, git] = [await at('lock'), await at('--git')]
  expect({...lock, stderr: ''}).toEqual({what, status: 0, rules: git.rules, stderr: ''})
  const isStopped = git.rules.some(rule => rule !== 'xpkg-policy-lost')
  expect(git).toEqual({...git, status: isStopped ? 5 : 0})
  const render = await at('render')
  // Files of CRDs have the names of what happens to them; the lock has the owner already.
  const inFolder = git.rules
    .filter(rule => rule !== 'owner-changed')
    .map(rule => (format === 'stack' && rule === 'crd-dropped' ? 'crd-deleted' : rule))
    .sort()
  expect(render).toEqual({...render, status: 0, rules: inFolder})
}
