import {expect} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {type Fixture, tryAt} from '../checks/places.js'
import {type Authored, type Crd, type Format, FORMATS, reference} from '../checks/worlds.js'
import {temporaryFolder} from '../temporary-folder.js'
import {below, campaign, pick} from './campaign.js'

const folder = temporaryFolder()

/** What places without a cluster report of a release that takes something away. */
const LOSSES =
  /\[(crd-dropped|crd-deleted|crd-version-removed|crd-scope-changed|owner-changed|xpkg-(?:function|capability|kind|policy)-lost)\]/g

campaign('each place without a cluster judges a release as the others', {short: 5, long: 50}, async round => {
  for (const format of FORMATS) {
    const pair = releasePair(round.random, format)
    const at = async (place: 'lock' | 'render' | '--git') => {
      const root = mkdtempSync(join(folder, 'world-'))
      const {status, stdout, stderr} = await tryAt(place, format, pair, {root, host: ''})
      const rules = new Set([...(stdout + stderr).matchAll(LOSSES)].map(([, rule]) => rule))
      return {status, rules: [...rules].sort(), stderr}
    }
    const [lock, git] = [await at('lock'), await at('--git')]
    const isLoss = (rule: string | undefined) => rule !== 'xpkg-policy-lost'
    expect({pair, format, lock: lock.rules}).toEqual({pair, format, lock: git.rules})
    expect({...git, pair, format}).toEqual({...git, pair, format, status: git.rules.some(isLoss) ? 5 : 0})
    expect({pair, format, status: lock.status}).toEqual({pair, format, status: 0})
    if (format === 'xpkg') continue
    const render = await at('render')
    // A folder has the names of what happens to its files; the lock has the owner already.
    const inFolder = git.rules
      .filter(rule => rule !== 'owner-changed')
      .map(rule => (rule === 'crd-dropped' ? 'crd-deleted' : rule))
      .sort()
    expect({...render, pair, format}).toEqual({...render, pair, format, status: 0, rules: inFolder})
  }
})

const FIELDS = {properties: {spec: {type: 'object', properties: {a: {type: 'string'}}}}}
const GATES: readonly [Crd, Crd] = [
  {plural: 'gates', versions: ['v1', 'v1beta1'], schema: FIELDS},
  {plural: 'doors', versions: ['v1']},
]
const WALL: Crd = {plural: 'walls'}

const gate = (tag: string, ...crds: readonly Crd[]): Authored => ({name: 'gate', tag, crds})
const wall = (tag: string, ...crds: readonly Crd[]): Authored => ({name: 'wall', tag, crds})
const fn = (tag: string, capability: string): Authored => ({
  ...{name: 'fn', tag, kind: 'Function', capabilities: [capability], crds: [{plural: 'fns'}]},
})

/** A Configuration that composes a gate in one of its versions. */
function app(tag: string, version: string, requires: Authored['requires'] = FN): Authored {
  const base = {apiVersion: `example.org/${version}`, kind: 'Gate'}
  const input = {
    apiVersion: 'pt.fn.crossplane.io/v1beta1',
    kind: 'Resources',
    resources: [{name: 'gate', base}],
  }
  const composition: JsonObject = {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: 'example-app'},
    spec: {
      compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'X'},
      mode: 'Pipeline',
      pipeline: [{step: 'one', functionRef: {name: 'example-fn'}, input}],
    },
  }
  return {name: 'app', tag, kind: 'Configuration', objects: [composition], requires}
}

const FN: Authored['requires'] = [{name: 'fn', crd: 'fns', kind: 'function'}]

/** Two releases of packages, of which the second takes one thing away, or moves it. */
function releasePair(random: () => number, format: Format): Fixture {
  const [first, second] = GATES
  const composed = pick(random, ['v1', 'v1beta1'])
  const changes: readonly (() => Authored | readonly Authored[])[] = [
    () => gate('v2.0.0', {...first, schema: {}}, second),
    () => gate('v2.0.0', {...first, versions: [pick(random, ['v1', 'v1beta1'])]}, second),
    () => gate('v2.0.0', {...first, scope: 'Namespaced'}, second),
    () => gate('v2.0.0', GATES[below(random, 2)]!),
    () => [gate('v2.0.0', first), wall('v2.0.0', WALL, second)],
    () => gate('v2.0.0', ...GATES, {plural: 'rails'}),
    // Packages of v0.12 have neither.
    ...(format === 'xpkg' ? [() => app('v2.0.0', composed, []), () => fn('v2.0.0', 'operation')] : []),
  ]
  return {
    before: [
      app('v1.0.0', composed),
      fn('v1.0.0', 'composition'),
      gate('v1.0.0', ...GATES),
      wall('v1.0.0', WALL),
    ],
    after: [pick(random, changes)()].flat(),
    requested: ['app', 'gate', 'wall'].map(name => reference(name)),
  }
}
