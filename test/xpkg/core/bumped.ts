import {afterAll, expect} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {isDeepStrictEqual} from 'node:util'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {writeYaml} from '../../../src/yaml/write-yaml.js'
import {accepted} from '../../cluster/kube.js'
import {crossplane} from '../../cluster/servers.js'
import {GitWorlds, type Repository} from '../../commands/git/git-world.js'
import {type CliResult, runCli} from '../../run-cli.js'
import {shuffled} from '../../shuffled.js'
import {campaign, pick, type Round} from '../../soak/campaign.js'
import {type BumpedWorld, bumpedWorld} from './bumped-world.js'
import type {CoreState} from './core-state.js'
import {type Core, removed} from './describe-core.js'
import {publish} from './published-packages.js'
import {renderedObjects, stateOf} from './rendered-set.js'

/**
 * Milliseconds: after that without a change, Crossplane is stuck or done. A soak looks twice, and makes Crossplane look again
 * in between, as it does itself after a minute.
 */
const QUIET = process.env.SOAK_MINUTES === undefined ? [3000] : [10_000, 10_000]
const KINDS = ['providers', 'functions', 'configurations'].flatMap(plural => [
  plural,
  plural.replace(/s$/, 'revisions'),
])
const MAX_MERGES = 10

/**
 * Defines the campaign of random declarations with newer versions: a bot bumps each declared tag, and Crossplane is left alone with it; in
 * another cluster with the same packages, the branches of `package update` are merged and applied.
 */
export function testBumps(
  core: () => Core,
  temporary: string,
  rounds: {readonly short: number; readonly long?: number},
): void {
  const repositories = new GitWorlds()
  const bumped = {worlds: 0, unhealthy: 0, merges: 0, blocked: 0, again: 0}
  afterAll(() => {
    const {worlds, unhealthy, merges, blocked, again} = bumped
    process.stderr.write(`bumped one by one: ${unhealthy} of ${worlds} worlds ended unhealthy\n`)
    process.stderr.write(
      `by package update: none, after ${merges} merges; in ${blocked}, a newest version fits no others; ${again} packages installed again\n`,
    )
  })
  campaign('are healthy after each merge of package update', rounds, async round => {
    const world = bumpedWorld(`${core().host}/bumped-${round.number}`, round.random)
    const home = new UpdatedHome(core(), world, repositories, temporary)
    await home.start()
    try {
      const isHealthy = await bumpAll(core(), home.requests(), world, round)
      await removed(core().cluster)
      await home.deploy()
      const {merges, isBlocked} = await home.mergeUpdates(round)
      bumped.worlds += 1
      bumped.merges += merges
      bumped.again += home.again
      if (isBlocked) bumped.blocked += 1
      if (!isHealthy) bumped.unhealthy += 1
    } catch (error) {
      throw new Error(JSON.stringify(world, undefined, 1), {cause: error})
    }
    await removed(core().cluster)
  })
}

/** Applies requests, and then each declared one with its newest tag. Returns whether everything is healthy at last. */
async function bumpAll(
  core: Core,
  requests: readonly JsonObject[],
  {declared}: BumpedWorld,
  {random}: Round,
): Promise<boolean> {
  for (const request of requests) await core.apply(request)
  const first = await core.settled(({healthy, others}) => others.length === 0 && healthy.length > 0)
  expect(first.others).toEqual([])
  const bumps = declared.filter(({tag, newest}) => tag !== newest)
  for (const {repository, tag, newest} of shuffled(bumps, Math.floor(random() * 2 ** 32))) {
    const request = requests.find(({spec}) => asObject(spec).package === `${repository}:${tag}`)
    await core.apply({
      ...request,
      spec: {...asObject(request?.spec), package: `${repository}:${newest}`},
    })
    await becomesHealthy(core, QUIET[0]!)
  }
  for (const milliseconds of QUIET) {
    if (await becomesHealthy(core, milliseconds)) return true
    await touchAll(core)
  }
  return false
}

/** Waits until everything is healthy for a moment, or nothing changes for some time. */
async function becomesHealthy(core: Core, quiet: number): Promise<boolean> {
  let last: CoreState | undefined
  for (let since = Date.now(); Date.now() - since < quiet; await sleep(300)) {
    const state = await core.state()
    if (!isDeepStrictEqual(state, last)) since = Date.now()
    else if (state.others.length === 0 && Date.now() - since > 1500) return true
    last = state
  }
  return false
}

/** Changes an annotation of each request and revision, so that Crossplane reads it again. */
async function touchAll({cluster: {kube}}: Core): Promise<void> {
  const change = {metadata: {annotations: {'example.org/touched': String(Date.now())}}}
  for (const plural of KINDS) {
    const path = `/apis/pkg.crossplane.io/v1/${plural}`
    for (const {metadata} of asObjects(accepted(await kube.send('GET', path)).items)) {
      const own = `${path}/${asText(asObject(metadata).name)}`
      await kube.send('PATCH', own, change, 'application/merge-patch+json')
    }
  }
}

