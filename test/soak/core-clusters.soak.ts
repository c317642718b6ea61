import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {builtProgram, givenProgram} from '../built-program.js'
import {accepted, until} from '../cluster/kube.js'
import {crossplane} from '../cluster/servers.js'
import {StandInFlux} from '../commands/cluster/stand-in-flux.js'
import {adoptedRepository, type AdoptedRepository} from '../gitops/adopted-repository.js'
import {temporaryFolder} from '../temporary-folder.js'
import {type Core, describeCore, TIMEOUT} from '../xpkg/core/describe-core.js'
import {publish} from '../xpkg/core/published-packages.js'
import {asObject, asObjects, asText} from '../../src/yaml/json-value.js'

const MINE = {apiVersion: 'core.example.org/v1', kind: 'Own', metadata: {name: 'mine'}}
const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/owns.core.example.org'
const PROVIDERS = '/apis/pkg.crossplane.io/v1/providers'

const temporary = temporaryFolder()

/** A cluster with Crossplane that syncs a repository. */
class SyncedCluster {
  readonly core: Core
  readonly #flux: StandInFlux

  constructor(core: Core, folder: string) {
    this.core = core
    const clone = mkdtempSync(join(folder, 'synced-'))
    execFileSync('git', ['clone', '--quiet', join(folder, 'repository.git'), clone])
    this.#flux = new StandInFlux(core.cluster, clone, 'packages/xpkgs')
  }

  get flags(): string {
    return `--kubeconfig ${this.core.cluster.kubeconfig} --context test`
  }

  start = () => this.#flux.start()
  stop = () => this.#flux.stop()

  async names(): Promise<readonly string[]> {
    const {items} = accepted(await this.core.cluster.kube.send('GET', PROVIDERS))
    return asObjects(items).map(({metadata}) => asText(asObject(metadata).name))
  }

  async healthy(name: string): Promise<void> {
    await until(
      async () => (await this.core.cluster.kube.send('GET', `${PROVIDERS}/${name}`)).body,
      ({status}) =>
        asObjects(asObject(status).conditions).some(one => one.type === 'Healthy' && one.status === 'True'),
      120,
    )
  }

  async uids(): Promise<readonly unknown[]> {
    const {kube} = this.core.cluster
    const all = [await kube.get(MINE), await kube.send('GET', CRD)]
    return all.map(answer => asObject(accepted(answer).metadata).uid)
  }
}

describeCore(
  'the cluster that a move waits for',
  first => {
    describeCore(
      'another cluster of the same tree',
      second => {
        let repository: AdoptedRepository
        let clusters: readonly SyncedCluster[] = []
        const at = (path: string) => `${first().host}/${path}`

        beforeAll(async () => {
          if (givenProgram() === undefined) builtProgram()
          await publish(
            temporary,
            ['market/sql', 'community/sql'].map(path => ({
              ...{repository: at(path), tag: 'v1.0.0', kind: 'Provider', requires: [], defines: 'Own'},
            })),
          )
          for (const {cluster} of [first(), second()]) cluster.kube.close()
          const folder = mkdtempSync(join(temporary, 'home-'))
          repository = await adoptedRepository(folder, first().cluster.kubeconfig)
          repository.commit({'README.md': 'ours\n'})
          await repository.paste(
            `kubectl crossplane package install ${at('market/sql')}:v1.0.0 --core-version v${crossplane.version} --git . --push --yes`,
          )
          clusters = [first(), second()].map(core => new SyncedCluster(core, folder))
          for (const one of clusters) {
            await one.start()
            await one.healthy('market-sql')
            await until(
              () => one.core.cluster.kube.apply(MINE, {force: true}),
              ({code}) => code < 300,
            )
          }
        }, TIMEOUT)
        afterAll(async () => {
          for (const one of clusters) await one.stop()
          await repository.close()
        })

        it.each([
          {to: 'community-sql', from: 'market-sql', path: 'community/sql', name: ''},
          {to: 'our-sql', from: 'community-sql', path: 'community/sql', name: '--name our-sql'},
        ])(
          'completes the move of $from to $to, which commits made while it was not awaited',
          async ({to, from, path, name}) => {
            const [awaited, further] = clusters as readonly [SyncedCluster, SyncedCluster]
            const before = await Promise.all(clusters.map(one => one.uids()))
            const flags = `--timeout 200s --git . --push --yes`
            await repository.paste(
              `kubectl crossplane package move ${from} ${at(path)} ${name} --core-version v${crossplane.version} ${flags} ${awaited.flags}`,
            )
            await awaited.healthy(to)
            expect(await awaited.names()).toEqual([to])
            await sleep(5000)
            expect([...(await further.names())].sort()).toEqual([from, to].sort())
            expect(await Promise.all(clusters.map(one => one.uids()))).toEqual(before)
            await repository.paste(`kubectl crossplane package move --continue ${flags} ${further.flags}`)
            await further.healthy(to)
            // Neither controller makes the former request again.
            await sleep(5000)
            for (const one of clusters) expect(await one.names()).toEqual([to])
            expect(await Promise.all(clusters.map(one => one.uids()))).toEqual(before)
            for (const one of clusters) expect((await one.core.state()).others).toEqual([])
            const again = await repository.shell(
              `kubectl crossplane package move --continue ${flags} ${further.flags}`,
            )
            expect(again).toMatchObject({status: 0, stderr: expect.stringContaining('nothing to change')})
          },
          3 * TIMEOUT,
        )
      },
      {keepsPackages: true},
    )
  },
  {keepsPackages: true},
)
