import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject} from '../../../yaml/json-value.js'

/** What stands for the name of the request, and for the namespace of Crossplane. */
const NAME = 'package'

/**
 * Returns a CRD of a package as Crossplane sends it to an API server: it names the Service of a conversion webhook itself, and keeps
 * only the path.
 */
export function sentCrd(crd: KubernetesObject): KubernetesObject {
  const spec = asObject(crd.spec)
  const conversion = asObject(spec.conversion)
  if (conversion.strategy !== 'Webhook') return crd
  const webhook = asObject(conversion.webhook)
  const clientConfig = asObject(webhook.clientConfig)
  const service = {...asObject(clientConfig.service), name: NAME, namespace: NAME}
  const sent = {...webhook, clientConfig: {...clientConfig, service}}
  return {...crd, spec: {...spec, conversion: {...conversion, webhook: sent}}}
}
