// What it costs to check rendered files: with --hashes beside reading and hashing them, and in full beside rendering.
import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {generatePackage} from './generate-package.mjs'
import {environment, measure} from './measure.mjs'

const DECLARATION = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages:
- {package: example/bench:v1.0.0, namespace: x}
`

/** Reads and hashes every file below a folder. */
const HASH_ALL = `
const {createHash} = require('node:crypto')
const {readdirSync, readFileSync} = require('node:fs')
const {join} = require('node:path')
for (const entry of readdirSync(process.argv[1], {recursive: true, withFileTypes: true}))
  if (entry.isFile()) createHash('sha256').update(readFileSync(join(entry.path, entry.name))).digest('hex')`

/**
 * A home with a rendered package.
 *
 * @param {string} program
 * @param {string} home
 * @param {number} crds
 */
function renderedHome(program, home, crds) {
  mkdirSync(home, {recursive: true})
  writeFileSync(join(home, 'crossplane-packages.yaml'), DECLARATION)
  generatePackage(join(home, 'available/example/bench@v1.0.0'), crds)
  const source = [
    ...['--declaration', join(home, 'crossplane-packages.yaml')],
    ...['--packages', join(home, 'available')],
  ]
  const tree = ['--output-dir', join(home, 'packages')]
  for (const args of [
    ['lock', ...source],
    ['render', ...source, ...tree],
  ]) {
    const {status, stderr} = spawnSync(process.execPath, [program, 'package', ...args], {env: environment})
    if (status !== 0) throw new Error(String(stderr))
  }
  return {source, tree}
}

/**
 * A folder of files with their list of hashes, as rendering leaves it; one package cannot have as many CRDs.
 *
 * @param {string} folder
 * @param {number} count
 */
function hashedFolder(folder, count) {
  mkdirSync(join(folder, 'crds'), {recursive: true})
  mkdirSync(join(folder, '.kubectl-crossplane'))
  const lines = Array.from({length: count}, (_, index) => {
    const path = `crds/thing${String(index).padStart(5, '0')}.yaml`
    const text = `index: ${index}\n`.repeat(400)
    writeFileSync(join(folder, path), text)
    return `${createHash('sha256').update(text).digest('hex')}  ${path}`
  })
  const list = ['# kubectl-crossplane files v1', ...lines, ''].join('\n')
  writeFileSync(join(folder, '.kubectl-crossplane/files.sha256'), list)
  return ['--output-dir', folder]
}

/**
 * Rows of a table: name, milliseconds, the ratio to the row before it and the wanted one.
 *
 * @param {string} program
 * @param {string} folder
 * @param {{runs: number, files: number, crds: number}} size
 */
export function measureChecks(program, folder, {runs, files, crds}) {
  const large = renderedHome(program, join(folder, 'large'), crds)
  const [one, many] = [join(folder, 'one'), join(folder, 'many')]
  const hashes = (/** @type {string[]} */ tree) => [program, 'package', 'check', ...tree, '--hashes']
  const jobs = [
    {name: 'node', args: ['-e', HASH_ALL, one]},
    {name: `read and hash ${files} files`, args: ['-e', HASH_ALL, many]},
    {name: 'program', args: hashes(hashedFolder(one, 1))},
    {name: `package check --hashes, ${files} files`, args: hashes(hashedFolder(many, files))},
    {name: `package render, ${crds} CRDs`, args: [program, 'package', 'render', ...large.source, '--locked']},
    {
      name: `package check, ${crds} CRDs`,
      args: [program, 'package', 'check', ...large.source, ...large.tree],
    },
  ]
  const results = measure(jobs, runs, folder)
  const [node, reading, start, byHash, render, check] = results.map(each => each.median)
  const failed = results.filter(({error}) => error !== undefined).map(({name, error}) => `${name}: ${error}`)
  if (failed.length > 0) throw new Error(failed.join('; '))
  const row = (
    /** @type {number} */ index,
    /** @type {number} */ milliseconds,
    /** @type {number} */ reference,
    wanted = '',
  ) => [
    results[index]?.name ?? '',
    milliseconds.toFixed(1),
    wanted === '' ? '' : `${(milliseconds / reference).toFixed(2)}x`,
    wanted,
  ]
  const hashing = (reading ?? NaN) - (node ?? NaN)
  return [
    row(1, hashing, NaN),
    row(3, (byHash ?? NaN) - (start ?? NaN), hashing, '<= 3x'),
    row(4, render ?? NaN, NaN),
    row(5, check ?? NaN, render ?? NaN, '<= 1.2x'),
  ]
}
