import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {accepted} from '../../cluster/kube.js'
import {type Breaks, CONTROLLER_BREAKS} from './broken-controllers.js'
import {
  bindingPath,
  crdPath,
  GROUP,
  install,
  inventoryPath,
  NAMESPACE,
  patch,
  RBAC,
  recordPath,
  remove,
  rolePath,
  within,
} from './install-paths.js'

/** Twenty ways and more to break an install, by the name of its package, with the id of the first broken link. */
export const BREAKS: Breaks = {
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
  ...CONTROLLER_BREAKS,
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
