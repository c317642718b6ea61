import {beforeAll, describe, expect, it} from '@jest/globals'
import {ERA_NAMES} from '../../../src/reference/era-name.js'
import {ERAS, pluralOf} from '../../../src/render/era.js'
import {asObject, asObjects, type JsonObject} from '../../../src/yaml/json-value.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {describeCorpus} from '../../corpus.js'
import {runIn} from './installing.js'
import {createOriginal, originalObjects} from './original-install.js'
import {DemoPackages} from './some-world.js'

const NAME = 'app-wordpress@v0.1.0'
const SERVERS = ['1.20', 'current'] as const
const PLACE = '/namespaces/team-a'
const installCommand = (api: string) =>
  `kubectl crossplane package install corpus/app-wordpress:v0.1.0 app-wordpress --namespace team-a${api === 'stacks' ? ' --api stacks' : ''} --adopt`

describeCorpus('objects of the original package manager', () => {
  describe.each(ERA_NAMES)('of the era %s', api => {
    const {group, kinds} = ERAS[api]
    const objects = () => originalObjects(api, NAME)

    describe.each(SERVERS)('on Kubernetes %s', server => {
      describeCluster(server, 'without a manager', cluster => {
        const run = (...args: string[]) => runIn(cluster(), 'package', ...args)
        const list = async () => (await run('list', '-A', '-o', 'wide')).stdout
        const firstBreak = async () => {
          const {stdout} = await run('status', 'team-a/app-wordpress', '-o', 'json')
          const [install] = asObjects(asObject(JSON.parse(stdout) as JsonObject).installs)
          const [finding] = asObjects(install?.findings)
          return {state: install?.state, id: install?.firstBreak, suggestion: finding?.suggestion}
        }

        beforeAll(async () => {
          const world = new DemoPackages().publish('db', 'v1.0.0')
          const flags = [
            '--packages',
            world.folder,
            '--api',
            api,
            '--with-package-api',
            '--create-namespace',
            '--no-wait',
            '--yes',
          ]
          expect(await run('install', 'demo/db:v1.0.0', ...flags)).toMatchObject({status: 0})
          const metadata = {name: 'team-a'}
          accepted(await cluster().kube.create({apiVersion: 'v1', kind: 'Namespace', metadata}))
        }, 60_000)

        it('are explained while there is only a request', async () => {
          await createOriginal(objects().slice(0, 1), cluster())
          expect(await list()).toMatch(
            /^team-a +app-wordpress +corpus\/app-wordpress:v0.1.0 +\d+s +NoInventory +request\b/m,
          )
          expect(await firstBreak()).toEqual({
            state: 'Broken',
            id: 'request-unprocessed',
            suggestion: installCommand(api),
          })
        })

        it('are healthy if they work', async () => {
          await createOriginal(objects(), cluster())
          expect(await list()).toMatch(
            /^team-a +app-wordpress +corpus\/app-wordpress:v0.1.0 +0\/1 +\d+s +NoInventory +record\b/m,
          )
          expect(await firstBreak()).toMatchObject({state: 'Starting'})
          const path = `/apis/apps/v1${PLACE}/deployments/app-wordpress-controller/status`
          const counts = {
            observedGeneration: 1,
            replicas: 1,
            updatedReplicas: 1,
            availableReplicas: 1,
            readyReplicas: 1,
          }
          accepted(await cluster().kube.send('PATCH', path, {status: counts}, 'application/merge-patch+json'))
          expect(await firstBreak()).toEqual({state: 'Healthy', id: undefined, suggestion: undefined})
        })

        it('name the missing objects', async () => {
          const path = `/apis/rbac.authorization.k8s.io/v1${PLACE}/rolebindings/app-wordpress`
          accepted(await cluster().kube.send('DELETE', path))
          expect(await firstBreak()).toEqual({
            state: 'Broken',
            id: 'binding-missing',
            suggestion: installCommand(api),
          })
        })

        it('are found by labels if nothing else is left', async () => {
          const names = [kinds.record, kinds.namespacedRequest].map(pluralOf)
          for (const name of names) {
            const path = `/apis/${group}/v1alpha1${PLACE}/${name}/app-wordpress`
            const patch = {metadata: {finalizers: null}}
            await cluster().kube.send('PATCH', path, patch, 'application/merge-patch+json')
            accepted(await cluster().kube.send('DELETE', path))
          }
          expect(await list()).toMatch(/^team-a +app-wordpress +1\/1 +NoInventory +labels\b/m)
          expect(await firstBreak()).toMatchObject({state: 'Broken', id: 'record-missing'})
        })
      })
    })
  })
})
