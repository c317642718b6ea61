// What bundles cost beside skopeo copying the same images, and what verification costs beyond resolution: from Debian's
// docker-registry on loopback, in one run and in turns.
import {spawnSync} from 'node:child_process'
import {generateKeyPairSync} from 'node:crypto'
import {mkdirSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {generatePackage} from './generate-package.mjs'
import {measure} from './measure.mjs'
import {copy, run, skopeo, startRegistry, writeBase} from './pull.mjs'
import {measuredRow, peerOf} from './rows.mjs'
import {metOrNot} from './table.mjs'

/** With images of 200 MB: 2 GB. */
const BUNDLED = 10
const SIGNED = 50
/** Kinds of a package of a bundle. */
const CRDS = 40
/** Beside skopeo, in time; in MB. */
const [WANTED, WANTED_PEAK] = [1.1, 150]
/** Of the bytes that a delta has to have. */
const WANTED_DELTA = 1.2
/** Milliseconds beyond the resolution. */
const WANTED_VERIFICATION = 500

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'

/** @type {import('./parts.mjs').Part} */
export const SUPPLY_CHAIN = {
  name: 'supply-chain',
  title: 'Bundles and signatures',
  about: `A bundle of ${BUNDLED} packages with 2 GB of images, compared with \`skopeo copy\` of the same images to one layout; a delta with a new version of one package; the lock of ${SIGNED} packages with and without a policy that requires signatures of a key.`,
  measure: async ({folder, best}) => {
    const missing = ['docker-registry', 'skopeo', 'tar'].filter(
      tool => spawnSync('which', [tool], {stdio: 'ignore'}).status !== 0,
    )
    if (missing.length > 0) return {rows: [], missing}
    const registry = await startRegistry(folder)
    try {
      const place = {folder, host: registry.host, build: best}
      return {rows: [...(await bundleRows(place)), ...(await signatureRows(place))], missing: []}
    } finally {
      await registry.stop()
    }
  },
}

/** @typedef {{folder: string, host: string, build: import('./builds.mjs').Build}} Place */

/** @param {Place} place */
async function bundleRows({folder, host, build}) {
  const own = ours(build)
  const references = Array.from({length: BUNDLED}, (_, i) => {
    const base = join(folder, 'base')
    writeBase(base, false)
    const reference = pushed({folder, host, build}, {number: i, base})
    rmSync(base, {recursive: true})
    return reference
  })
  const target = (/** @type {string} */ name) => join(folder, name)
  const clean = (/** @type {string} */ name) => () => rmSync(target(name), {recursive: true, force: true})
  const copies = references.map(reference =>
    skopeo('copy', '--src-tls-verify=false', `docker://${reference}`, `oci:${target('copied')}:${reference}`),
  )
  const bundle = (/** @type {readonly string[]} */ of, /** @type {string} */ output) => [
    ...['bundle', 'create', ...of, '--output-file', output, '--no-cache', '--quiet'],
  ]
  const jobs = [
    {
      work: 'skopeo copy',
      command: ['sh', '-c', copies.map(words => words.join(' ')).join(' && ')],
      before: clean('copied'),
    },
    {
      ...{work: 'bundle create', build: build.name, before: clean('bundle')},
      command: [...build.command, ...bundle(references, target('bundle'))],
    },
  ]
  const results = await measure(jobs)
  const peer = peerOf(results, 'skopeo copy')
  const rows = results.map(each =>
    each.job.build === undefined
      ? measuredRow(each)
      : measuredRow(each, {
          ...{peer, wanted: WANTED, wantedPeak: WANTED_PEAK},
          details: `${(bytesIn(target('bundle')) / 1e9).toFixed(2)} GB`,
        }),
  )
  const newer = pushed({folder, host, build}, {number: 0, base: undefined, version: 'v1.1.0'})
  const [, ...others] = references
  own([...bundle([newer, ...others], target('delta')), '--base', target('bundle')])
  return [...rows, deltaRow(target('bundle'), target('delta'), build.name)]
}

/**
 * The size of a delta beside that of the blobs that its base lacks.
 *
 * @param {string} base
 * @param {string} delta
 * @param {string} build
 * @returns {import('./table.mjs').Row}
 */
function deltaRow(base, delta, build) {
  const blobs = (/** @type {string} */ folder) => join(folder, 'blobs/sha256')
  const old = new Set(readdirSync(blobs(base)))
  const added = readdirSync(blobs(delta)).filter(name => !old.has(name))
  // Of one image: manifest, config and layers; the description and the lock are what the delta costs beyond them.
  const largest = added.map(name => statSync(join(blobs(delta), name)).size).sort((a, b) => b - a)
  const needed = largest.slice(0, 1).reduce((sum, size) => sum + size, 0)
  const ratio = bytesIn(delta) / needed
  return {
    ...{work: 'delta of one package', build},
    details: `${bytesIn(delta)} bytes, ${ratio.toFixed(2)}x of its new layer (≤ ${WANTED_DELTA}x: ${metOrNot(ratio <= WANTED_DELTA)})`,
  }
}

/**
 * Builds a package upon an image of its own, or of nothing, and pushes it.
 *
 * @param {Place} place
 * @param {{number: number, base: string | undefined, version?: string}} package_
 */
function pushed({folder, host, build}, {number, base, version = 'v1.0.0'}) {
  const [source, built] = [join(folder, 'source'), join(folder, 'built')]
  generatePackage(source, CRDS, {first: number * CRDS, blocks: version === 'v1.0.0' ? 4 : 27})
  const from = base === undefined ? [] : ['--from', `oci:${base}:v1`]
  ours(build)(['package', 'build', `oci:${built}:v1.0.0`, source, '--no-lint', ...from])
  const reference = `${host}/bench/bundled${number}:${version}`
  copy(`oci:${built}:v1.0.0`, reference)
  for (const path of [source, built]) rmSync(path, {recursive: true})
  return reference
}

/** @param {Place} place */
async function signatureRows({folder, host, build}) {
  const home = join(folder, 'home')
  mkdirSync(home)
  const {privateKey, publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  const [key, declaration] = [join(home, 'key.pem'), join(home, 'crossplane-packages.yaml')]
  writeFileSync(key, privateKey.export({type: 'pkcs8', format: 'pem'}))
  writeFileSync(join(home, 'team.pub'), publicKey.export({type: 'spki', format: 'pem'}))
  const rule = 'signatures:\n- repositories: ["*"]\n  signers: [{keyFile: team.pub}]\n'
  writeFileSync(join(home, 'policy.yaml'), `${HEAD}kind: Policy\n${rule}`)
  const entries = Array.from({length: SIGNED}, (_, i) => {
    const source = join(folder, `signed${i}`)
    generatePackage(source, 1, {first: i * 10})
    const reference = `${host}/bench/signed${i}:v1.0.0`
    ours(build)(['package', 'push', reference, source, '--no-lint', '--sign-key', key])
    return `- {package: "${reference}", namespace: x}\n`
  })
  writeFileSync(declaration, `${HEAD}kind: PackageDeclaration\npackages:\n${entries.join('')}`)
  const lock = [...build.command, 'package', 'lock', '--declaration', declaration, '--quiet']
  const options = ['--cache-dir', join(home, 'cache'), '--lock-file', join(home, 'lock')]
  const before = () => rmSync(join(home, 'lock'), {force: true})
  const resolve = {work: `lock of ${SIGNED} packages`, build: build.name, before}
  const results = await measure([
    {...resolve, command: [...lock, ...options]},
    {
      ...{...resolve, work: `lock of ${SIGNED} packages, verified`},
      command: [...lock, ...options, '--policy', join(home, 'policy.yaml')],
    },
  ])
  const [plain, verified] = results
  const ms = (verified?.median ?? Number.NaN) - (plain?.median ?? Number.NaN)
  const beyond = {work: 'verification beyond resolution', build: build.name, ms, wanted: WANTED_VERIFICATION}
  return [...results.map(each => measuredRow(each)), beyond]
}

/**
 * @param {import('./builds.mjs').Build} build
 * @returns {(args: string[]) => void}
 */
function ours({command: [program = '', ...first]}) {
  return args => run(program, [...first, ...args])
}

/** @param {string} folder */
function bytesIn(folder) {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .reduce((sum, {parentPath, name}) => sum + statSync(join(parentPath, name)).size, 0)
}
