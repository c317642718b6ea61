import {beforeAll, describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {KubernetesObject} from '../../../src/unpack/kubernetes-object.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {readYaml} from '../../../src/yaml/read-yaml.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {openApi} from '../../cluster/open-api.js'
import {CORPUS_ROOT, describeCorpus} from '../../corpus.js'
import {runIn} from './installing.js'
import {DemoPackages} from './some-world.js'

const ERAS = [
  {api: 'packages', release: 'v0.12', record: 'Package', group: 'packages.crossplane.io'},
  {api: 'stacks', release: 'v0.10', record: 'Stack', group: 'stacks.crossplane.io'},
]
const PLACE = '/namespaces/team-a'
const installCommand = (api: string) =>
  `kubectl crossplane package install corpus/app-wordpress:v0.1.0 app-wordpress --namespace team-a${api === 'stacks' ? ' --api stacks' : ''} --adopt`

/** Owners before what they own. */
const ORDER = ['Install', 'StackDefinition', 'Package', 'Stack']

/** What the original manager of a release created for a request, in an order in which owners come first. */
function recorded(release: string): readonly KubernetesObject[] {
  const path = join(CORPUS_ROOT, 'reference', release, 'expand/app-wordpress@v0.1.0.yaml')
  const objects = readYaml(readFileSync(path), path).map(({value}) => value as KubernetesObject)
  const rank = ({kind}: KubernetesObject) => {
    const at = ORDER.findIndex(each => (each === 'Install' ? kind.endsWith(each) : kind === each))
    return at === -1 ? ORDER.length : at
  }
  return objects.sort((a, b) => rank(a) - rank(b))
}

/** The records of CRDs have only their metadata. */
function withSpec(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'CustomResourceDefinition') return object
  const [plural = '', ...group] = object.metadata.name.split('.')
  const schema = {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}
  return {
    ...object,
    spec: {
      group: group.join('.'),
      scope: 'Namespaced',
      names: {plural, kind: 'WordpressInstance'},
      versions: [{name: 'v1alpha1', served: true, storage: true, schema}],
    },
  }
}

async function create(objects: readonly KubernetesObject[], cluster: TestCluster): Promise<void> {
  const api = openApi(cluster)
  const uids = new Map<string, string>()
  for (const object of objects) {
    const owners = asObjects(object.metadata.ownerReferences).map((owner): JsonObject => ({
      ...owner,
      uid: uids.get(`${asText(owner.kind)} ${asText(owner.name)}`) ?? '',
    }))
    const metadata = {...object.metadata, ...(owners.length === 0 ? {} : {ownerReferences: owners})}
    const made = await api.create({...withSpec(object), metadata}, {manager: 'crossplane'})
    if (made !== 'exists')
      uids.set(`${object.kind} ${object.metadata.name}`, asText(made.object.metadata.uid))
  }
}

describeCorpus('objects of the original package manager', () => {
  describe.each(ERAS)('of $release', ({api, release, record, group}) => {
    describeCluster('current', 'without a manager', cluster => {
      const run = (...args: string[]) => runIn(cluster(), 'package', ...args)
      const list = async () => (await run('list', '-A')).stdout
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
          '--base',
          '--create-namespace',
          '--no-wait',
          '--yes',
        ]
        expect(await run('install', 'demo/db:v1.0.0', ...flags)).toMatchObject({status: 0})
        const metadata = {name: 'team-a'}
        accepted(await cluster().kube.create({apiVersion: 'v1', kind: 'Namespace', metadata}))
      }, 60_000)

      it('are explained while there is only a request', async () => {
        await create(recorded(release).slice(0, 1), cluster())
        expect(await list()).toMatch(
          /^team-a +app-wordpress +corpus\/app-wordpress:v0.1.0 +NoInventory +request$/m,
        )
        expect(await firstBreak()).toEqual({
          state: 'Broken',
          id: 'request-unprocessed',
          suggestion: installCommand(api),
        })
      })

      it('are healthy if they work', async () => {
        await create(recorded(release), cluster())
        expect(await list()).toMatch(
          /^team-a +app-wordpress +corpus\/app-wordpress:v0.1.0 +NoInventory +record$/m,
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

      it('name what is missing', async () => {
        const path = `/apis/rbac.authorization.k8s.io/v1${PLACE}/rolebindings/app-wordpress`
        accepted(await cluster().kube.send('DELETE', path))
        expect(await firstBreak()).toEqual({
          state: 'Broken',
          id: 'binding-missing',
          suggestion: installCommand(api),
        })
      })

      it('are found by labels where nothing else is left', async () => {
        const names = [`${record}s`, `${record}Installs`].map(kind => kind.toLowerCase())
        for (const name of names) {
          const path = `/apis/${group}/v1alpha1${PLACE}/${name}/app-wordpress`
          const patch = {metadata: {finalizers: null}}
          await cluster().kube.send('PATCH', path, patch, 'application/merge-patch+json')
          accepted(await cluster().kube.send('DELETE', path))
        }
        expect(await list()).toMatch(/^team-a +app-wordpress +NoInventory +labels$/m)
        expect(await firstBreak()).toMatchObject({state: 'Broken', id: 'record-missing'})
      })
    })
  })
})
