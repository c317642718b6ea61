import {inventoryName} from '../../../src/cluster/inventory/inventory-config-maps.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {accepted, until} from '../../cluster/kube.js'

export const NAMESPACE = 'crossplane-system'
const GROUP = 'demo.example.org'
const RBAC = 'rbac.authorization.k8s.io/v1'

/** Breaks an install of `demo/NAME` in some way. */
type Break = (name: string, cluster: TestCluster) => Promise<void>

const patch = async ({kube}: TestCluster, path: string, body: JsonObject) => {
  accepted(await kube.send('PATCH', path, body, 'application/merge-patch+json'))
}
const install = (name: string) => `demo-${name}`
const within = (path: string) => path.replace('/NS/', `/namespaces/${NAMESPACE}/`)
const crdPath = (name: string) => `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}s.${GROUP}`
const deploymentPath = (name: string) => within(`/apis/apps/v1/NS/deployments/${install(name)}-controller`)
const recordPath = (name: string) =>
  within(`/apis/packages.crossplane.io/v1alpha1/NS/packages/${install(name)}`)
const inventoryPath = (name: string) =>
  within(`/api/v1/NS/configmaps/${inventoryName({namespace: NAMESPACE, name: install(name)})}`)
const rolePath = (name: string, persona: string) =>
  `/apis/${RBAC}/clusterroles/${encodeURIComponent(`package:${NAMESPACE}:${install(name)}:v1.0.0:${persona}`)}`
const bindingPath = (name: string) => `/apis/${RBAC}/clusterrolebindings/${install(name)}`
const remove = async ({kube}: TestCluster, path: string) => {
  accepted(await kube.send('DELETE', path))
}
const deletePods = (name: string, cluster: TestCluster) =>
  remove(cluster, within(`/api/v1/NS/pods?labelSelector=app%3D${install(name)}-controller`))
const template = (spec: JsonObject): JsonObject => ({spec: {template: {spec}}})

