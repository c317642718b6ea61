import {expect} from '@jest/globals'
import {loadAll} from 'js-yaml'
import {mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../../src/yaml/json-value.js'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {accepted} from '../../cluster/kube.js'
import {crossplane} from '../../cluster/servers.js'
import {runIn} from '../../commands/cluster/installing.js'
import {campaign, type Round} from '../../soak/campaign.js'
import {shuffled} from '../../shuffled.js'
import {type Core, removed} from './describe-core.js'
import {publish} from './published-packages.js'
import {importedWorld, NEWEST, UNREADABLE, type WrittenCluster, writtenCluster} from './random-requests.js'

/** Milliseconds in which Crossplane reads what was applied. */
const RECONCILED = 3000
/** A command changes everything or nothing. */
const REJECTED = [0, 1, 3, 5, 6]
const PAUSE = {metadata: {annotations: {'crossplane.io/paused': 'true'}}}
const REQUESTS = ['providers', 'functions', 'configurations']
const CORE = ['--core-version', `v${crossplane.version}`]
/** The requests are those of another program. */
const TAKEN_OVER = ['--adopt', '--force-conflicts', '--yes', ...CORE]
const WAITING = ['--timeout', '120s']
/** Where a change need not succeed, it is not waited for: at the end, everything is healthy again. */
const BRIEFLY = ['--timeout', '20s']

/** How a round adopts a cluster: by commands, or by commits that a controller applies. */
export type Adoption = (...of: ConstructorParameters<typeof AdoptedCluster>) => AdoptedCluster

/** What is chosen for an adopted cluster besides its objects. */
interface AdoptedChoices extends Pick<Round, 'random'> {
  /** Whether it changes to a cluster without the resolver before its packages are upgraded. */
  readonly isChanged: boolean
}

/**
 * Defines the campaign of clusters that were made by hand: they are imported, what that renders is applied, and each package is
 * upgraded, in half of them after the change to a cluster without the resolver.
 * @param ways - rounds take turns in them; the first one is that of a short run.
 */
export function testAdopted(
  core: () => Core,
  temporary: string,
  rounds: {readonly short: number; readonly long?: number},
  ways: readonly Adoption[] = [(...parts) => new AdoptedCluster(...parts)],
): void {
  let published: Promise<ReadonlyMap<string, string>> | undefined
  campaign('adopts clusters as they are, and requests nothing twice', rounds, async round => {
    const path = `${core().host}/adopted`
    const world = importedWorld(path)
    published ??= publish(temporary, world)
    const cluster = writtenCluster(round.random, world, await published)
    const way = ways[round.number % ways.length]!
    const isChanged = Math.floor(round.number / ways.length) % 2 === 0
    const adopted = way(core(), cluster, {random: round.random, isChanged})
    try {
      await adopted.write()
      await adopted.import(mkdtempSync(join(temporary, 'home-')))
      await adopted.upgradeAll()
    } catch (error) {
      throw new Error(adopted.story.join('\n'), {cause: error})
    } finally {
      await adopted.end()
    }
    await removed(core().cluster)
  })
}

/** A cluster that is adopted by commands. */
export class AdoptedCluster {
  protected readonly core: Core
  readonly #cluster: WrittenCluster
  readonly #choices: AdoptedChoices
  /** What was done so far, for a failure. */
  readonly story: string[] = []
  /** What is healthy at first; what is paused stays as it is. */
  #healthy: readonly string[] = []
  protected hasSafeNames = true

  constructor(core: Core, cluster: WrittenCluster, choices: AdoptedChoices) {
    this.core = core
    this.#cluster = cluster
    this.#choices = choices
  }

  /** Applies the objects as a team does, dependencies first, with what is wrong at last. */
  async write(): Promise<void> {
    const {prepared, requests, broken, paused} = this.#cluster
    this.story.push(JSON.stringify({...this.#cluster}, undefined, 1))
    for (const object of prepared) await this.core.apply(object)
    for (const [index, object] of requests.entries()) {
      await this.core.apply(object)
      const {healthy} = await this.core.settled(state => state.healthy.length === index + 1)
      expect(healthy).toHaveLength(index + 1)
    }
    for (const object of broken) await this.core.apply(object)
    // By another program: applying the tree does not remove the annotation.
    for (const {kind, metadata} of paused) {
      const path = `/apis/pkg.crossplane.io/v1/${asText(kind).toLowerCase()}s/${asText(asObject(metadata).name)}`
      accepted(await this.core.cluster.kube.send('PATCH', path, PAUSE, 'application/merge-patch+json'))
    }
    await this.core.settled(({others}) => others.length === broken.length)
    const isPaused = (line: string) =>
      paused.some(({kind, metadata}) => line === `${asText(kind)} ${asText(asObject(metadata).name)}`)
    this.#healthy = (await this.core.state()).healthy.map(nameOf).filter(line => !isPaused(line))
  }

  /** Nothing changes before something is upgraded. */
  async import(home: string): Promise<void> {
    const before = await this.#installed()
    await this.adopt(home)
    await sleep(RECONCILED)
    expect(await this.#installed()).toEqual(before)
  }

  /** Imports the cluster, and applies what is rendered. */
  protected async adopt(home: string): Promise<void> {
    const file = join(home, 'crossplane-packages.yaml')
    const declaration = ['--declaration', file]
    const {stderr} = await this.run(0, 'import', ...declaration)
    this.expectFindings(stderr, readFileSync(file, 'utf8'))
    await this.run(0, 'render', ...declaration, '--output-dir', join(home, 'packages'))
    await this.run(0, 'check', ...declaration)
    await this.run(this.hasSafeNames ? 0 : [0, 1], 'drift', ...declaration, '--context', 'test')
    // A cluster that changes to no resolver does so by a command of its own, not by an install.
    const plan = await this.run(
      this.hasSafeNames ? [0, 1] : 5,
      ...['diff', ...declaration, '--adopt', '--force-conflicts', '-o', 'json'],
    )
    if (plan.status !== 5) expect(changedBy(plan.stdout)).toEqual([])
    const {stdout} = await this.run(0, 'render', ...declaration)
    for (const object of loadAll(stdout) as JsonObject[]) await this.core.apply(object)
  }

  /** Nothing is to be created, but for what the change of the resolver makes. */
  protected expectFindings(stderr: string, declaration: string): void {
    this.story.push(declaration)
    const rules = new Set([...stderr.matchAll(/\[(import-[a-z-]+)\]/g)].map(([, rule]) => rule))
    expect(rules.has('import-paused')).toBe(this.#cluster.paused.length > 0)
    expect(rules.has('import-unreadable')).toBe(this.#cluster.broken.some(isUnreadable))
    this.hasSafeNames = !rules.has('import-resolver')
    expect(rules.has('import-differs') && this.hasSafeNames).toBe(false)
  }

  /** Leaves the cluster to the next round: commands leave nothing that runs. */
  async end(): Promise<void> {
    await Promise.resolve()
  }

  /** Crossplane creates no request, and what was healthy is so again. */
  async upgradeAll(): Promise<void> {
    const audit = auditOf(this.core.cluster)
    const [mark, uids] = [await audit.mark(), await this.#uids()]
    const isChanged = this.#choices.isChanged && (await this.withoutResolver(!this.#isBroken))
    for (const request of shuffled(this.#cluster.requests, this.#choices.random() * 2 ** 32)) {
      const isSafe = isChanged || (this.hasSafeNames && this.#cluster.safe.includes(request))
      await this.#upgrade(request, isSafe && !this.#isBroken)
    }
    const isHealthy = (names: readonly string[]) => this.#healthy.every(name => names.includes(name))
    const {healthy} = await this.core.settled(state => isHealthy(state.healthy.map(nameOf)))
    expect(healthy.map(nameOf)).toEqual(expect.arrayContaining([...this.#healthy]))
    await sleep(RECONCILED)
    expect(await this.#uids()).toEqual(uids)
    const created = (await audit.since(mark)).filter(
      entry => isWrite(entry) && entry.verb === 'create' && REQUESTS.includes(entry.resource),
    )
    expect(created).toEqual([])
  }

  /** Upgrades a package, with what it requires if that must be newer as well. */
  async #upgrade(request: JsonObject, isSafe: boolean): Promise<void> {
    const all = this.#cluster.withRequired(request).map(repository => `${repository}:${NEWEST}`)
    const alone = await this.upgrade([all[0]!], isSafe, isSafe ? [0, 3] : REJECTED)
    if (alone === 3) await this.upgrade(all, isSafe, isSafe ? [0] : REJECTED)
  }

  /** Upgrades packages together; returns the status, which is one of these. */
  protected async upgrade(
    references: readonly string[],
    isSafe: boolean,
    statuses: readonly number[],
  ): Promise<number | null> {
    const flags = [...TAKEN_OVER, ...(isSafe ? WAITING : BRIEFLY)]
    return (await this.run(statuses, 'upgrade', ...references, ...flags)).status
  }

  /** Changes the cluster to one in which every package skips the resolver; returns whether it was. */
  protected async withoutResolver(isPossible: boolean): Promise<boolean> {
    const flags = [...TAKEN_OVER, ...WAITING]
    return (await this.run(isPossible ? 0 : REJECTED, 'upgrade', '--resolver=off', ...flags)).status === 0
  }

  /** What was not installed cannot be read, and what is paused does not change. */
  get #isBroken(): boolean {
    const {broken, paused} = this.#cluster
    return paused.length > 0 || broken.some(isUnreadable)
  }

  /** Runs a command that ends as one of these. */
  protected async run(want: number | readonly number[], ...args: readonly string[]) {
    const result = await runIn(this.core.cluster, 'package', ...args)
    const {status, stdout, stderr} = result
    this.story.push(`$ ${args.join(' ')}: ${status}\n${stderr}${status === 0 ? '' : stdout}`)
    expect([want].flat()).toContain(status)
    return result
  }

  /** What no import may change: requests with their UIDs and packages, active revisions, and the Lock. */
  async #installed() {
    const {active, lock} = await this.core.state()
    const requested = (await this.#requests()).map(
      ([plural, {metadata, spec}]) =>
        `${plural} ${asText(asObject(metadata).name)} ${asText(asObject(metadata).uid)} ${asText(asObject(spec).package)}`,
    )
    return {active, lock, requested: requested.sort()}
  }

  async #uids(): Promise<readonly string[]> {
    return (await this.#requests()).map(([, {metadata}]) => asText(asObject(metadata).uid)).sort()
  }

  async #requests(): Promise<readonly (readonly [plural: string, object: JsonObject])[]> {
    const all: (readonly [string, JsonObject])[] = []
    for (const plural of REQUESTS) {
      const {items} = accepted(
        await this.core.cluster.kube.send('GET', `/apis/pkg.crossplane.io/v1/${plural}`),
      )
      all.push(...asObjects(items).map(object => [plural, object] as const))
    }
    return all
  }
}

/** Returns what a plan would create, replace or delete. Packages that are taken over get annotations. */
function changedBy(plan: string): readonly JsonObject[] {
  const {objects} = asObject(JSON.parse(plan) as JsonValue)
  return asObjects(objects).filter(({change}) => change !== 'update')
}

function isUnreadable({metadata}: JsonObject): boolean {
  return asObject(metadata).name === UNREADABLE
}

function nameOf(line: string): string {
  return line.split(' ').slice(0, 2).join(' ')
}
