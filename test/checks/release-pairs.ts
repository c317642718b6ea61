import {join} from 'node:path'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {neighborsIn, providerNeighbors} from '../commands/cluster/neighboring-versions.js'
import {CORPUS_ROOT, corpusText} from '../corpus.js'
import {below, pick} from '../soak/campaign.js'
import type {Fixture} from './places.js'
import {type Authored, type Crd, type Format, reference} from './worlds.js'

/** What the second release of a pair takes away, or moves. */
export type ReleaseChange =
  | 'field'
  | 'version'
  | 'scope'
  | 'crd'
  | 'owner'
  | 'nothing'
  | 'function'
  | 'capability'

const IN_BOTH = ['field', 'version', 'scope', 'crd', 'owner', 'nothing'] as const
/** Packages of v0.12 have neither functions nor capabilities. */
const RELEASE_CHANGES: Readonly<Record<Format, readonly ReleaseChange[]>> = {
  stack: IN_BOTH,
  xpkg: [...IN_BOTH, 'function', 'capability'],
}

interface ReleasePair {
  readonly change: ReleaseChange
  readonly fixture: Fixture
}

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
export function releasePair(random: () => number, format: Format): ReleasePair {
  const [first, second] = GATES
  const composed = pick(random, ['v1', 'v1beta1'])
  const served = pick(random, ['v1', 'v1beta1'])
  const changes: Readonly<Record<ReleaseChange, readonly Authored[]>> = {
    field: [gate('v2.0.0', {...first, schema: {}}, second)],
    version: [gate('v2.0.0', {...first, versions: [served]}, second)],
    scope: [gate('v2.0.0', {...first, scope: 'Namespaced'}, second)],
    crd: [gate('v2.0.0', GATES[below(random, 2)]!)],
    owner: [gate('v2.0.0', first), wall('v2.0.0', WALL, second)],
    nothing: [gate('v2.0.0', ...GATES, {plural: 'rails'})],
    function: [app('v2.0.0', composed, [])],
    capability: [fn('v2.0.0', 'operation')],
  }
  const change = pick(random, RELEASE_CHANGES[format])
  const fixture = {
    before: [
      ...(format === 'xpkg'
        ? [app('v1.0.0', composed), fn('v1.0.0', 'composition')]
        : [app('v1.0.0', composed, [])]),
      gate('v1.0.0', ...GATES),
      wall('v1.0.0', WALL),
    ],
    after: changes[change],
    requested: ['app', 'gate', 'wall'].map(name => reference(name)),
  }
  return {change, fixture}
}

/** A version of a real package, and the next one. */
interface RealPair {
  readonly name: string
  readonly what: string
  readonly fixture: Fixture
}

const CORPORA: Readonly<Record<Format, string>> = {stack: 'corpus', xpkg: 'corpus-xpkg'}

/** All neighboring versions of a corpus; of those for a current Crossplane, the packages without dependencies: it lacks most of these. */
export function realPairs(format: Format): readonly RealPair[] {
  const corpus = CORPORA[format]
  const isAlone = (version: string) => !corpusText(corpus, version, 'crossplane.yaml').includes('dependsOn:')
  const neighbors =
    format === 'stack'
      ? providerNeighbors()
      : neighborsIn(corpus).filter(({name, from, to}) => [from, to].every(tag => isAlone(`${name}@${tag}`)))
  return neighbors.map(({name, from, to}) => {
    const version = (tag: string) => ({name, tag, source: join(CORPUS_ROOT, corpus, `${name}@${tag}`)})
    const fixture = {before: [version(from)], after: [version(to)], requested: [reference(name)]}
    return {name, what: `${name} ${from} ${to}`, fixture}
  })
}