const FIELDS = ['healthy', 'active', 'lock'] as const

function lacks(want: CoreState, state: CoreState, field: (typeof FIELDS)[number]): readonly string[] {
  return want[field].filter(line => !state[field].includes(line))
}

interface Updates {
  readonly updates: readonly {readonly branch: string; readonly status: string}[]
  /** The packages with a newer version that is not selected. */
  readonly waiting: readonly unknown[]
}

/** A home in a repository, whose tree is applied as a controller of Git does. */
class UpdatedHome {
  readonly #core: Core
  readonly #world: BumpedWorld
  readonly #repository: Repository
  readonly #temporary: string
  readonly #cache: string
  #digests: ReadonlyMap<string, string> = new Map()
  #applied: readonly JsonObject[] = []
  /** How many packages were installed again. */
  again = 0

  constructor(core: Core, world: BumpedWorld, repositories: GitWorlds, temporary: string) {
    this.#core = core
    this.#world = world
    this.#temporary = temporary
    this.#cache = mkdtempSync(join(temporary, 'cache-'))
    const packages = world.declared.map(({repository, tag}) => ({package: `${repository}:${tag}`}))
    const declaration = {
      apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
      kind: 'PackageDeclaration',
      coreVersion: `v${crossplane.version}`,
      packages,
    }
    this.#repository = repositories.repository({'crossplane-packages.yaml': writeYaml([declaration])})
  }

  /** Locks and renders what exists first; then the newer versions are published. */
  async start(): Promise<void> {
    const {before, later} = this.#world
    const first = await publish(this.#temporary, before)
    const {status, stderr} = await this.#run('upgrade', '--yes', '--quiet')
    if (status !== 0) throw new Error(stderr)
    this.#digests = new Map([...first, ...(await publish(this.#temporary, later))])
  }

  requests(): readonly JsonObject[] {
    return this.#tree().filter(isRequest)
  }

  /**
   * Applies the tree of the current commit, and at once deletes what is not in it anymore. Everything becomes healthy. As long as the Lock
   * has the version before, Crossplane installs what that one requires again.
   */
  async deploy(): Promise<void> {
    const tree = this.#tree()
    for (const object of tree) await this.#core.apply(object)
    const names = new Set(tree.map(nameOf))
    for (const object of this.#applied)
      if (!names.has(nameOf(object))) await this.#core.cluster.kube.delete(object)
    this.#applied = tree
    const want = stateOf(tree.filter(isRequest), this.#digests)
    const missing = (state: CoreState) => [
      ...state.others,
      ...FIELDS.flatMap(field => lacks(want, state, field)),
    ]
    const state = await this.#core.settled(current => missing(current).length === 0)
    expect(missing(state)).toEqual([])
    this.again += lacks(state, want, 'healthy').length
  }

  /** Merges and applies one branch after the other, until there is none that can be merged. */
  async mergeUpdates({random}: Round): Promise<{readonly merges: number; readonly isBlocked: boolean}> {
    for (let merges = 0; merges < MAX_MERGES; merges += 1) {
      const {updates, waiting} = await this.#updates()
      const left = updates.filter(({status}) => ['created', 'updated', 'current'].includes(status))
      const others = updates.filter(({status}) => status !== 'removed').filter(one => !left.includes(one))
      expect(others).toEqual([])
      if (left.length === 0) return {merges, isBlocked: waiting.length > 0}
      this.#repository.git('merge', '--quiet', '--no-ff', '--no-edit', pick(random, left).branch)
      await this.deploy()
    }
    throw new Error(`there are still updates after ${MAX_MERGES} merges`)
  }

  async #updates(): Promise<Updates> {
    const {status, stdout, stderr} = await this.#run('update', '--output', 'json')
    if (status !== 0) throw new Error(`package update exited with ${status}: ${stderr}`)
    return JSON.parse(stdout) as Updates
  }

  async #run(command: string, ...args: readonly string[]): Promise<CliResult> {
    const where = ['--git', this.#repository.root, '--cache-dir', this.#cache]
    return await runCli('package', command, ...where, ...args)
  }

  #tree(): readonly JsonObject[] {
    return renderedObjects(this.#repository.at('packages'))
  }
}

function isRequest({apiVersion}: JsonObject): boolean {
  return apiVersion === 'pkg.crossplane.io/v1'
}

function nameOf({kind, metadata}: JsonObject): string {
  return `${asText(kind)} ${asText(asObject(metadata).name)}`
}
