import {present} from '../present.js'
import {PULL_POLICIES} from '../reference/pull-policy.js'
import {asObject, asObjects, asText, type JsonValue} from '../yaml/json-value.js'
import type {InstallRequest} from './request.js'

/** The parameters of a request that an install is rendered with. */
export type ObservedParameters = Pick<
  InstallRequest,
  'source' | 'imagePullPolicy' | 'imagePullSecrets' | 'serviceAccountAnnotations'
>

/** Reads the parameters in the specification of a request object of a cluster, as far as they are valid. */
export function observedParameters(spec: JsonValue | undefined): ObservedParameters {
  const {source, imagePullPolicy, imagePullSecrets, serviceAccount} = asObject(spec)
  const policy = PULL_POLICIES.find(text => text === imagePullPolicy)
  const annotations = Object.entries(asObject(asObject(serviceAccount).annotations))
  return {
    ...(asText(source) === '' ? {} : {source: asText(source)}),
    ...present({imagePullPolicy: policy}),
    imagePullSecrets: asObjects(imagePullSecrets).map(({name}) => asText(name)),
    serviceAccountAnnotations: Object.fromEntries(annotations.map(([key, text]) => [key, asText(text)])),
  }
}
