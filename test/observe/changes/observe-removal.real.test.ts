import {beforeAll, expect, it} from '@jest/globals'
import {observeHanging} from '../../../src/observe/changes/observe-hanging.js'
import {observeManagedInstall} from '../../../src/observe/installs/observe-managed-install.js'
import {writeInventory} from '../../../src/apply/write-inventory.js'
import type {ClusterApi} from '../../../src/cluster/api/cluster-api.js'
import {nameOf} from '../../../src/kubernetes/object-key.js'
import {baseObjects} from '../../../src/render/base.js'
import {ERAS} from '../../../src/render/era.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {until} from '../../cluster/kube.js'
import {openApi} from '../../cluster/open-api.js'
import {witness} from '../../cluster/witnessed.js'
import {grantManager} from '../../commands/cluster/manager-rights.js'

const WRITER = {manager: 'suite'}

/** A CRD, which defines a kind that is served or not. */
function crdOf(kind: string, served: boolean): KubernetesObject {
  const plural = `${kind.toLowerCase()}s`
  const schema = {openAPIV3Schema: {type: 'object'}}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.demo.example.org`},
    spec: {
      group: 'demo.example.org',
      scope: 'Namespaced',
      names: {plural, kind, listKind: `${kind}List`},
      versions: [{name: 'v1', served, storage: true, schema}],
    },
  }
}

function deploymentOf(name: string, replicas: number): KubernetesObject {
  const labels = {app: name}
  const containers = [{name, image: 'registry.example.org/controller:v1'}]
  const template = {metadata: {labels}, spec: {containers}}
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {namespace: 'default', name},
    spec: {replicas, selector: {matchLabels: labels}, template},
  }
}

const THING = crdOf('Thing', true)
const IDLE = crdOf('Idle', false)
const INSTANCE = {apiVersion: 'demo.example.org/v1', kind: 'Thing', namespace: 'default', name: 'mine'}
const ID = {namespace: 'default', name: 'a'}

describeCluster('current', 'the state that removals depend on', cluster => {
  let api: ClusterApi

  beforeAll(async () => {
    api = openApi(cluster())
    const base = baseObjects(ERAS.packages).map(({object}) => object)
    for (const each of [...base, THING, IDLE]) await api.apply(each, WRITER)
    const kinds = [INSTANCE, {apiVersion: ERAS.packages.apiVersion, kind: 'ClusterPackageInstall'}]
    for (const kind of kinds)
      await until(
        async () => await api.resource(kind),
        found => found !== undefined,
      )
  }, 60_000)

  it('includes the controllers of an instance that is not deleted, and what they do', async () => {
    const install = {...ID, era: 'packages', scope: 'Cluster', mode: 'requested', for: {}} as const
    const objects = [nameOf(THING), nameOf(deploymentOf('a-controller', 1))]
    const inventory = {install, phase: 'complete', toolVersion: '1', objects} as const
    await writeInventory(inventory, api)
    await witness(inventory, api)
    const {apiVersion, kind, ...metadata} = INSTANCE
    const finalizers = ['demo.example.org/external']
    await api.create({apiVersion, kind, metadata: {...metadata, finalizers}}, WRITER)
    await api.delete(INSTANCE)
    const stateOf = async () => {
      const {object, controllers} = (await observeHanging(INSTANCE, api))!
      expect(object.metadata).toMatchObject({name: 'mine', finalizers})
      return controllers
    }
    const controller = {install: 'default/a', deployment: 'default/a-controller'}
    expect(await stateOf()).toEqual([{...controller, state: 'missing'}])
    for (const [replicas, state] of [
      [1, 'running'],
      [0, 'stopped'],
    ] as const) {
      await api.apply(deploymentOf('a-controller', replicas), WRITER)
      expect(await stateOf()).toEqual([{...controller, state}])
    }
  })

  it('includes the instances that keep a CRD', async () => {
    await api.delete(nameOf(THING))
    expect(await observeHanging(nameOf(THING), api)).toMatchObject({
      object: {metadata: {name: 'mine'}},
      crd: {name: 'things.demo.example.org', instances: 1},
    })
    expect((await observeHanging(nameOf(IDLE), api))?.crd).toBeUndefined()
    expect(await observeHanging({...INSTANCE, name: 'absent'}, api)).toBeUndefined()
  })

  it('includes the CRDs that a package manager deletes, also those whose kind is not served', async () => {
    expect(await observeManagedInstall(ID, api)).toBeUndefined()
    const {manager, apiVersion, kinds} = ERAS.packages
    await api.apply(deploymentOf(manager, 1), WRITER)
    await grantManager(cluster(), 'default')
    expect(await observeManagedInstall(ID, api)).toBeUndefined()
    const spec = {source: 'registry.example.org', package: 'example/a:v1'}
    await api.apply({apiVersion, kind: 'ClusterPackageInstall', metadata: ID, spec}, WRITER)
    const customresourcedefinitions = ['Thing', 'Idle'].map(kind => ({apiVersion: INSTANCE.apiVersion, kind}))
    const record = {apiVersion, kind: kinds.record, metadata: ID, spec: {customresourcedefinitions}}
    await api.apply(record, WRITER)
    const {request, inventory} = (await observeManagedInstall(ID, api))!
    expect(request).toMatchObject({kind: 'ClusterPackageInstall', metadata: ID})
    expect(inventory.install).toMatchObject({...ID, era: 'packages', scope: 'Cluster'})
    expect(inventory.objects.map(({name}) => name).sort()).toEqual([
      'idles.demo.example.org',
      'things.demo.example.org',
    ])
  })
})
