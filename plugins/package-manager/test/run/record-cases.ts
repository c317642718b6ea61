import {expect, it} from '@jest/globals'
import {asObject, asObjects, asText, asTexts, type JsonObject} from 'kubectl-crossplane/plugin'
import {until} from '../../../../test/cluster/kube.js'
import {API, type managerSuite, named, SYSTEM} from './manager-suite.js'

/** A record as users write it, with a controller. */
function record(namespace: string, name: string, spec: JsonObject = {}, pod: JsonObject = {}): JsonObject {
  const template = {
    metadata: {labels: {app: name}},
    spec: {containers: [{name: 'c', image: 'example.org/c:v1'}], ...pod},
  }
  const deployment = {name: 'x', spec: {selector: {matchLabels: {app: name}}, template}}
  return {
    apiVersion: API,
    kind: 'Package',
    metadata: {name, namespace},
    spec: {controller: {deployment}, ...spec},
  }
}

const STANDARD = {apiGroups: [''], resources: ['configmaps', 'events', 'secrets'], verbs: ['*']}
const WIDGET_API = 'demo.example.org/v1alpha1'
const WIDGETS: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'widgets.demo.example.org'},
  spec: {
    group: 'demo.example.org',
    scope: 'Namespaced',
    names: {kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget'},
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
      },
    ],
  },
}
const RBAC = 'rbac.authorization.k8s.io/v1'

