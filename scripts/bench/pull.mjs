// What pulling a package costs beside what skopeo needs to copy its image: from Debian's docker-registry on loopback, in
// one run and in turns. The package has 40 CRDs and lies in an image of 200 MB, once as `package push --from` makes it,
// once as any other tool would: then all of the image has to be read.
import {Buffer} from 'node:buffer'
import {spawn, spawnSync} from 'node:child_process'
import {createHash, randomFillSync} from 'node:crypto'
import {once} from 'node:events'
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {connect, createServer} from 'node:net'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {gzipSync} from 'node:zlib'
import {generatePackage} from './generate-package.mjs'
import {measure} from './measure.mjs'
import {measuredRow, peerOf} from './rows.mjs'

const IMAGE_BYTES = 200 * 1024 * 1024
const CRDS = 40

/** @type {import('./parts.mjs').Part} */
export const PULLS = {
  name: 'pulls',
  title: 'Pull',
  about:
    'An image of 200 MB with 40 CRDs, from a registry on loopback, compared with `skopeo copy` to a folder. If another tool built the image, all of its layers are read.',
  measure: async ({folder, best}) => {
    const missing = ['docker-registry', 'skopeo', 'tar'].filter(
      tool => spawnSync('which', [tool], {stdio: 'ignore'}).status !== 0,
    )
    if (missing.length > 0) return {rows: [], missing}
    const registry = await startRegistry(folder)
    try {
      return {rows: await pullRows(folder, best, publish(best.command, folder, registry.host)), missing: []}
    } finally {
      await registry.stop()
    }
  },
}

/**
 * @param {string} folder
 * @param {import('./builds.mjs').Build} build
 * @param {{ours: string, other: string}} references
 */
async function pullRows(folder, {name: build, command}, references) {
  const target = (/** @type {number} */ i) => join(folder, `target-${i}`)
  const clean = (/** @type {number} */ i) => () => rmSync(target(i), {recursive: true, force: true})
  const from = ['copy', '--src-tls-verify=false', `docker://${references.other}`]
  const pull = (/** @type {string} */ reference, /** @type {string} */ cache) => [
    ...[...command, 'package', 'pull', reference],
    ...['--cache-dir', cache],
  ]
  const jobs = [
    {work: 'skopeo copy', command: skopeo(...from, `dir:${target(0)}`), before: clean(0)},
    {
      work: 'pull, image of another tool',
      build,
      command: pull(references.other, target(1)),
      before: clean(1),
    },
    {work: 'pull, image built here', build, command: pull(references.ours, target(2)), before: clean(2)},
    {work: 'pull, cached', build, command: pull(references.other, join(folder, 'warm'))},
  ]
  const results = await measure(jobs)
  const peer = peerOf(results, 'skopeo copy')
  return results.map((each, i) => {
    const details = i < 3 ? `${(bytesIn(target(i)) / 1e6).toFixed(1)} MB written` : ''
    if (each.job.build === undefined) return measuredRow(each, {details})
    return measuredRow(each, {details, peer, wanted: i < 3 ? 1.5 : undefined})
  })
}

/** @param {string} folder */
function bytesIn(folder) {
  if (!existsSync(folder)) return 0
  const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile())
  return files.reduce((sum, {parentPath, name}) => sum + statSync(join(parentPath, name)).size, 0)
}

/**
 * Pushes the image twice: as `package push --from` makes it, and without the mark on its package's layer.
 *
 * @param {readonly string[]} command
 * @param {string} folder
 * @param {string} host
 */
function publish([program = '', ...first], folder, host) {
  const source = join(folder, 'package')
  generatePackage(source, CRDS)
  writeBase(join(folder, 'base'))
  const built = join(folder, 'built')
  const from = ['--from', `oci:${join(folder, 'base')}:v1`, '--no-lint']
  run(program, [...first, 'package', 'build', `oci:${built}:v1.0.0`, source, ...from])
  const references = {ours: `${host}/bench/ours:v1.0.0`, other: `${host}/bench/other:v1.0.0`}
  copy(`oci:${built}:v1.0.0`, references.ours)
  unmark(built)
  copy(`oci:${built}:v1.0.0`, references.other)
  return references
}

