import {expect, it} from '@jest/globals'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {accepted, until} from '../../../../test/cluster/kube.js'
import {FIXTURES} from '../../../../test/checks/fixtures.js'
import {API, type BenchSource, type Fixture, indexed} from '../../../../test/checks/places.js'
import {type Cell, CHECKS} from '../../../../test/checks/table.js'
import {type Authored, ownNames, packageFiles, reference, tagged} from '../../../../test/checks/worlds.js'
import {writeTree} from '../../../../test/temporary-folder.js'
import {managerSuite, named, request, SYSTEM} from './manager-suite.js'
import {conditionIn} from './real-manager.js'

/** Tries each fixture of the table of checks that a manager of a folder of packages has a cell for, with names of its own. */
export function checkCases(cluster: () => TestCluster, packages: string): void {
  const {tryFixtures, worldOf, kube} = fixtureWorlds(cluster, packages)
  tryFixtures(({yanked}) => yanked === undefined)

  it('changed-content: takes what a tag names now', async () => {
    const world = worldOf(FIXTURES['changed-content'], 'changed')
    await world.use()
    await world.request()
    const name = world.own('doors.example.org')
    const crd = named('CustomResourceDefinition', name, undefined, 'apiextensions.k8s.io/v1')
    await until(
      () => kube().get(crd),
      ({code}) => code === 200,
      60,
    )
  })
}

/** Tries the fixtures of what an index yanks, with a manager that reads the index. @param index - its registry, and its root. */
export function yankedCases(cluster: () => TestCluster, packages: string, index: Index): void {
  fixtureWorlds(cluster, packages, index).tryFixtures(({yanked}) => yanked !== undefined)
}

interface Index {
  readonly host: () => string
  readonly root: () => string
}

function fixtureWorlds(cluster: () => TestCluster, packages: string, index?: Index) {
  const {kube, apply, remove, read, settled} = managerSuite(cluster)
  const checks = Object.keys(FIXTURES) as (keyof typeof FIXTURES)[]

  const tryFixtures = (isTried: (fixture: Fixture) => boolean) => {
    const cases = checks.flatMap((check, at) => {
      const cell: Cell = CHECKS[check].cells.stack.manager
      return 'reason' in cell && isTried(FIXTURES[check]) ? [{check, name: `w${at}`, ...cell}] : []
    })

    it.each(cases)('$check: $reason', async ({check, name, reason, says}) => {
      const world = worldOf(FIXTURES[check], name)
      await world.use()
      const [tried] = (await world.request()).slice(-1)
      const said = await until(
        async () => [await warningsOf(tried!), conditionsOf(await read(tried!))].flat(),
        texts => texts.some(text => text.startsWith(reason) && text.includes(says)),
        60,
      )
      expect(said).toContainEqual(expect.stringContaining(says))
      expect(conditionIn(await read(tried!), 'Synced').startsWith('True')).toBe(isFulfilled(reason))
      await world.close()
    })
  }

  /** Requests that wait are synced: they are what the cluster can have. */
  function isFulfilled(reason: string): boolean {
    return reason === 'PackageWarning' || reason === 'WaitingForDependency'
  }

  function conditionsOf(live: JsonObject): readonly string[] {
    return (['Synced', 'Ready'] as const).map(type => conditionIn(live, type).replace(/^False /, ''))
  }

  async function warningsOf({metadata}: JsonObject): Promise<readonly string[]> {
    const {items} = accepted(await kube().send('GET', `/api/v1/namespaces/${SYSTEM}/events`))
    return asObjects(items)
      .filter(({involvedObject}) => asObject(involvedObject).name === asObject(metadata).name)
      .map(({reason, message}) => `${asText(reason)} ${asText(message)}`)
  }

  function worldOf({before = [], after, requested, policy, yanked}: Fixture, name: string) {
    const own = ownNames(name, index?.host())
    const source: BenchSource = index === undefined ? {own} : indexed({own}, index.root())
    const author = async (all: readonly Authored[]) => {
      const files = Object.entries(packageFiles('stack', all))
      writeTree(packages, Object.fromEntries(files.map(([path, text]) => [own(path), own(text)])))
      for (const one of all)
        await source.publish?.(one, join(packages, own(`example/${one.name}@${one.tag}`)))
    }
    /** With something new in each, so that a request that stays the same is looked at again. */
    const requests = (all: readonly Authored[], annotations: JsonObject) =>
      (requested ?? tagged(all)).map(text => {
        const [install = ''] = text.split('/').slice(-1)[0]!.split(':')
        return request(SYSTEM, `${name}-${install}`, {package: own(text)}, {annotations})
      })
    const map = named('ConfigMap', 'kubectl-crossplane-policy', SYSTEM)
    return {
      own,
      /** Installs what is in use before, with a custom resource, and publishes what comes next. */
      use: async () => {
        await author(before)
        for (const each of before.length === 0 ? [] : requests(before, {})) {
          await apply(each)
          await settled(each, 'Synced', /^True/)
        }
        const hasGates = before.some(({crds = []}) => crds.some(({plural}) => plural === 'gates'))
        const gate = {apiVersion: own('example.org/v1'), kind: 'Gate', metadata: {name: 'mine'}}
        if (hasGates) await apply(gate)
        await author(after)
        for (const one of yanked ?? []) await source.yank?.(own(reference(one.name, one.tag)))
        const text = JSON.stringify({apiVersion: API, kind: 'Policy', ...policy})
        if (policy !== undefined) await apply({...map, data: {'policy.yaml': own(text)}})
      },
      request: async () => {
        const all = requests(after, {again: 'true'})
        for (const each of all) {
          await apply(each)
          if (each !== all.at(-1)) await settled(each, 'Synced', /^True/)
        }
        return all
      },
      close: async () => {
        if (policy !== undefined) await remove(map)
      },
    }
  }

  return {tryFixtures, worldOf, kube}
}
