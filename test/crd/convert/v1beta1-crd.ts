import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

/** A v1beta1 CRD as its reader gives it, with one version and that schema; fields of the spec may be set apart. */
export function v1beta1Crd(schema: JsonObject | undefined, spec: JsonObject = {}): KubernetesObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'widgets.example.org'},
    spec: {
      group: 'example.org',
      names: {kind: 'Widget', plural: 'widgets'},
      scope: 'Namespaced',
      version: 'v1',
      ...(schema === undefined ? {} : {validation: {openAPIV3Schema: schema}}),
      ...spec,
    },
  }
}

/** A v1 CRD with one version and that schema. */
export function v1Crd(schema: JsonObject, spec: JsonObject = {}, version: JsonObject = {}): KubernetesObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'widgets.example.org'},
    spec: {
      group: 'example.org',
      names: {kind: 'Widget', plural: 'widgets'},
      scope: 'Namespaced',
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}, ...version}],
      ...spec,
    },
  }
}
