import {beforeAll, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import type {TestCluster} from '../cluster/api-server.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {crossplane} from '../cluster/servers.js'
import {runIn} from '../commands/cluster/installing.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {describeCore, TIMEOUT} from '../xpkg/core/describe-core.js'
import {breakTag} from '../xpkg/core/published-packages.js'
import {CLUSTER_PLACES, type ClusterPlace, type ClusterWays, ClusterWorld} from './cluster-places.js'
import {FIXTURES} from './fixtures.js'
import {API, expectDone, type Fixture} from './places.js'
import {type Cell, CHECKS} from './table.js'
import {type Authored, type Format, ownNames, reference} from './worlds.js'

const root = temporaryFolder()
const CORE_VERSION = ['--core-version', `v${crossplane.version}`]
const WAITING = ['--timeout', '120s']

describeCluster('current', 'the table of checks, for packages of Crossplane v0.12', cluster => {
  const flags = {installing: ['--base', '--create-namespace'], waiting: ['--no-wait']}
  tryAll('stack', cluster, name => ({format: 'stack', own: ownNames(name), ...flags}))
})

describeCore(
  'the table of checks, for packages of a current Crossplane',
  core => {
    tryAll(
      'xpkg',
      () => core().cluster,
      name => waysInCore(name, core().host),
      async references => {
        const file = join(root, 'before.yaml')
        const packages = references.map(name => ({package: name}))
        writeFileSync(file, writeYaml([{apiVersion: API, kind: 'PackageDeclaration', packages}]))
        const words = ['install', '--declaration', file, ...CORE_VERSION, ...WAITING, '--yes']
        expectDone(await runIn(core().cluster, 'package', ...words))
      },
    )
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
  waysOf: (name: string) => ClusterWays,
  installAll?: (references: readonly string[]) => Promise<void>,
): void {
  const all = worldsOf(format)
  const worlds = new Map<string, ClusterWorld>()

  beforeAll(async () => {
    const references: string[] = []
    for (const {name, fixture, isInstalled} of all) {
      const world = new ClusterWorld(fixture, isInstalled, root, cluster(), waysOf(name))
      worlds.set(name, world)
      const own = await world.publish()
      if (installAll === undefined) await world.install(own)
      references.push(...own)
    }
    await installAll?.(references)
    for (const world of worlds.values()) await world.use()
  }, 2 * TIMEOUT)

  it.each(all.flatMap(({name, tried}) => tried.map(one => ({name, ...one}))))(
    '$check: $place names $rule',
    async ({name, place, rule, status}) => {
      const result = await worlds.get(name)!.tryAt(place)
      expect({status: result.status, stderr: result.stderr}).toEqual({
        status,
        stderr: expect.stringContaining(`[${rule}]`),
      })
    },
    TIMEOUT,
  )
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
      const [inGit, install, upgrade] = CLUSTER_PLACES
      if (fixture.before === undefined)
        return [
          {fixture, isInstalled: false, tried: tried(inGit, install)},
          {fixture, isInstalled: true, tried: tried(upgrade)},
        ]
      const installs = {fixture, isInstalled: true, tried: tried(inGit, install)}
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
    const {status, stderr} = await runCli('package', 'push', `${repository}:${tag}`, folder, '--force')
    if (status !== 0) throw new Error(`${repository}:${tag} was not pushed: ${stderr}`)
  }
  return {format: 'xpkg', own, from: CORE_VERSION, installing: [], waiting: WAITING, publish}
}
