// What reading many and large packages for a current Crossplane costs.
import {spawnSync} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {schemaOf} from './generate-package.mjs'
import {jsYamlLoad} from './js-yaml.mjs'
import {measure} from './measure.mjs'
import {startRegistry} from './pull.mjs'
import {measuredRow, peerOf} from './rows.mjs'

/** The providers of a closure, without its Configuration, and the CRDs of each: 900 in all. */
const PROVIDERS = 19
const CRDS = 900
/** Of reading and parsing the same files. */
const WANTED = 3
/** One provider with CRDs of 20 KB, as provider-upjet-aws has them. */
const LARGE_CRDS = 1000
const LARGE_BLOCKS = 11
/** Of the size of its YAML. */
const WANTED_MEMORY = 6

/** @type {import('./parts.mjs').Part} */
export const XPKGS = {
  name: 'xpkgs',
  title: 'Packages for a current Crossplane',
  about:
    'A Configuration that requires 19 Providers with 900 CRDs of 9 KB, rendered from the cache, beside reading and parsing the same files with js-yaml; and `inspect` of one Provider with 1,000 CRDs of 20 KB. The target for the peak memory is six times the size of the YAML.',
  measure: async ({folder, best}) => {
    const large = largePackage(best.command, folder)
    if (spawnSync('which', ['docker-registry'], {stdio: 'ignore'}).status !== 0)
      return {rows: await inspectRows(best, large), missing: ['docker-registry']}
    const registry = await startRegistry(folder)
    try {
      const closure = pushClosure(best.command, folder, registry.host)
      return {rows: [...(await renderRows(best, closure)), ...(await inspectRows(best, large))], missing: []}
    } finally {
      await registry.stop()
    }
  },
}

/**
 * @param {import('./builds.mjs').Build} build
 * @param {{reference: string, sources: string, cache: string}} closure
 */
async function renderRows({name: build, command}, {reference, sources, cache}) {
  const args = ['package', 'render', reference, '--cache-dir', cache, '--offline']
  const peer = jsYamlLoad('js-yaml, load', sources)
  const results = await measure([peer, {work: `render ${CRDS} CRDs`, build, command: [...command, ...args]}])
  const row = {peer: peerOf(results, peer.work), wanted: WANTED, details: `${PROVIDERS + 1} packages`}
  return results.map(each => measuredRow(each, each.job === peer ? {} : row))
}

/**
 * @param {import('./builds.mjs').Build} build
 * @param {{path: string, megabytes: number}} large
 */
async function inspectRows({name: build, command}, {path, megabytes}) {
  const results = await measure([
    {work: `inspect ${LARGE_CRDS} CRDs`, build, command: [...command, 'package', 'inspect', path]},
  ])
  const details = `${megabytes.toFixed(0)} MB of YAML`
  return results.map(each => measuredRow(each, {wantedPeak: WANTED_MEMORY * megabytes, details}))
}

/**
 * Pushes the packages of a closure, and renders it once, so that all of it is in the cache.
 *
 * @param {readonly string[]} command
 * @param {string} folder
 * @param {string} host
 */
function pushClosure(command, folder, host) {
  const sources = join(folder, 'closure')
  const push = (/** @type {string} */ name) => {
    const reference = `${host}/bench/${name}:v1.0.0`
    run(command, 'package', 'push', reference, join(sources, name), '--no-lint')
    return reference
  }
  const names = Array.from({length: PROVIDERS}, (_, at) => `provider-${at}`)
  names.forEach((name, at) => {
    const [first, next] = [at, at + 1].map(place => Math.round((place * CRDS) / PROVIDERS))
    writeProvider(join(sources, name), name, {first: first ?? 0, end: next ?? 0, blocks: 4})
    push(name)
  })
  const requires = names.map(name => `  - provider: ${host}/bench/${name}\n    version: ">=v1.0.0"\n`)
  const configuration = metadata('Configuration', 'configuration', `\n  dependsOn:\n${requires.join('')}`)
  write(join(sources, 'configuration'), 'crossplane.yaml', configuration)
  const reference = push('configuration')
  const cache = join(folder, 'cache')
  run(command, 'package', 'render', reference, '--cache-dir', cache)
  return {reference, sources, cache}
}

/**
 * @param {readonly string[]} command
 * @param {string} folder
 */
function largePackage(command, folder) {
  const source = join(folder, 'large')
  const bytes = writeProvider(source, 'provider-large', {first: 0, end: LARGE_CRDS, blocks: LARGE_BLOCKS})
  const path = join(folder, 'large.xpkg')
  run(command, 'package', 'build', path, source, '--no-lint')
  return {path, megabytes: bytes / 2 ** 20}
}

/**
 * Writes the folder of a Provider; returns the bytes of its CRDs.
 *
 * @param {string} folder
 * @param {string} name
 * @param {{first: number, end: number, blocks: number}} crds
 * @param {(crd: string, at: number) => string} [change]
 */
export function writeProvider(folder, name, {first, end, blocks}, change = text => text) {
  write(folder, 'crossplane.yaml', metadata('Provider', name, ' {}\n'))
  let bytes = 0
  for (let i = first; i < end; i++) bytes += write(folder, `crd-${i}.yaml`, change(crd(i, blocks), i))
  return bytes
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {string} text
 */
function write(folder, name, text) {
  mkdirSync(folder, {recursive: true})
  writeFileSync(join(folder, name), text)
  return text.length
}

/**
 * @param {string} kind
 * @param {string} name
 * @param {string} spec
 */
function metadata(kind, name, spec) {
  return `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec:${spec}`
}

/**
 * @param {number} i
 * @param {number} blocks
 */
function crd(i, blocks) {
  const group = `group${Math.floor(i / 10)}.bench.example.org`
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: thing${i}s.${group}
spec:
  group: ${group}
  names:
    kind: Thing${i}
    listKind: Thing${i}List
    plural: thing${i}s
    singular: thing${i}
  scope: Cluster
  versions:
  - name: v1beta1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
     openAPIV3Schema:
${schemaOf(`Thing${i}`, blocks)}`
}

/**
 * Runs a command, which may find something: it fails only if it prints nothing.
 *
 * @param {readonly string[]} command
 * @param {readonly string[]} args
 */
export function run([program = '', ...first], ...args) {
  const {status, stdout, stderr} = spawnSync(program, [...first, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0 && !(status === 1 && stdout !== '')) throw new Error(stderr)
}
