import {expect} from '@jest/globals'
import {spawn} from 'node:child_process'
import {setTimeout as sleep} from 'node:timers/promises'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {programWords} from '../../built-program.js'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {accepted} from '../../cluster/kube.js'
import {crossplane} from '../../cluster/servers.js'
import {runIn} from '../../commands/cluster/installing.js'
import {smallEnvironment} from '../../run-program.js'
import {shuffled} from '../../shuffled.js'
import {below, campaign, pick} from '../../soak/campaign.js'
import {type Core, removed} from './describe-core.js'
import {type AuthoredPackage, publish} from './published-packages.js'

/** How many packages require each other in one line. */
const LENGTH = 5
const TAGS = ['v1.0.0', 'v1.1.0']
const REQUESTS = ['providers', 'functions', 'configurations']
const CHANGE = [
  ...['package', 'upgrade', '--resolver=off', '--adopt', '--force-conflicts', '--yes'],
  ...['--timeout', '120s', '--core-version', `v${crossplane.version}`],
]

/**
 * Defines the campaign of chains: each package requires the one before it, some under names of a team, and the change to a cluster
 * without the resolver is killed at random moments until a run completes it.
 */
export function testChains(
  core: () => Core,
  temporary: string,
  rounds: {readonly short: number; readonly long?: number},
): void {
  campaign('changes a chain of five to no resolver, also when it is killed', rounds, async round => {
    const {cluster} = core()
    const kinds = Array.from({length: LENGTH}, () => pick(round.random, ['Provider', 'Configuration']))
    const world = chain(`${core().host}/chain-${round.number}`, kinds)
    await publish(temporary, world)
    const requests = world.filter(({tag}) => tag === TAGS[0]).map(one => requestOf(one, round.random()))
    for (const [index, request] of requests.entries()) {
      await core().apply(request)
      const {healthy} = await core().settled(state => state.healthy.length > index)
      expect(healthy).toHaveLength(index + 1)
    }
    const audit = auditOf(cluster)
    const [mark, before] = [await audit.mark(), await uids(core())]

    for (let kills = below(round.random, 5); kills > 0; kills--)
      await killed(cluster.kubeconfig, 500 + below(round.random, 12_000))
    const changed = await runIn(cluster, ...CHANGE)
    expect({...changed, stdout: ''}).toMatchObject({status: 0})
    const lock = asObjects((await cluster.kube.send('GET', LOCK)).body.packages)
    expect(lock.filter(({dependencies}) => asObjects(dependencies).length > 0)).toEqual([])

    for (const {repository} of shuffled(world, round.random() * 2 ** 32).filter(({tag}) => tag === TAGS[1])) {
      const upgrade = ['package', 'upgrade', `${repository}:${TAGS[1]}`, ...CHANGE.slice(3)]
      expect({...(await runIn(cluster, ...upgrade)), stdout: ''}).toMatchObject({status: 0})
    }
    const {healthy, others} = await core().settled(state => state.healthy.length === LENGTH)
    expect({count: healthy.length, others}).toEqual({count: LENGTH, others: []})
    await sleep(3000)
    expect(await uids(core())).toEqual(before)
    const created = (await audit.since(mark)).filter(
      entry => isWrite(entry) && entry.verb === 'create' && REQUESTS.includes(entry.resource),
    )
    expect(created).toEqual([])
    await removed(cluster)
  })
}

const LOCK = '/apis/pkg.crossplane.io/v1beta1/locks/lock'

function chain(path: string, kinds: readonly string[]): readonly AuthoredPackage[] {
  return kinds.flatMap((kind, index) =>
    TAGS.map(tag => ({
      ...{repository: `${path}/link-${index}`, tag, kind},
      requires:
        index === 0
          ? []
          : [{kind: kinds[index - 1]!, repository: `${path}/link-${index - 1}`, version: '>=v1.0.0'}],
    })),
  )
}

/** A name of a team, or the one that Crossplane derives. */
function requestOf({kind, repository, tag}: AuthoredPackage, chance: number): JsonObject {
  const path = repository.split('/').slice(1)
  const name = chance < 0.7 ? `my-${path.at(-1)}` : path.join('-')
  return {
    apiVersion: 'pkg.crossplane.io/v1',
    kind,
    metadata: {name},
    spec: {package: `${repository}:${tag}`},
  }
}

/** Runs the change, and kills it after a time, unless it ended before. */
async function killed(kubeconfig: string, milliseconds: number): Promise<void> {
  const [command, ...words] = programWords()
  const child = spawn(command, [...words, ...CHANGE], {
    env: {...smallEnvironment(), KUBECONFIG: kubeconfig},
    stdio: 'ignore',
  })
  const ended = new Promise(resolve => child.once('exit', resolve))
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
  await ended
  clearTimeout(timer)
}

async function uids({cluster}: Core): Promise<readonly string[]> {
  const all: string[] = []
  for (const plural of REQUESTS) {
    const {items} = accepted(await cluster.kube.send('GET', `/apis/pkg.crossplane.io/v1/${plural}`))
    all.push(...asObjects(items).map(({metadata}) => asText(asObject(metadata).uid)))
  }
  return all.sort()
}
