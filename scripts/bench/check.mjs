// What it costs to check rendered files: with --hashes beside reading and hashing them, and in full beside rendering.
import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {environment} from './execute.mjs'
import {generatePackage} from './generate-package.mjs'
import {measure} from './measure.mjs'
import {measuredRow, peerOf} from './rows.mjs'

/** @typedef {import('./measure.mjs').Result} Result */

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
 * @param {readonly string[]} program
 * @param {string} home
 * @param {number} crds
 */
function renderedHome([program = '', ...first], home, crds) {
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
    const {status, stderr} = spawnSync(program, [...first, 'package', ...args], {env: environment})
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

const [FILES, KINDS] = [1000, 300]

/** @type {import('./parts.mjs').Part} */
export const CHECK = {
  name: 'check',
  title: 'Check',
  about: `\`package check --hashes\` compared with reading and hashing the same ${FILES} files, both without their start, and \`package check\` compared with rendering of ${KINDS} CRDs.`,
  measure: async ({folder, best}) => {
    const large = renderedHome(best.command, join(folder, 'large'), KINDS)
    const [one, many] = [join(folder, 'one'), join(folder, 'many')]
    const own = (/** @type {string} */ work, /** @type {string[]} */ ...args) => ({
      work,
      build: best.name,
      command: [...best.command, 'package', ...args],
    })
    const [node, reading, start, byHash, render, check] = await measure([
      {work: 'hash one file', command: [process.execPath, '-e', HASH_ALL, one]},
      {work: `hash ${FILES} files`, command: [process.execPath, '-e', HASH_ALL, many]},
      own('check --hashes, one file', 'check', ...hashedFolder(one, 1), '--hashes'),
      own(`check --hashes, ${FILES} files`, 'check', ...hashedFolder(many, FILES), '--hashes'),
      own(`render ${KINDS} CRDs`, 'render', ...large.source, '--locked'),
      own(`check ${KINDS} CRDs`, 'check', ...large.source, ...large.tree),
    ])
    const all = [node, reading, start, byHash, render, check].flatMap(each => each ?? [])
    const beyond = (/** @type {Result | undefined} */ a, /** @type {Result | undefined} */ b) =>
      (a?.median ?? Number.NaN) - (b?.median ?? Number.NaN)
    return {
      rows: [
        ...all.map(each => measuredRow(each)),
        {
          work: `${FILES} files without the start`,
          build: best.name,
          ms: beyond(byHash, start),
          peer: {name: `hash ${FILES} files`, ms: beyond(reading, node)},
          wanted: 3,
        },
        {
          work: `check ${KINDS} CRDs`,
          build: best.name,
          ms: check?.median ?? Number.NaN,
          peer: peerOf(all, `render ${KINDS} CRDs`),
          wanted: 1.2,
        },
      ],
      missing: [],
    }
  },
}