/**
 * @param {string} image
 * @param {string} reference
 */
export function copy(image, reference) {
  const [command = '', ...args] = skopeo('copy', '--dest-tls-verify=false', image, `docker://${reference}`)
  run(command, args)
}

/** @param {string[]} args */
export function skopeo(...args) {
  return ['skopeo', '--insecure-policy', ...args]
}

/**
 * An image of one layer that no compression makes smaller.
 *
 * @param {string} layout
 * @param {boolean} [isCompressed]
 */
export function writeBase(layout, isCompressed = true) {
  mkdirSync(join(layout, 'files'), {recursive: true})
  const blobs = join(layout, 'blobs/sha256')
  mkdirSync(blobs, {recursive: true})
  writeFileSync(join(layout, 'files/noise'), randomFillSync(Buffer.alloc(IMAGE_BYTES)))
  const tar = spawnSync('tar', ['-c', '-C', layout, 'files'], {maxBuffer: 2 * IMAGE_BYTES}).stdout
  rmSync(join(layout, 'files'), {recursive: true})
  const type = 'application/vnd.oci.image.layer.v1.tar'
  const layer = isCompressed ? blob(blobs, gzipSync(tar, {level: 1}), `${type}+gzip`) : blob(blobs, tar, type)
  const rootfs = {type: 'layers', diff_ids: [digestOf(tar)]}
  const config = json(blobs, {architecture: 'amd64', os: 'linux', rootfs}, 'config')
  const manifest = json(blobs, {schemaVersion: 2, config, layers: [layer]}, 'manifest')
  writeIndex(layout, manifest, 'v1')
}

/**
 * Takes all annotations off the layers of an image, as if another tool had made it.
 *
 * @param {string} layout
 */
function unmark(layout) {
  const blobs = join(layout, 'blobs/sha256')
  const [entry] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests
  const manifest = JSON.parse(readFileSync(join(blobs, entry.digest.slice('sha256:'.length)), 'utf8'))
  for (const layer of manifest.layers) delete layer.annotations
  writeIndex(layout, json(blobs, manifest, 'manifest'), 'v1.0.0')
}

/**
 * @param {string} layout
 * @param {object} manifest
 * @param {string} tag
 */
function writeIndex(layout, manifest, tag) {
  const entry = {...manifest, annotations: {'org.opencontainers.image.ref.name': tag}}
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({imageLayoutVersion: '1.0.0'}))
  writeFileSync(join(layout, 'index.json'), JSON.stringify({schemaVersion: 2, manifests: [entry]}))
}

/**
 * @param {string} blobs
 * @param {object} document
 * @param {string} kind
 */
function json(blobs, document, kind) {
  return blob(blobs, Buffer.from(JSON.stringify(document)), `application/vnd.oci.image.${kind}.v1+json`)
}

/**
 * @param {string} blobs
 * @param {Buffer} bytes
 * @param {string} mediaType
 */
function blob(blobs, bytes, mediaType) {
  const digest = digestOf(bytes)
  writeFileSync(join(blobs, digest.slice('sha256:'.length)), bytes)
  return {mediaType, digest, size: bytes.length}
}

/** @param {Buffer} bytes */
function digestOf(bytes) {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/**
 * @param {string} command
 * @param {string[]} args
 */
export function run(command, args) {
  const {status, stderr} = spawnSync(command, args, {stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8'})
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr.trim()}`)
}

/** @param {string} folder */
export async function startRegistry(folder) {
  const host = `127.0.0.1:${await freePort()}`
  const config = join(folder, 'registry.json')
  const storage = {filesystem: {rootdirectory: join(folder, 'registry')}}
  writeFileSync(config, JSON.stringify({version: 0.1, log: {level: 'error'}, storage, http: {addr: host}}))
  const server = spawn('docker-registry', ['serve', config], {stdio: 'ignore'})
  while (!(await answers(host))) await setTimeout(20)
  return {
    host,
    stop: async () => {
      const ended = once(server, 'exit')
      server.kill()
      await ended
    },
  }
}

/** @param {string} host */
async function answers(host) {
  const [name, port] = host.split(':')
  const socket = connect(Number(port), name)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const {port} = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return port
}
