// What it costs to compare two releases of a large provider, and to judge many objects by its schemas.
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {jsYamlLoad} from './js-yaml.mjs'
import {measure} from './measure.mjs'
import {measuredRow, peerOf} from './rows.mjs'
import {testServer} from './test-server.mjs'
import {run, writeProvider} from './xpkgs.mjs'

const CRDS = 900
const OBJECTS = 3000
/** Of reading and parsing the same files. */
const WANTED = 1.5
/** Of the same command without the cache; `validate`, whose objects are read and checked at each run: of crossplane/cli. */
const WANTED_CACHED = 0.33
/** Changes break something, and some objects have errors. */
const FINDINGS = [1]
/** In MB. */
const WANTED_MEMORY = 300
/** Every kind of so many has another schema in the second release. */
const CHANGED = 10

/** @type {import('./parts.mjs').Part} */
export const USAGE = {
  name: 'usage',
  title: 'Schemas and objects',
  about:
    'Two releases of a Provider with 900 CRDs of 9 KB each, of which every tenth changes: `compare` of both, beside reading and parsing the same files with js-yaml, and `validate` of 3,000 objects. `cached` is with the schemas in the cache. `crossplane/cli` is its package `pkg/validate`, in a program that reads the same files.',
  measure: async ({folder, best: {name: build, command}}) => {
    const {releases, old, now, objects, declaration, packages} = writeWorld(folder)
    const cache = ['--cache-dir', join(folder, 'cache')]
    const compare = [...command, 'package', 'compare', old, now, '-o', 'json']
    const validateAll = (/** @type {string} */ path) => [
      ...[...command, 'package', 'validate', path, '-o', 'json'],
      ...['--declaration', declaration, '--packages', packages],
    ]
    const validate = validateAll(objects)
    const validateOne = validateAll(join(objects, '0.yaml'))
    run(command, 'package', 'lock', '--declaration', declaration, '--packages', packages)
    run(compare, ...cache)
    run(validate, ...cache)
    const validator = testServer('crossplane-validator')
    const peers =
      validator === undefined ? [] : [{work: 'crossplane/cli, validate', command: [validator, old, objects]}]
    const results = await measure([
      jsYamlLoad('js-yaml, load both', releases),
      {work: 'compare', build, command: [...compare, '--no-cache'], statuses: FINDINGS},
      {work: 'compare, cached', build, command: [...compare, ...cache], statuses: FINDINGS},
      ...peers,
      {work: 'validate', build, command: [...validate, '--no-cache'], statuses: FINDINGS},
      {work: 'validate, cached', build, command: [...validate, ...cache], statuses: FINDINGS},
      {work: 'validate 1 object', build, command: [...validateOne, '--no-cache'], statuses: FINDINGS},
      {work: 'validate 1 object, cached', build, command: [...validateOne, ...cache], statuses: FINDINGS},
    ])
    const compared = {peer: peerOf(results, 'js-yaml, load both'), wanted: WANTED}
    const peer = peers.length === 0 ? undefined : peerOf(results, 'crossplane/cli, validate')
    /** @type {Readonly<Record<string, Parameters<typeof measuredRow>[1]>>} */
    const rows = {
      compare: {...compared, details: `2 x ${CRDS} CRDs`},
      'compare, cached': {peer: peerOf(results, 'compare'), wanted: WANTED_CACHED},
      validate: {...(peer && {peer, wanted: 1}), wantedPeak: WANTED_MEMORY, details: `${OBJECTS} objects`},
      'validate, cached': {
        ...(peer && {peer, wanted: WANTED_CACHED}),
        wantedPeak: WANTED_MEMORY,
      },
      // Its target is that of all objects, which take the same time in both.
      'validate 1 object, cached': {peer: peerOf(results, 'validate 1 object')},
    }
    return {
      rows: results.map(each => measuredRow(each, rows[each.job.work])),
      missing: validator === undefined ? ['crossplane/cli, validate: `npm run cluster:setup` builds it'] : [],
    }
  },
}

/** @param {string} folder */
function writeWorld(folder) {
  const [releases, packages, objects] = ['releases', 'packages', 'objects'].map(name => join(folder, name))
  const all = {first: 0, end: CRDS, blocks: 4}
  const [old, now] = ['old', 'new'].map(name => join(String(releases), name))
  writeProvider(String(old), 'provider', all)
  writeProvider(String(now), 'provider', all, changed)
  writeProvider(join(String(packages), 'bench/provider@v1.0.0'), 'provider', all)
  mkdirSync(String(objects))
  for (let i = 0; i < OBJECTS; i++) writeFileSync(join(String(objects), `${i}.yaml`), objectOf(i))
  const declaration = join(folder, 'crossplane-packages.yaml')
  writeFileSync(
    declaration,
    'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: registry.example.org/bench/provider\n',
  )
  return {
    ...{releases: String(releases), packages: String(packages), objects: String(objects)},
    old: String(old),
    now: String(now),
    declaration,
  }
}

/**
 * @param {string} text
 * @param {number} i
 */
function changed(text, i) {
  return i % CHANGED === 0
    ? text.replace('maximum: 1000', 'maximum: 100').replace('format: int64', 'format: int32')
    : text
}

/** @param {number} i */
function objectOf(i) {
  const kind = i % CRDS
  const value = i % 100 === 0 ? 'many' : i % 100
  return `apiVersion: group${Math.floor(kind / 10)}.bench.example.org/v1beta1
kind: Thing${kind}
metadata: {name: thing-${i}}
spec:
  providerRef: {name: default}
  forProvider:
    block0: {enabled: true, replicas: ${value}, labels: {a: b}}
`
}
