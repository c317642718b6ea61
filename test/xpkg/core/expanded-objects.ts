import {
  asObject,
  asObjects,
  asText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../src/yaml/json-value.js'
import {accepted, type Kube} from '../../cluster/kube.js'

const UNKNOWN = '<unknown>'

/** The paths at which an object of a cluster differs from an expanded one, but for marked fields; defaults are added. */
export function differences(want: JsonValue, have: JsonValue | undefined, path = ''): readonly string[] {
  if (want === UNKNOWN) return have === undefined ? [`${path}: missing`] : []
  if (Array.isArray(want)) {
    if (!Array.isArray(have) || want.length !== have.length)
      return [`${path}: ${JSON.stringify(want)} is ${JSON.stringify(have)}`]
    return want.flatMap((item, index) =>
      differences(item as JsonValue, have[index] as JsonValue, `${path}[${index}]`),
    )
  }
  if (isJsonObject(want))
    return Object.entries(want).flatMap(([key, value]) =>
      differences(value, asObject(have)[key], `${path}.${key}`),
    )
  return want === have ? [] : [`${path}: ${JSON.stringify(want)} is ${JSON.stringify(have)}`]
}

/** Where Crossplane and its RBAC manager create objects for packages. */
const LISTS = [
  '/apis/pkg.crossplane.io/v1/providerrevisions',
  '/apis/pkg.crossplane.io/v1/functionrevisions',
  '/apis/pkg.crossplane.io/v1/configurationrevisions',
  '/apis/apps/v1/namespaces/crossplane-system/deployments',
  '/api/v1/namespaces/crossplane-system/services',
  '/api/v1/namespaces/crossplane-system/serviceaccounts',
  '/api/v1/namespaces/crossplane-system/secrets',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/apiextensions.crossplane.io/v1alpha1/managedresourcedefinitions',
  '/apis/apiextensions.crossplane.io/v1/compositeresourcedefinitions',
  '/apis/apiextensions.crossplane.io/v1/compositions',
]

/** The objects that a revision, a definition or an XRD controls, and revisions themselves, as KIND NAME. */
export async function createdObjects(kube: Kube): Promise<ReadonlySet<string>> {
  const created = new Set<string>()
  for (const path of LISTS) {
    const {items, kind} = accepted(await kube.send('GET', path))
    const ofKind = asText(kind).replace(/List$/, '')
    for (const item of asObjects(items).filter(isControlled)) created.add(nameOf({...item, kind: ofKind}))
  }
  return created
}

function isControlled({metadata}: JsonObject): boolean {
  return asObjects(asObject(metadata).ownerReferences).some(
    ({apiVersion, controller}) => controller === true && /\.crossplane\.io\//.test(asText(apiVersion)),
  )
}

/** KIND NAME. */
export function nameOf({kind, metadata}: JsonObject): string {
  return `${asText(kind)} ${asText(asObject(metadata).name)}`
}
