import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {mkdtempSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import type {TestCluster} from '../cluster/api-server.js'
import {accepted, until} from '../cluster/kube.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {crossplane} from '../cluster/servers.js'
import {CRDS, instanceOf} from '../commands/cluster/neighboring-versions.js'
import {runIn} from '../commands/cluster/installing.js'
import {describeCorpus} from '../corpus.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {present} from '../outcome.js'
import {type CliResult, runCli} from '../run-cli.js'
import {below, campaign, pick} from '../soak/campaign.js'
import {temporaryFolder} from '../temporary-folder.js'
import {describeCore, TIMEOUT} from '../xpkg/core/describe-core.js'
import {breakTag} from '../xpkg/core/published-packages.js'
import {CLUSTER_PLACES, type ClusterPlace, type ClusterWays, ClusterWorld} from './cluster-places.js'
import {FIXTURES} from './fixtures.js'
import {API, expectDone, type Fixture, indexed, tryAt} from './places.js'
import {realPairs, type ReleaseChange, releasePair} from './release-pairs.js'
import {type Cell, CHECKS} from './table.js'
import {type Authored, type Format, ownNames, reference} from './worlds.js'

const root = temporaryFolder()
const CORE_VERSION = ['--core-version', `v${crossplane.version}`]
const WAITING = ['--timeout', '120s']

describeCluster('current', 'the table of checks, for packages of Crossplane v0.12', cluster => {
  const flags = {installing: ['--with-package-api', '--create-namespace'], waiting: ['--no-wait']}
  let registry: RegistryServer | undefined
  beforeAll(async () => {
    registry = await startRegistry()
  })
  afterAll(async () => {
    await registry?.close()
  })
  const waysOf = (name: string, {yanked}: Fixture) => {
    const ways = {format: 'stack', ...flags} as const
    if (yanked === undefined) return {...ways, own: ownNames(name)}
    const {host} = present(registry)
    return indexed({...ways, own: ownNames(name, host)}, `${host}/${name}/index`)
  }
  tryAll('stack', cluster, waysOf)
  tryPairs({format: 'stack', short: 4}, cluster, waysOf)
  describeCorpus('and real packages of it', () => {
    tryNeighbors({format: 'stack', short: 1}, cluster, waysOf)
  })
})

describeCore(
  'the table of checks, for packages of a current Crossplane',
  core => {
    const cluster = () => core().cluster
    const waysOf = (name: string, {yanked}: Fixture) => {
      const {host} = core()
      const ways = waysInCore(name, host)
      return yanked === undefined ? ways : indexed(ways, `${host}/${name}/index`)
    }
    const installAll: InstallAll = async references => {
      const file = join(root, 'before.yaml')
      const packages = references.map(name => ({package: name}))
      writeFileSync(file, writeYaml([{apiVersion: API, kind: 'PackageDeclaration', packages}]))
      const words = ['install', '--declaration', file, ...CORE_VERSION, ...WAITING, '--yes']
      expectDone(await runIn(cluster(), 'package', ...words))
    }
    tryAll('xpkg', cluster, waysOf, installAll)
    tryPairs({format: 'xpkg', short: 2}, cluster, waysOf, installAll)
    describeCorpus('and real packages for it', () => {
      tryNeighbors({format: 'xpkg', short: 1}, cluster, waysOf, installAll)
    })
  },
  {keepsPackages: true},
)

/**
 * Defines a test for each place that makes a check. All fixtures are in one cluster, with names of their own.
 * @param installAll - installs what was in use before of all of them; by default, one after the other.
 */
function tryAll(
  format: Format,
  cluster: () => TestCluster,
  waysOf: (name: string, fixture: Fixture) => ClusterWays,
  installAll?: InstallAll,
): void {
  const all = worldsOf(format)
  const worlds = new Map<string, ClusterWorld>()

  beforeAll(async () => {
    const references: string[] = []
    for (const {name, fixture, ...more} of all) {
      const world = new ClusterWorld(fixture, more, root, cluster(), waysOf(name, fixture))
      worlds.set(name, world)
      const own = await world.publish()
      if (installAll === undefined) await world.install(own)
      references.push(...own)
    }
    await installAll?.(references)
    for (const world of worlds.values()) await world.use()
  }, 2 * TIMEOUT)

  const cases = all.flatMap(({name, tried}) => tried.map(one => ({name, ...one})))
  const isMove = ({place}: (typeof cases)[number]) => place === 'move'
  // A move is a preview, and is rejected while Crossplane still changes the Lock for what another place did not wait for.
  it.each([...cases.filter(isMove), ...cases.filter(one => !isMove(one))])(
    '$check: $place names $rule',
    async ({name, place, rule, status}) => {
      const result = await worlds.get(name)!.tryAt(place)
      // A preview is a document of its own.
      expect({status: result.status, output: result.stdout + result.stderr}).toEqual({
        status,
        output: expect.stringContaining(`[${rule}]`),
      })
    },
    TIMEOUT,
  )
}

/** Installs packages by references, all at once. */
type InstallAll = (references: readonly string[]) => Promise<void>

/** What places report of a release that takes something away; with a cluster, custom resources have names of their own for it. */
const LOSSES =
  /\[(crd-dropped|instances-exist|crd-version-removed|crd-version-unserved|crd-replaced|crd-scope-changed|owner-changed|fields-pruned|xpkg-(?:function|capability|kind|policy)-lost)\]/g
const NAMES: Readonly<Record<string, string>> = {
  'instances-exist': 'crd-dropped',
  'crd-version-unserved': 'crd-version-removed',
  'crd-replaced': 'crd-version-removed',
}

/**
 * What a change of a cluster need not report (0119): a function is not requested and stays, and who requests a version by its
 * tag has chosen it.
 */
const STAYS: Readonly<Record<Format, Partial<Record<ReleaseChange, readonly Change[]>>>> = {
  stack: {owner: ['install']},
  xpkg: {
    function: ['install', 'upgrade'],
    'function moved': ['install', 'upgrade'],
    capability: ['install', 'upgrade'],
  },
}

/** Defines a campaign with pairs of releases, each of which the places judge alike. */
function tryPairs(
  {format, short}: {readonly format: Format; readonly short: number},
  cluster: () => TestCluster,
  waysOf: (name: string, fixture: Fixture) => ClusterWays,
  installAll?: InstallAll,
): void {
  const seen = new Set<string>()

  campaign('each place judges a release as the others', {short, long: 100}, async ({number, random}) => {
    const {change, fixture} = releasePair(random, format)
    if (seen.has(JSON.stringify(fixture))) return
    seen.add(JSON.stringify(fixture))
    const world = new ClusterWorld(
      fixture,
      {isInstalled: true},
      root,
      cluster(),
      waysOf(`pair${number}`, fixture),
    )
    const references = await world.publish()
    await (installAll ?? (names => world.install(names)))(references)
    await world.use()
    const stays = STAYS[format][change] ?? []
    const without = await tryAt('--git', format, fixture, {root: mkdtempSync(join(root, 'pair-')), host: ''})
    const inGit = judged(await world.changeAll('--git --context'))
    expect({change, rules: inGit.rules.filter(rule => rule !== 'fields-pruned')}).toEqual({
      change,
      rules: judged(without).rules,
    })
    // What changes the cluster comes last, and once.
    const places = random() < 0.5 ? CHANGES : [...CHANGES].reverse()
    for (const place of [...places].sort((a, b) => Number(stays.includes(a)) - Number(stays.includes(b)))) {
      const {status, rules} = judged(await world.changeAll(place))
      const want = stays.includes(place) ? {status: 0, rules: []} : inGit
      expect({change, place, status, rules}).toEqual({change, place, ...want})
      if (status === 0) return
    }
  })
}

/** Defines a campaign with all neighboring versions of real packages, of which there are custom resources. */
function tryNeighbors(
  {format, short}: {readonly format: Format; readonly short: number},
  cluster: () => TestCluster,
  waysOf: (name: string, fixture: Fixture) => ClusterWays,
  installAll?: InstallAll,
): void {
  const pairs = realPairs(format)
  let leave: () => Promise<void> = () => Promise.resolve()
  const title = 'each place judges the next version of a real package as the others'

  campaign(title, {short, long: pairs.length}, async ({number, random}) => {
    // Versions of one package have the same CRDs, and a cluster has them once.
    await leave()
    const isSample = process.env.SOAK_MINUTES === undefined
    const {what, fixture} = isSample ? pick(random, pairs) : pairs[number % pairs.length]!
    const world = new ClusterWorld(
      fixture,
      {isInstalled: true},
      root,
      cluster(),
      waysOf(`real${number}`, fixture),
    )
    const others = new Set((await crdsIn(cluster())).map(nameOf))
    const references = await world.publish()
    leave = async () => {
      await leavePackages(cluster(), references, others)
    }
    await (installAll ?? (names => world.install(names)))(references)
    const own = (await crdsIn(cluster())).filter(crd => !others.has(nameOf(crd)))
    for (const {spec} of sample(random, own)) await createIfValid(cluster(), instanceOf(asObject(spec)))
    await world.use()
    const inGit = await world.changeAll('--git --context')
    // A user deletes the CRD after the commit; a command with a cluster needs a flag for it (0119).
    const isReplaced = inGit.stderr.includes('[crd-replaced]')
    const want = {...judged(inGit), ...(isReplaced ? {status: 5} : {})}
    for (const place of random() < 0.5 ? CHANGES : [...CHANGES].reverse()) {
      expect({what, place, ...judged(await world.changeAll(place))}).toEqual({what, place, ...want})
      if (want.status === 0) return
    }
  })
}

/** Uninstalls packages, and deletes all CRDs but for some, with the custom resources that were created. */
async function leavePackages(
  cluster: TestCluster,
  references: readonly string[],
  kept: ReadonlySet<string>,
): Promise<void> {
  const left = async () => (await crdsIn(cluster)).filter(crd => !kept.has(nameOf(crd)))
  for (const {spec} of await left()) await cluster.kube.delete(instanceOf(asObject(spec)))
  for (const name of references) {
    const [repository = name] = name.split(/:(?=[^/]*$)/)
    expectDone(await runIn(cluster, 'package', 'uninstall', repository, '--yes'))
  }
  for (const crd of await left()) await cluster.kube.delete({...CRDS, metadata: {name: nameOf(crd)}})
  await until(left, ({length}) => length === 0, 60)
}

/** How many kinds of a package have custom resources. */
const KINDS = 8

function sample<Item>(random: () => number, items: readonly Item[]): readonly Item[] {
  const start = below(random, Math.max(1, items.length - KINDS))
  return items.slice(start, start + KINDS)
}

/** Rules of some kinds reject a sample. */
async function createIfValid({kube}: TestCluster, object: JsonObject): Promise<void> {
  const answer = await until(
    () => kube.create(object),
    ({code}) => code !== 404,
  )
  if (answer.code !== 422) accepted(answer)
}

async function crdsIn({kube}: TestCluster): Promise<readonly JsonObject[]> {
  const {items} = accepted(await kube.send('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'))
  return asObjects(items)
}

function nameOf({metadata}: JsonObject): string {
  return asText(asObject(metadata).name)
}

const CHANGES = ['install', 'upgrade'] as const
type Change = (typeof CHANGES)[number]

function judged({status, stdout, stderr}: CliResult) {
  const rules = [...(stdout + stderr).matchAll(LOSSES)].map(([, rule = '']) => NAMES[rule] ?? rule)
  return {status, rules: [...new Set(rules)].sort()}
}

/** The worlds of all fixtures: places share one as long as a command changes nothing in it. */
function worldsOf(format: Format) {
  const checks = Object.keys(FIXTURES) as (keyof typeof FIXTURES)[]
  return checks
    .flatMap(check => {
      const fixture: Fixture = FIXTURES[check]
      const tried = (...places: readonly ClusterPlace[]) =>
        places.flatMap(place => {
          const cell: Cell = CHECKS[check].cells[format][place]
          return 'rule' in cell ? [{check, place, ...cell}] : []
        })
      const [inGit, install, upgrade, move] = CLUSTER_PLACES
      if (fixture.before === undefined)
        return [
          {fixture, isInstalled: false, tried: tried(inGit, install)},
          {fixture, isInstalled: true, tried: tried(upgrade)},
          {fixture, isInstalled: true, isMove: true, tried: tried(move)},
        ]
      // Each move is a preview.
      const installs = {fixture, isInstalled: true, tried: tried(move, inGit, install)}
      if (installs.tried.every(({status}) => status !== 0))
        return [{...installs, tried: [...installs.tried, ...tried(upgrade)]}]
      return [installs, {...installs, tried: tried(upgrade)}]
    })
    .filter(({tried}) => tried.length > 0)
    .map((world, index) => ({name: `w${index}`, ...world}))
}

/** The packages are in the registry that Crossplane reads. */
function waysInCore(name: string, host: string): ClusterWays {
  const own = ownNames(name, host)
  const publish = async ({name: path, tag, broken}: Authored, folder: string) => {
    const repository = own(reference(path))
    if (broken !== undefined) return await breakTag(repository, tag, 'v1.0.0')
    const words = ['push', `${repository}:${tag}`, folder, '--force', '--no-lint']
    const {status, stderr} = await runCli('package', ...words)
    if (status !== 0) throw new Error(`${repository}:${tag} was not pushed: ${stderr}`)
  }
  return {format: 'xpkg', own, from: CORE_VERSION, installing: [], waiting: WAITING, publish}
}
