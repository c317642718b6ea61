import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {text} from 'node:stream/consumers'
import {cacheFolder} from '../../src/adapters/cache-folder.js'
import {nodeHttp} from '../../src/adapters/http/node-http.js'
import {listCache} from '../../src/cache/list-cache.js'
import {packageCache} from '../../src/cache/package-cache.js'
import {DEFAULT_PLATFORM} from '../../src/fetch/platform.js'
import {ociRegistry} from '../../src/registry/oci-registry.js'
import {systemClock} from '../../src/adapters/system-clock.js'
import type {Digest} from '../../src/fetch/image.js'
import {programCommand} from '../built-program.js'
import {startRegistry} from '../fakes/registry-server.js'
import type {RegistryServer} from '../fakes/registry-server.js'
import {present} from '../outcome.js'
import {imageOf, layerOf, noise} from '../registry/package-images.js'
import {preloading, runBuilt, smallEnvironment} from '../run-program.js'
import {random, SEED, shuffled} from '../shuffled.js'
import {temporaryFolder} from '../temporary-folder.js'

const PROCESSES = 20
const KILLED = 7
/** Milliseconds after its first line within which a process may be killed. */
const LONGEST_LIFE = 1500
const NO_SOCKETS = join(import.meta.dirname, 'no-sockets.cjs')

interface Published {
  readonly reference: string
  readonly digest: Digest
  /** By path below `.registry/`. */
  readonly files: Readonly<Record<string, string>>
}

const LARGE = noise(30_000)

/** Fifty packages; some of their files are the same. */
const CONTENTS = Array.from({length: 50}, (_, index) => ({
  'app.yaml': `title: Package ${index}\nversion: 0.1.${index}\n`,
  'resources/one.yaml': `one of ten: ${index % 10}\n`,
  'resources/large.txt': `${index} ${LARGE}`,
}))

describe(`${PROCESSES} programs pulling the same ${CONTENTS.length} packages into one cache (SEED=${SEED})`, () => {
  const root = join(temporaryFolder(), 'cache')
  const published: Published[] = []
  let server: RegistryServer
  beforeAll(async () => {
    programCommand()
    server = await startRegistry()
    for (const [index, files] of CONTENTS.entries()) published.push(await publish(server, index, files))
  })
  afterAll(() => server.close())

  const pullArgs = (seed: number) => {
    const references = shuffled(published, seed).map(({reference}) => reference)
    return ['package', 'pull', ...references, '--cache-dir', root]
  }

  /** Runs a pull; one with a life is killed so long after it has begun to pull. */
  async function run(seed: number, life?: number) {
    const child = spawn(...programCommand(...pullArgs(seed)), {
      env: smallEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
    if (life !== undefined)
      child.stderr.once('data', () => void sleep(life).then(() => child.kill('SIGKILL')))
    const [stdout, , [status, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return {status, signal, lines: stdout.split('\n').length - 1}
  }

  it('some killed: every remaining process succeeds, and every entry verifies', async () => {
    const chance = random(SEED)
    const lives = Array.from({length: PROCESSES}, (_, index) =>
      index % 3 === 0 ? Math.floor(chance() * LONGEST_LIFE) : undefined,
    )
    expect(lives.filter(life => life !== undefined)).toHaveLength(KILLED)
    const results = await Promise.all(lives.map((life, index) => run(SEED + index, life)))
    const killed = results.filter(({signal}) => signal === 'SIGKILL')
    expect(killed.length).toBeGreaterThan(0)
    const survivors = results.filter(({signal}) => signal !== 'SIGKILL')
    expect(survivors).toEqual(survivors.map(() => ({status: 0, signal: null, lines: CONTENTS.length})))
    expect(survivors.length).toBeGreaterThanOrEqual(PROCESSES - KILLED)
    expect(await verified()).toEqual({entries: CONTENTS.length, broken: [], warnings: []})
  })

  it('a later process does not need the network', async () => {
    const args = [...pullArgs(SEED), '--offline', '--output', 'json']
    const {status, stdout, stderr} = await runBuilt(args, {env: preloading(NO_SOCKETS)})
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    const {packages} = JSON.parse(stdout) as {packages: {digest: string; fromCache: boolean}[]}
    expect(packages.map(({digest}) => digest).sort()).toEqual(published.map(({digest}) => digest).sort())
    expect(packages.filter(({fromCache}) => !fromCache)).toEqual([])
  })

  /** How many entries there are, and those that are not exactly what was published. */
  async function verified() {
    const warnings: unknown[] = []
    const cache = packageCache(cacheFolder(root), {clock: systemClock, warn: fault => warnings.push(fault)})
    const broken: string[] = []
    for (const {reference, digest, files} of published) {
      const found = await cache.find(digest, DEFAULT_PLATFORM)
      const texts = found?.files.map(({path, bytes}) => [path, Buffer.from(bytes).toString()] as const)
      const isSame = JSON.stringify(sorted(texts ?? [])) === JSON.stringify(sorted(Object.entries(files)))
      if (!isSame) broken.push(reference)
    }
    return {entries: (await listCache(cacheFolder(root))).length, broken, warnings}
  }
})

function sorted(entries: readonly (readonly [string, string])[]) {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
}

async function publish({host}: RegistryServer, index: number, files: Published['files']): Promise<Published> {
  const registry = ociRegistry({
    http: nodeHttp(),
    keychain: {credentialsFor: () => Promise.resolve(undefined)},
    clock: systemClock,
    schemeOf: () => 'http:',
  })
  const below = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [`.registry/${path}`, content]),
  )
  const image = imageOf(layerOf(below))
  const path = `team/package-${index}`
  const {digest} = await registry.push({registry: host, path}, 'v1', image)
  return {reference: `${host}/${path}:v1`, digest: present(digest), files}
}
