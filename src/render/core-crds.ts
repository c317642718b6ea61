import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {CoreKind} from './core-kinds.js'

/** The content of a kind whose schema belongs to Crossplane: no field is validated, and none is dropped. */
const OPEN = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true} as const

/**
 * Returns the CRD of a kind that Crossplane itself included, for a cluster without Crossplane. Controllers of packages
 * do not start without the kinds that they watch.
 */
export function coreCrd({group, version, kind, plural, scope}: CoreKind): KubernetesObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${group}`},
    spec: {
      group,
      names: {
        categories: ['crossplane'],
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
      },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: {openAPIV3Schema: {type: 'object', properties: {spec: OPEN, status: OPEN}}},
          subresources: {status: {}},
        },
      ],
    },
  }
}
