import {join} from 'node:path'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {neighborsIn, providerNeighbors} from '../commands/cluster/neighboring-versions.js'
import {CORPUS_ROOT, corpusText} from '../corpus.js'
import {below, pick} from '../soak/campaign.js'
import type {Fixture} from './places.js'
import {type Authored, type Crd, type Format, kindOf, reference} from './worlds.js'

/** What the second release of a pair takes away, or moves. */
export type ReleaseChange =
  | 'field'
  | 'version'
  | 'scope'
  | 'crd'
  | 'owner'
  | 'nothing'
  | 'function'
  | 'function moved'
  | 'capability'

const IN_BOTH = ['field', 'version', 'scope', 'crd', 'owner', 'nothing'] as const
/** Packages of v0.12 have neither functions nor capabilities. */
const RELEASE_CHANGES: Readonly<Record<Format, readonly ReleaseChange[]>> = {
  stack: IN_BOTH,
  xpkg: [...IN_BOTH, 'function', 'function moved', 'capability'],
}

interface ReleasePair {
  readonly change: ReleaseChange
  readonly fixture: Fixture
}

const PLURALS = ['gates', 'doors', 'bars', 'locks'] as const
/** The first one of a CRD is stored. */
const VERSIONS = [['v1'], ['v1', 'v1beta1'], ['v1beta1', 'v1'], ['v1beta1', 'v1alpha1', 'v1']] as const
const WALL: Crd = {plural: 'walls'}
const CAPABILITIES = [['composition'], ['composition', 'operation'], []] as const

const gate = (tag: string, crds: readonly Crd[]): Authored => ({name: 'gate', tag, crds})
const wall = (tag: string, ...crds: readonly Crd[]): Authored => ({name: 'wall', tag, crds})
const fn = (tag: string, capabilities: readonly string[], name = 'fn'): Authored => ({
  ...{name, tag, kind: 'Function', capabilities, crds: [{plural: `${name}s`}]},
})

function fields(names: readonly string[]): JsonObject {
  const properties = Object.fromEntries(names.map(name => [name, {type: 'string'}]))
  return {properties: {spec: {type: 'object', properties}}}
}

/** The CRDs of the first release: custom resources have the field a. */
function crdsOf(random: () => number): readonly Crd[] {
  return PLURALS.slice(0, 1 + below(random, PLURALS.length)).map(plural => ({
    plural,
    versions: pick(random, VERSIONS),
    ...(random() < 0.7 ? {schema: fields(pick(random, [['a'], ['a', 'b']]))} : {}),
  }))
}

/** What a Configuration uses of others. */
interface Uses {
  /** A kind, in one of its versions. */
  readonly composed: {readonly plural: string; readonly version: string}
  /** The Function that its Composition calls. */
  readonly calls: string
  /** The Functions that it requires. */
  readonly requires: readonly string[]
}

function app(tag: string, {composed, calls, requires}: Uses): Authored {
  const base = {apiVersion: `example.org/${composed.version}`, kind: kindOf(composed.plural)}
  const input = {
    apiVersion: 'pt.fn.crossplane.io/v1beta1',
    kind: 'Resources',
    resources: [{name: 'composed', base}],
  }
  const composition: JsonObject = {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: 'example-app'},
    spec: {
      compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'X'},
      mode: 'Pipeline',
      pipeline: [{step: 'one', functionRef: {name: `example-${calls}`}, input}],
    },
  }
  return {
    ...{name: 'app', tag, kind: 'Configuration', objects: [composition]},
    requires: requires.map(name => ({name, crd: `${name}s`, kind: 'function'})),
  }
}

/** Two releases of packages, of which the second takes one thing away, or moves it. */
export function releasePair(random: () => number, format: Format): ReleasePair {
  const crds = crdsOf(random)
  const one = pick(random, crds)
  const served = one.versions ?? []
  const used = pick(random, crds)
  const composed = {plural: used.plural, version: pick(random, used.versions ?? [])}
  const uses = {composed, calls: 'fn', requires: format === 'xpkg' ? ['fn'] : []}
  const capabilities = pick(random, CAPABILITIES)
  const others = crds.filter(crd => crd !== one)
  const having = (changed: Crd) => gate('v2.0.0', [changed, ...others])
  const changes: Readonly<Record<ReleaseChange, () => readonly Authored[]>> = {
    field: () => [having({...one, schema: pick(random, [{}, fields(['b']), fields(['a', 'c'])])})],
    version: () => [having({...one, versions: remaining(random, served)})],
    scope: () => [having({...one, scope: 'Namespaced'})],
    crd: () => [gate('v2.0.0', others)],
    owner: () => [gate('v2.0.0', others), wall('v2.0.0', WALL, one)],
    nothing: () => [gate('v2.0.0', [...crds, {plural: 'rails'}])],
    function: () => [app('v2.0.0', {...uses, requires: []})],
    // The Composition calls the other one only by half of the releases.
    'function moved': () => [
      app('v2.0.0', {...uses, calls: pick(random, ['fn', 'other']), requires: ['other']}),
      fn('v1.0.0', capabilities, 'other'),
    ],
    capability: () => [fn('v2.0.0', pick(random, [['operation'], ['composition'], ['safe-start']]))],
  }
  const change = pick(random, RELEASE_CHANGES[format])
  const fixture = {
    before: [
      app('v1.0.0', uses),
      ...(format === 'xpkg' ? [fn('v1.0.0', capabilities)] : []),
      gate('v1.0.0', crds),
      wall('v1.0.0', WALL),
    ],
    after: changes[change](),
    requested: ['app', 'gate', 'wall'].map(name => reference(name)),
  }
  return {change, fixture}
}

/** Drops or moves what is stored, or drops another one. */
function remaining(random: () => number, [stored = 'v1', ...others]: readonly string[]): readonly string[] {
  if (others.length === 0) return [stored === 'v1' ? 'v2' : 'v1']
  const [first = '', ...rest] = others
  return pick(random, [others, [stored, ...rest], [first, stored, ...rest]])
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
