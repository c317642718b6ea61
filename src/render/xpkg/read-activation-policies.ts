import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asText} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'

/** Reads ManagedResourceActivationPolicies. Throws `input-invalid` for a file with anything else. */
export function readActivationPolicies(name: string, bytes: Uint8Array): readonly KubernetesObject[] {
  return readYaml(Buffer.from(bytes), name).map(({value, line}) => {
    const {apiVersion, kind, metadata, spec} = asObject(value)
    const policyName = asText(asObject(metadata).name)
    if (
      apiVersion !== 'apiextensions.crossplane.io/v1alpha1' ||
      kind !== 'ManagedResourceActivationPolicy' ||
      policyName === ''
    )
      throw new CrossplaneError(
        'input-invalid',
        `${name}:${line}: this is not a ManagedResourceActivationPolicy of apiextensions.crossplane.io/v1alpha1`,
      )
    return {apiVersion, kind, metadata: {...asObject(metadata), name: policyName}, spec: asObject(spec)}
  })
}