/** Twenty ways and more to break an install, by the name of its package, with the id of the first broken link. */
export const BREAKS: Readonly<Record<string, {readonly id: string; readonly with: Break}>> = {
  unfinished: {
    id: 'install-interrupted',
    with: async (name, cluster) => {
      const {body} = await cluster.kube.send('GET', inventoryPath(name))
      const text = asText(asObject(body.data)['inventory.json'])
      const data = {'inventory.json': text.replace('"phase": "complete"', '"phase": "changing"')}
      await patch(cluster, inventoryPath(name), {data})
    },
  },
  unreadable: {
    id: 'inventory-unreadable',
    with: (name, cluster) => patch(cluster, inventoryPath(name), {data: {'inventory.json': '{'}}),
  },
  unrecorded: {id: 'record-missing', with: (name, cluster) => remove(cluster, recordPath(name))},
  leaving: {
    id: 'record-terminating',
    with: async (name, cluster) => {
      await patch(cluster, recordPath(name), {metadata: {finalizers: ['example.org/keep']}})
      await remove(cluster, recordPath(name))
    },
  },
  crdless: {id: 'crd-missing', with: (name, cluster) => remove(cluster, crdPath(name))},
  dying: {
    id: 'crd-terminating',
    with: async (name, cluster) => {
      const metadata = {name: 'kept', finalizers: ['example.org/keep']}
      const instance = {apiVersion: `${GROUP}/v1`, kind: `${name}s`.toUpperCase(), metadata}
      accepted(await cluster.kube.send('POST', `/apis/${GROUP}/v1/${name}s`, instance))
      await remove(cluster, crdPath(name))
    },
  },
  // Another CRD has its kind, before it is installed.
  conflicting: {id: 'crd-names-conflict', with: () => Promise.resolve()},
  unclaimed: {
    id: 'crd-unclaimed',
    with: (name, cluster) =>
      patch(cluster, crdPath(name), {
        metadata: {labels: {[`parent.packages.crossplane.io/${NAMESPACE}-${install(name)}`]: null}},
      }),
  },
  unserved: {
    id: 'crd-version-unserved',
    with: async (name, cluster) => {
      const {body} = await cluster.kube.send('GET', crdPath(name))
      const [version = {}] = asObjects(asObject(body.spec).versions)
      const versions = [
        {...version, served: false, storage: false},
        {...version, name: 'v2'},
      ]
      await patch(cluster, crdPath(name), {spec: {versions}})
    },
  },
  accountless: {
    id: 'account-missing',
    with: (name, cluster) => remove(cluster, within(`/api/v1/NS/serviceaccounts/${install(name)}`)),
  },
  powerless: {id: 'role-missing', with: (name, cluster) => remove(cluster, rolePath(name, 'system'))},
  userless: {id: 'role-missing', with: (name, cluster) => remove(cluster, rolePath(name, 'edit'))},
  weakened: {
    id: 'role-incomplete',
    with: (name, cluster) =>
      patch(cluster, rolePath(name, 'system'), {
        rules: [{apiGroups: [''], resources: ['secrets'], verbs: ['get']}],
      }),
  },
  unbound: {id: 'binding-missing', with: (name, cluster) => remove(cluster, bindingPath(name))},
  misbound: {
    id: 'binding-other-role',
    with: async (name, cluster) => {
      const {body} = await cluster.kube.send('GET', bindingPath(name))
      await remove(cluster, bindingPath(name))
      const {
        resourceVersion: _version,
        uid: _uid,
        managedFields: _fields,
        ...metadata
      } = asObject(body.metadata)
      const roleRef = {...asObject(body.roleRef), name: 'view'}
      accepted(
        await cluster.kube.send('POST', `/apis/${RBAC}/clusterrolebindings`, {...body, metadata, roleRef}),
      )
    },
  },
  misplaced: {
    id: 'binding-other-subject',
    with: (name, cluster) =>
      patch(cluster, bindingPath(name), {
        subjects: [{kind: 'ServiceAccount', name: 'default', namespace: NAMESPACE}],
      }),
  },
  uncontrolled: {id: 'controller-missing', with: (name, cluster) => remove(cluster, deploymentPath(name))},
  impersonating: {
    id: 'controller-other-account',
    with: (name, cluster) => patch(cluster, deploymentPath(name), template({serviceAccountName: 'default'})),
  },
  stopped: {
    id: 'controller-scaled-to-zero',
    with: (name, cluster) => patch(cluster, deploymentPath(name), {spec: {replicas: 0}}),
  },
  homeless: {
    id: 'pod-unschedulable',
    with: (name, cluster) => patch(cluster, deploymentPath(name), template({nodeSelector: {disk: 'none'}})),
  },
  // The stages of kwok choose these by their image.
  unpullable: {id: 'image-pull', with: () => Promise.resolve()},
  crashing: {id: 'container-crash', with: () => Promise.resolve()},
  unconfigured: {id: 'container-start', with: () => Promise.resolve()},
  rejected: {id: 'pods-rejected', with: rejectPods},
  overquota: {
    id: 'pods-over-quota',
    with: async (name, cluster) => {
      const metadata = {name: 'none', namespace: NAMESPACE}
      const quota = {apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: {hard: {pods: '0'}}}
      accepted(await cluster.kube.create(quota))
      // The quota counts once its controller has seen it.
      await until(
        () => cluster.kube.get(quota),
        ({body}) => asObject(asObject(body.status).hard).pods === '0',
        60,
      )
      await deletePods(name, cluster)
    },
  },
}

const POLICY = 'admissionregistration.k8s.io/v1'

/** Lets the API server reject the Pods of an install by an admission policy. */
async function rejectPods(name: string, cluster: TestCluster): Promise<void> {
  const expression = `object.metadata.labels["app"] != "${install(name)}-controller"`
  const rule = {apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods']}
  const policy = {
    apiVersion: POLICY,
    kind: 'ValidatingAdmissionPolicy',
    metadata: {name: 'no-pods'},
    spec: {
      matchConstraints: {resourceRules: [rule]},
      validations: [{expression, message: 'the image is not signed'}],
    },
  }
  const binding = {
    apiVersion: POLICY,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: {name: 'no-pods'},
    spec: {policyName: 'no-pods', validationActions: ['Deny']},
  }
  const path = `/apis/${POLICY}/`
  accepted(await cluster.kube.send('POST', `${path}validatingadmissionpolicies`, policy))
  accepted(await cluster.kube.send('POST', `${path}validatingadmissionpolicybindings`, binding))
  const labels = {app: `${install(name)}-controller`}
  const probe = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: 'probe', namespace: NAMESPACE, labels},
    spec: {containers: [{name: 'a', image: 'a'}]},
  }
  // A policy takes effect a moment later.
  await until(
    () => cluster.kube.create(probe, {dryRun: true}),
    ({code}) => code === 422,
    60,
  )
  await deletePods(name, cluster)
}

/** A CRD that has the kind of another one, which is installed later. */
export function crdWithKindOf(name: string): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `others.${GROUP}`},
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: {plural: 'others', kind: `${name}s`.toUpperCase()},
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
    },
  }
}
