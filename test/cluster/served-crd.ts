import {convertCrd} from '../../src/crd/convert/convert-crd.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import type {TestCluster} from './api-server.js'

/** Returns a v1beta1 CRD as a cluster accepts it: a current server accepts v1 only. */
export function servedCrd(crd: JsonObject, {version}: Pick<TestCluster, 'version'>): JsonObject {
  return version === 'current' ? convertCrd(crd as KubernetesObject, {nonStructural: 'preserve'}).crd : crd
}
