import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {bundledProgram, givenProgram} from '../../built-program.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import {adoptedRepository, type AdoptedRepository} from '../../gitops/adopted-repository.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../../registry/docker-registry.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {guideCommands} from '../../xpkg/core/guide-commands.js'
import {publish} from '../../xpkg/core/published-packages.js'
import {readLock} from '../../../src/declaration/read-lock.js'
import {writeLock} from '../../../src/declaration/write-lock.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {StandInCore} from './stand-in-core.js'
import {StandInFlux} from './stand-in-flux.js'

const CRD = {
  ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
  metadata: {name: 'owns.core.example.org'},
  spec: {
    ...{group: 'core.example.org', scope: 'Cluster', names: {kind: 'Own', plural: 'owns'}},
    versions: [
      {
        ...{name: 'v1', served: true, storage: true},
        schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
      },
    ],
  },
}
const MINE = {apiVersion: 'core.example.org/v1', kind: 'Own', metadata: {name: 'mine'}}
const COMMIT = '--git . --push --yes'
const TIMEOUT = 240_000

describeReal('a package that moves by commits', missingTool('git', ...DOCKER_REGISTRY_TOOLS), () => {
  const startRegistry = dockerRegistries()
  const temporary = temporaryFolder()
  describeCluster({version: 'current', pods: true}, 'in a cluster with stand-ins', cluster => {
    let repository: AdoptedRepository
    let core: StandInCore
    let flux: StandInFlux
    let host: string

    beforeAll(async () => {
      if (givenProgram() === undefined) bundledProgram()
      cluster().kube.close()
      host = (await startRegistry()).host
      const digests = await publish(
        temporary,
        ['market/sql', 'community/sql'].map(path => ({
          ...{repository: `${host}/${path}`, tag: 'v1.0.0', kind: 'Provider', requires: [], defines: 'Own'},
        })),
      )
      core = new StandInCore(cluster(), digests, CRD)
      await core.start()
      const folder = mkdtempSync(join(temporary, 'home-'))
      repository = await adoptedRepository(folder, cluster().kubeconfig)
      const install = `kubectl crossplane package install ${host}/market/sql:v1.0.0 my-sql --core-version v2.3.4`
      repository.commit({'README.md': 'ours\n'})
      await repository.paste(`${install} ${COMMIT}`)
      const clone = join(folder, 'synced')
      execFileSync('git', ['clone', '--quiet', join(folder, 'repository.git'), clone])
      flux = new StandInFlux(cluster(), clone, 'packages/xpkgs')
      await flux.start()
      await healthy('my-sql')
      accepted(await cluster().kube.create(MINE))
    }, TIMEOUT)
    afterAll(async () => {
      await flux.stop()
      await core.stop()
      await repository.close()
    })

    const providers = async () => {
      const {items} = accepted(await cluster().kube.send('GET', '/apis/pkg.crossplane.io/v1/providers'))
      return asObjects(items)
    }
    const names = async () => (await providers()).map(({metadata}) => asText(asObject(metadata).name))
    const healthy = async (name: string) => {
      const isHealthy = (conditions: unknown) =>
        asObjects(conditions as never).some(one => one.type === 'Healthy' && one.status === 'True')
      await until(
        providers,
        all =>
          all.some(one => asObject(one.metadata).name === name && isHealthy(asObject(one.status).conditions)),
        60,
      )
    }
    const uids = async () =>
      (await Promise.all([CRD, MINE].map(object => cluster().kube.get(object)))).map(
        answer => asObject(accepted(answer).metadata).uid,
      )
    const command = (words: string) => {
      const version = words.startsWith('--') ? '' : ' --core-version v2.3.4'
      return `kubectl crossplane package move ${words}${version} --context test --timeout 60s ${COMMIT}`
    }
    /** Gives the package back, as the error of `--back` says where the command was killed while it committed, or after its last commit. */
    const goBack = async () => {
      const first = await repository.shell(command('--back'))
      if (first.stderr.includes('Commit or stash your changes')) {
        await repository.paste('git stash push --include-untracked')
        await repository.paste(command('--back'))
      } else if (first.stderr.includes('the move can only go on'))
        await repository.paste(command('--continue'))
      else expect(first).toMatchObject({status: 0})
      if ((await names()).includes('community-sql'))
        await repository.paste(command(`community-sql ${host}/market/sql`))
    }
    /** Nothing of the former request is left, and nothing makes it anew. */
    const expectOnly = async (name: string, before: readonly unknown[]) => {
      await sleep(4000)
      expect(await names()).toEqual([name])
      expect(await uids()).toEqual(before)
      const lock = readFileSync(join(repository.root, 'crossplane-packages.lock'), 'utf8')
      expect(lock).not.toContain('moving')
      const [request] = await providers()
      expect(asObject(asObject(request?.metadata).annotations)).not.toHaveProperty([
        'kubectl-crossplane/move',
      ])
      await repository.paste('kubectl crossplane package check --git .')
    }

    it.each([
      // The Lock has the repository twice in between.
      {first: 'the former request', isBackwards: false, from: 'my-sql', path: 'market/sql', to: 'market-sql'},
      {first: 'none', isBackwards: false, from: 'market-sql', path: 'community/sql', to: 'community-sql'},
      {
        first: 'the new request',
        isBackwards: true,
        from: 'community-sql',
        path: 'market/sql',
        to: 'market-sql',
      },
    ])(
      'is in one place at the end, and nothing is deleted, where $first is applied first',
      async ({isBackwards, from, path, to}) => {
        flux.isBackwards = isBackwards
        const before = await uids()
        const dry = await repository.paste(command(`${from} ${host}/${path} --dry-run=client`))
        for (const text of [
          `delete   Provider ${from}`,
          `\nMove ${from} to`,
          'A first commit requests the new package',
        ])
          expect(dry).toContain(text)
        expect(await names()).toEqual([from])
        const [guide] = guideCommands('docs/moving.md', 'In Git', host)
        const words = guide!.words.join(' ').replace('production', 'test')
        // The guide moves this one.
        const own = `kubectl crossplane package ${words} --yes --core-version v2.3.4 --timeout 60s`
        await repository.paste(to === 'community-sql' ? own : command(`${from} ${host}/${path}`))
        await expectOnly(to, before)
      },
      TIMEOUT,
    )

    it(
      'is completed in a cluster that both commits did not wait for',
      async () => {
        const before = await uids()
        // Another cluster is the one of the command.
        await repository.shell(`${command(`market-sql ${host}/community/sql`)} & pid=$!
          while kill -0 $pid && ! git show origin/main:crossplane-packages.lock | grep -q '^moving:'; do sleep 0.1; done
          kill -KILL $pid; wait`)
        const isStopped = ({metadata, spec}: JsonObject) =>
          asObject(metadata).name === 'market-sql' && asObject(spec).revisionActivationPolicy === 'Manual'
        await until(providers, all => all.length === 2 && all.some(isStopped), 60)
        const file = join(repository.root, 'crossplane-packages.lock')
        const {moving, ...others} = readLock('lock', readFileSync(file))
        expect(moving).toMatchObject([{from: 'market-sql', to: 'community-sql'}])
        writeFileSync(file, writeLock(others))
        await repository.paste(
          'kubectl crossplane package render --declaration crossplane-packages.yaml --locked --output-dir packages',
        )
        repository.commit({})
        await sleep(6000)
        expect(JSON.stringify(await providers())).not.toContain('kubectl-crossplane/move"')
        const back = await repository.shell(command('--back'))
        expect(back).toMatchObject({status: 5, stderr: expect.stringContaining('the move can only go on')})
        // What a controller in another cluster applies cannot be awaited.
        const label = 'kubectl label provider/market-sql --overwrite kustomize.toolkit.fluxcd.io/name'
        await repository.shell(`${label}=hub`)
        expect(await repository.shell(command('--continue'))).toMatchObject({
          status: 5,
          stderr: expect.stringContaining('Kustomization hub, which is not in this cluster'),
        })
        await repository.shell(`${label}=tree`)
        expect(JSON.stringify(await providers())).not.toContain('kubectl-crossplane/move"')
        const [, onward] = guideCommands('docs/moving.md', 'In Git', host)
        const words = onward!.words.join(' ').replace('production', 'test')
        await repository.paste(`kubectl crossplane package ${words} --yes --timeout 60s`)
        await expectOnly('community-sql', before)
        await repository.paste(command(`community-sql ${host}/market/sql`))
        await expectOnly('market-sql', before)
      },
      TIMEOUT,
    )

    it(
      'goes back from a first commit that was not synced, and leaves nothing that a later sync makes',
      async () => {
        const before = await uids()
        flux.isPaused = true
        await sleep(4000)
        await repository.shell(`${command(`market-sql ${host}/community/sql`)} & pid=$!
          while kill -0 $pid && ! git show origin/main:crossplane-packages.lock | grep -q '^moving:'; do sleep 0.1; done
          kill -KILL $pid; wait`)
        const back = repository.shell(command('--back'))
        const lock = () => repository.shell('git show origin/main:crossplane-packages.lock')
        const isTurned = ({stdout}: {readonly stdout: string}) => /^ {2}from: community-sql$/m.test(stdout)
        await until(lock, isTurned, 60)
        await sleep(6000)
        // The last commit waits for the sync of this one.
        expect(isTurned(await lock())).toBe(true)
        expect(await names()).toEqual(['market-sql'])
        flux.isPaused = false
        expect(await back).toMatchObject({status: 0})
        await expectOnly('market-sql', before)
      },
      TIMEOUT,
    )

    it.each([3, 6, 9])(
      'goes on, and back, from a move that was killed after %d seconds',
      async seconds => {
        const before = await uids()
        const move = command(`market-sql ${host}/community/sql`)
        await repository.shell(`timeout --signal=KILL ${seconds} ${move}`)
        await goBack()
        await expectOnly('market-sql', before)
        await repository.shell(`timeout --signal=KILL ${seconds} ${move}`)
        const unconfirmed = await repository.shell(command('--continue').replace(' --yes', ''))
        expect(unconfirmed.stderr).toMatch(/nothing to change|without a terminal/)
        const first = await repository.shell(command('--continue'))
        // It was killed before its first commit, or had ended.
        if (first.stderr.includes('nothing to change')) {
          if (!(await names()).includes('community-sql')) await repository.paste(move)
        } else
          expect({status: first.status, text: first.status === 0 ? '' : first.stderr}).toEqual({
            status: 0,
            text: '',
          })
        await expectOnly('community-sql', before)
        await repository.paste(command(`community-sql ${host}/market/sql`))
        await expectOnly('market-sql', before)
      },
      TIMEOUT,
    )
  })
})
