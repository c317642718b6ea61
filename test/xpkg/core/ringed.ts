import {describe, expect, it} from '@jest/globals'
import {mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../../src/yaml/json-value.js'
import {readYaml} from '../../../src/yaml/read-yaml.js'
import {revisionName} from '../../../src/xpkg/package-name.js'
import {until} from '../../cluster/kube.js'
import {type CliResult, runCli, runCliWith} from '../../run-cli.js'
import {type Core, TIMEOUT} from './describe-core.js'
import {type AuthoredPackage, publish} from './published-packages.js'
import {renderedObjects} from './rendered-set.js'

const PLUGIN = join(import.meta.dirname, '../../../plugins/fleet/src')
const API = 'packages.kubectl-crossplane.dev/v1alpha1'
const HOMES = ['canary', 'staging', 'production'] as const

type Home = (typeof HOMES)[number]

/**
 * Defines the tests of rings. Each home has a cluster with Crossplane, in the order of the rings; with one cluster, the last home has
 * none, which nothing reads.
 */
export function testRings(cores: () => readonly Core[], temporary: string): void {
  describe('rings of homes', () => {
    it(
      'get a set only after it was healthy in the ring before, with the same bytes',
      async () => {
        const rings = new RingWorld(cores(), temporary)
        await rings.start()
        const names = HOMES.slice(0, Math.max(2, cores().length))
        for (const [index, name] of names.slice(0, -1).entries()) {
          const next = names[index + 1]!
          const before = rings.locked(next)
          if (index === 0) await rings.home(name, 'v1.1.0')
          // It is in files alone.
          expect((await rings.promote('0s')).stdout).toContain(`${next}: waits for ${name}\n`)
          await rings.deploy(name)
          const young = await rings.promote('1h')
          expect(young.stdout).toMatch(/has been healthy for \S+; ready at \S+Z\n/)
          expect(rings.locked(next)).toEqual(before)
          await sleep(1100)
          const moved = await rings.promote('1s')
          expect(moved.stdout).toContain(`${next}: promoted from ${name}\n  ${next}: done\n`)
          expect(rings.locked(next)).toEqual(rings.locked(name))
          expect(await rings.running(name)).toEqual(rings.revisions(next))
        }
        const last = names.at(-1)!
        if (rings.has(last)) await rings.deploy(last)
        expect(await rings.fleet()).toMatchObject({status: 0})

        // Crossplane rejects this version, so that it stays where it is.
        await rings.home('canary', 'v1.2.0')
        await rings.deploy('canary', false)
        const stopped = await rings.promote('0s')
        expect(stopped.stdout).toMatch(/staging|production: waits for canary\n {2}canary: \S+rings\/sql: /)
        for (const name of names.slice(1)) expect(rings.tags(name)).toContain('v1.1.0')
        for (const name of names.slice(1)) expect(rings.tags(name)).not.toContain('v1.2.0')
        const {status, stdout} = await rings.fleet()
        expect({status, stdout}).toEqual({status: 1, stdout: expect.stringContaining('v1.2.0*') as unknown})

        // The last cluster that decides about a promotion stops.
        const stoppedHome = names.at(-2)!
        await rings.without(stoppedHome, async () => {
          const next = await rings.promote('0s')
          expect(next).toMatchObject({status: 1})
          expect(next.stdout).toMatch(
            new RegExp(`${last}: waits for ${stoppedHome}\\n {2}${stoppedHome}: cannot `),
          )
          expect((await rings.fleet()).stdout).toContain(`! ${stoppedHome} (${stoppedHome}): `)
        })
      },
      TIMEOUT + cores.length * 60_000,
    )
  })
}

/** Homes with their files, and clusters. */
class RingWorld {
  readonly #cores: ReadonlyMap<Home, Core>
  readonly #root: string
  readonly #temporary: string
  readonly #host: string

  constructor(cores: readonly Core[], temporary: string) {
    this.#cores = new Map(cores.map((core, index) => [HOMES[index]!, core]))
    this.#temporary = temporary
    this.#root = mkdtempSync(join(temporary, 'rings-'))
    this.#host = `${cores[0]?.host}/rings`
  }

  /** Publishes the packages, and writes all homes with their first versions. */
  async start(): Promise<void> {
    const version = (name: string, tag: string, more: Partial<AuthoredPackage> = {}): AuthoredPackage => ({
      ...{repository: `${this.#host}/${name}`, tag, kind: 'Provider', requires: []},
      ...more,
    })
    const requires = [{kind: 'Provider', repository: `${this.#host}/family`, version: '>=v1.0.0'}]
    await publish(this.#temporary, [
      version('family', 'v1.0.0'),
      version('sql', 'v1.0.0', {requires, defines: 'Sql'}),
      version('sql', 'v1.1.0', {requires, defines: 'Sql'}),
      version('sql', 'v1.2.0', {requires, defines: 'Sql', crossplane: '>=v99.0.0'}),
    ])
    const homes = HOMES.slice(0, Math.max(2, this.#cores.size))
    for (const name of homes) await this.home(name, 'v1.0.0')
    const context = (name: Home): JsonObject => (this.#cores.has(name) ? {context: name} : {})
    const rings = homes.map((name): JsonObject => ({name, homes: [{path: name, ...context(name)}]}))
    this.#write('crossplane-rings.yaml', {apiVersion: API, kind: 'PackageRings', rings})
    this.#write('kubeconfig', this.#kubeconfig())
    for (const name of homes) if (this.has(name)) await this.deploy(name)
  }

  has(name: Home): boolean {
    return this.#cores.has(name)
  }

  /** Writes the declaration of a home, and locks and renders it. */
  async home(name: Home, tag: string): Promise<void> {
    mkdirSync(join(this.#root, name), {recursive: true})
    const file = join(this.#root, name, 'crossplane-packages.yaml')
    const packages = [{package: `${this.#host}/sql:${tag}`}]
    this.#write(`${name}/crossplane-packages.yaml`, {apiVersion: API, kind: 'PackageDeclaration', packages})
    for (const args of [['lock'], ['render', '--output-dir', join(this.#root, name, 'packages')]])
      await succeeded(runCli('package', ...args, '--declaration', file, '--quiet'))
  }

  /** Applies the rendered files of a home, as a controller of Git does; waits until all is healthy, or something is not. */
  async deploy(name: Home, isHealthy = true): Promise<void> {
    const core = this.#core(name)
    for (const object of this.#rendered(name)) await core.apply(object)
    const want = this.revisions(name)
    const {others, active} = await core.settled(state =>
      isHealthy
        ? state.others.length === 0 && want.every(one => state.active.includes(one))
        : state.others.some(line => line.includes('/sql')),
    )
    expect({others: others.length, active: isHealthy ? active : []}).toEqual({
      others: isHealthy ? 0 : 1,
      active: isHealthy ? expect.arrayContaining([...want]) : [],
    })
  }

  /** Stops the API server of a home meanwhile. */
  async without(name: Home, work: () => Promise<void>): Promise<void> {
    const core = this.#core(name)
    await core.cluster.withoutApiServer(work)
    // It serves what CRDs define a moment later.
    const isServing = async () =>
      await core.state().then(
        () => true,
        () => false,
      )
    await until(isServing, Boolean, 60)
  }

  /** The revisions that are to be active: their names have the digests of the lock. */
  revisions(name: Home): readonly string[] {
    return Object.entries(this.locked(name))
      .map(([repository, digest]) => `Provider ${revisionName(nameOf(repository), digest)}`)
      .sort()
  }

  async running(name: Home): Promise<readonly string[]> {
    return (await this.#core(name).state()).active
  }

  /** The locked digests, by repository. */
  locked(name: Home): Readonly<Record<string, string>> {
    return this.#lock(name, 'digest')
  }

  tags(name: Home): readonly string[] {
    return Object.values(this.#lock(name, 'tag'))
  }

  async promote(soak: string): Promise<CliResult> {
    return await this.#run('promote', '--next', '--soak', soak, '--yes', '--quiet')
  }

  async fleet(...args: readonly string[]): Promise<CliResult> {
    return await this.#run('fleet', ...args)
  }

  #run(command: string, ...args: readonly string[]): Promise<CliResult> {
    const at = (name: string) => join(this.#root, name)
    const files = ['--rings', at('crossplane-rings.yaml'), '--kubeconfig', at('kubeconfig')]
    return runCliWith(PLUGIN, 'package', command, ...files, ...args)
  }

  #core(name: Home): Core {
    const core = this.#cores.get(name)
    if (core === undefined) throw new RangeError(`${name} has no cluster`)
    return core
  }

  #lock(name: Home, field: 'tag' | 'digest'): Readonly<Record<string, string>> {
    const file = join(this.#root, name, 'crossplane-packages.lock')
    const {xpkgs} = asObject(readYaml(readFileSync(file), file)[0]?.value)
    return Object.fromEntries(
      Object.entries(asObject(xpkgs)).map(([repository, own]) => [repository, asText(asObject(own)[field])]),
    )
  }

  #rendered(name: Home): readonly JsonObject[] {
    return renderedObjects(join(this.#root, name, 'packages'))
  }

  /** One kubeconfig with a context for each home. */
  #kubeconfig(): JsonObject {
    const own = [...this.#cores].map(([name, {cluster}]) => {
      const config = asObject(JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as JsonValue)
      const [of, user] = [asObjects(config.clusters)[0], asObjects(config.users)[0]]
      return {name, cluster: asObject(of?.cluster), user: asObject(user?.user)}
    })
    return {
      ...{apiVersion: 'v1', kind: 'Config'},
      contexts: own.map(({name}) => ({name, context: {cluster: name, user: name}})),
      clusters: own.map(({name, cluster}) => ({name, cluster})),
      users: own.map(({name, user}) => ({name, user})),
    }
  }

  #write(path: string, value: JsonObject): void {
    writeFileSync(join(this.#root, path), JSON.stringify(value))
  }
}

function nameOf(repository: string): string {
  return repository.split('/').slice(1).join('-')
}

async function succeeded(result: Promise<CliResult>): Promise<void> {
  const {status, stderr} = await result
  if (status !== 0) throw new Error(stderr)
}
