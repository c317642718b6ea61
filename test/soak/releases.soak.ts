import {expect} from '@jest/globals'
import {cpSync, mkdtempSync} from 'node:fs'
import {basename, join} from 'node:path'
import {Bench, tryAt} from '../checks/places.js'
import {releasePair} from '../checks/release-pairs.js'
import {type Authored, type Format, FORMATS, reference} from '../checks/worlds.js'
import {neighborsIn, providerNeighbors} from '../commands/cluster/neighboring-versions.js'
import {CORPUS_ROOT, corpusText, describeCorpus} from '../corpus.js'
import type {CliResult} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {campaign} from './campaign.js'

const folder = temporaryFolder()

/** What places without a cluster report of a release that takes something away. */
const LOSSES =
  /\[(crd-dropped|crd-deleted|crd-version-removed|crd-scope-changed|owner-changed|xpkg-(?:function|capability|kind|policy)-lost)\]/g

type TreePlace = 'lock' | 'render' | '--git'

campaign('each place without a cluster judges a release as the others', {short: 5, long: 50}, async round => {
  for (const format of FORMATS) {
    const {change, fixture} = releasePair(round.random, format)
    await expectAlike({format, what: JSON.stringify({change, fixture})}, async place => {
      const root = mkdtempSync(join(folder, 'world-'))
      return await tryAt(place, format, fixture, {root, host: ''})
    })
  }
})

describeCorpus('neighboring versions of real packages', () => {
  const pairs = [
    ...providerNeighbors().map(pair => ({...pair, format: 'stack', corpus: 'corpus'}) as const),
    // Without dependencies: the corpus lacks most of them.
    ...neighborsIn('corpus-xpkg')
      .filter(({name, from, to}) => [from, to].every(tag => !requires(`${name}@${tag}`)))
      .map(pair => ({...pair, format: 'xpkg', corpus: 'corpus-xpkg'}) as const),
  ]

  campaign('are judged alike, too', {short: 2, long: pairs.length}, async ({number, random}) => {
    const isSample = process.env.SOAK_MINUTES === undefined
    const index = isSample ? Math.floor(random() * pairs.length) : number % pairs.length
    const {name, from, to, format, corpus} = pairs[index]!
    await expectAlike({format, what: `${name} ${from} ${to}`}, async place => {
      const [before, after]: Authored[] = [from, to].map(tag => ({name, tag}))
      const fixture = {before: [before!], after: [after!], requested: [reference(name)]}
      const bench = new Bench(mkdtempSync(join(folder, 'real-')), format, fixture)
      const publish = (one: Authored) => {
        const source = join(CORPUS_ROOT, corpus, `${name}@${one.tag}`)
        cpSync(source, bench.folderOf(one), {recursive: true, filter: isOfPackage})
      }
      publish(before!)
      bench.declare()
      await bench.locked()
      publish(after!)
      if (place === '--git') return await bench.changeInGit()
      const locked = await bench.lock()
      return place === 'lock' ? locked : await bench.render()
    })
  })
})

function requires(version: string): boolean {
  return corpusText('corpus-xpkg', version, 'crossplane.yaml').includes('dependsOn:')
}

/** Some folders have files of other programs. */
function isOfPackage(path: string): boolean {
  return !['auth.yaml', 'kustomize'].includes(basename(path))
}

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
  if (format === 'xpkg') return
  const render = await at('render')
  // A folder has the names of what happens to its files; the lock has the owner already.
  const inFolder = git.rules
    .filter(rule => rule !== 'owner-changed')
    .map(rule => (rule === 'crd-dropped' ? 'crd-deleted' : rule))
    .sort()
  expect(render).toEqual({...render, status: 0, rules: inFolder})
}