/** The records that users write instead of requests. */
export function recordCases({
  kube,
  apply,
  read,
  remove,
  settled,
  gone,
  policy,
}: ReturnType<typeof managerSuite>): void {
  const controller = (name: string) => named('Deployment', `${name}-controller`, SYSTEM, 'apps/v1')
  const codes = async (objects: readonly JsonObject[]) =>
    await Promise.all(objects.map(async object => (await kube().get(object)).code))

  it('runs the controller of a record that a user wrote, with an identity even without rules', async () => {
    const byHand = record(SYSTEM, 'byhand')
    await apply(byHand)
    expect(await settled(byHand, 'Ready', /^True/)).toBe('True Available')
    const {metadata, status} = await read(byHand)
    expect(asTexts(asObject(metadata).finalizers)).toEqual(['finalizer.packages.crossplane.io'])
    expect(asObject(asObject(status).controllerRef)).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'byhand-controller',
      namespace: SYSTEM,
      uid: asText(asObject((await read(controller('byhand'))).metadata).uid),
    })
    expect(
      await codes([
        named('ServiceAccount', 'byhand', SYSTEM),
        named('RoleBinding', 'byhand', SYSTEM, RBAC),
        named('ClusterRole', `package:${SYSTEM}:byhand::system`, undefined, RBAC),
      ]),
    ).toEqual([200, 200, 200])
  })

  it('follows the record, restores its objects, and removes them with it', async () => {
    const containers = [{name: 'c', image: 'example.org/c:v2'}]
    await apply(record(SYSTEM, 'byhand', {}, {containers}))
    const imageIn = (deployment: JsonObject) => {
      const pod = asObject(asObject(asObject(deployment.spec).template).spec)
      return asText(asObjects(pod.containers)[0]?.image)
    }
    await until(
      () => read(controller('byhand')),
      live => imageIn(live) === 'example.org/c:v2',
      60,
    )
    await remove(named('RoleBinding', 'byhand', SYSTEM, RBAC))
    await until(
      () => kube().get(named('RoleBinding', 'byhand', SYSTEM, RBAC)),
      ({code}) => code === 200,
      60,
    )
    await remove(record(SYSTEM, 'byhand'))
    await gone(record(SYSTEM, 'byhand'))
    const names = [named('ServiceAccount', 'byhand', SYSTEM), controller('byhand')]
    expect(await codes(names)).toEqual([404, 404])
  })

  it('waits for a CRD, claims it as it is, and stays while there are custom resources', async () => {
    const waits = record(SYSTEM, 'waits', {
      customresourcedefinitions: [{apiVersion: WIDGET_API, kind: 'Widget'}],
      permissions: {
        rules: [STANDARD, {apiGroups: ['demo.example.org'], resources: ['widgets'], verbs: ['*']}],
      },
    })
    await apply(waits)
    expect(await settled(waits, 'Ready', /WaitingForDependency .*Widget \(demo/)).toMatch(/^False/)
    await apply(WIDGETS)
    expect(await settled(waits, 'Ready', /^True/)).toBe('True Available')
    const {metadata, spec} = await read(WIDGETS)
    expect(Object.keys(asObject(asObject(metadata).labels))).toContain(
      `parent.packages.crossplane.io/${SYSTEM}-waits`,
    )
    const second = record(SYSTEM, 'second', {
      customresourcedefinitions: [{apiVersion: WIDGET_API, kind: 'Widget'}],
    })
    await apply(second)
    expect(await settled(second, 'Ready', /Conflict .*widgets.*-waits/)).toMatch(/^False/)
    const one = {apiVersion: WIDGET_API, kind: 'Widget', metadata: {name: 'one', namespace: SYSTEM}}
    await apply(one)
    await remove(waits)
    expect(await settled(waits, 'Ready', /InstancesExist/)).toMatch(/1 custom resource of widgets/)
    expect(await codes([controller('waits')])).toEqual([200])
    for (const object of [one, second]) await remove(object)
    // Custom resources are not watched: a change of the record is noticed sooner than their absence.
    const {metadata: own, ...rest} = waits
    await apply({...rest, metadata: {...asObject(own), annotations: {again: 'true'}}})
    for (const object of [second, waits, controller('waits')]) await gone(object)
    expect(asObject((await read(WIDGETS)).spec)).toEqual(asObject(spec))
    await remove(WIDGETS)
  })

  const wide = (...rules: readonly JsonObject[]) => ({permissions: {rules: [...rules]}})
  it.each<{name: string; reason: RegExp; in: JsonObject}>([
    {
      name: 'built-in resources',
      reason: /PermissionRefused .*deployments/,
      in: record(SYSTEM, 'wide', wide({apiGroups: ['apps'], resources: ['deployments'], verbs: ['*']})),
    },
    {
      name: 'requests, as those of others',
      reason: /PermissionRefused .*clusterpackageinstalls/,
      in: record(
        SYSTEM,
        'wide',
        wide({apiGroups: ['packages.crossplane.io'], resources: ['clusterpackageinstalls'], verbs: ['*']}),
      ),
    },
    {
      name: 'the node',
      reason: /PermissionRefused .*hostPID/,
      in: record(SYSTEM, 'wide', {}, {hostPID: true}),
    },
    {
      name: 'nothing that can be run',
      reason: /InvalidRequest/,
      in: record(SYSTEM, 'wide', {}, {containers: []}),
    },
    {name: 'another namespace', reason: /PolicyRefused .*clusterNamespaces/, in: record('team', 'wide')},
    {
      name: 'another namespace and the whole cluster',
      reason: /PolicyRefused .*clusterNamespaces/,
      in: record('team', 'wide', {permissionScope: 'Cluster', ...wide(STANDARD)}),
    },
  ])('gives a record no rights over $name', async ({in: object, reason}) => {
    await policy('manager: {namespaces: [team]}\n')
    await apply(object)
    expect(await settled(object, 'Ready', reason)).toMatch(/^False/)
    const {namespace} = asObject(object.metadata)
    const names = [
      named('Deployment', 'wide-controller', asText(namespace), 'apps/v1'),
      named('ServiceAccount', 'wide', asText(namespace)),
      named('ClusterRole', `package:${asText(namespace)}:wide::system`, undefined, RBAC),
      named('ClusterRoleBinding', 'wide', undefined, RBAC),
    ]
    expect(await codes(names)).toEqual([404, 404, 404, 404])
    await remove(object)
    await gone(object)
  })

  it('uses no service account and no binding of others', async () => {
    const account = named('ServiceAccount', 'taken', SYSTEM)
    const taken = record(SYSTEM, 'taken')
    await apply(account)
    await apply(taken)
    expect(await settled(taken, 'Ready', /Conflict .*ServiceAccount/)).toMatch(/^False/)
    expect(await codes([controller('taken')])).toEqual([404])
    await remove(account)
    await remove(taken)
    await gone(taken)
  })
}
