import {convertCrd} from '../../../src/crd/convert/convert-crd.js'
import type {EraName} from '../../../src/reference/era-name.js'
import {ERAS, requestEraOf} from '../../../src/render/era.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {asObjects, asText, asTexts, type JsonObject} from '../../../src/yaml/json-value.js'
import {readYaml} from '../../../src/yaml/read-yaml.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {openApi} from '../../cluster/open-api.js'
import {corpusText} from '../../corpus.js'

/** The releases whose objects were recorded, by era. */
const RELEASES: Readonly<Record<EraName, string>> = {packages: 'v0.12', stacks: 'v0.10'}

/** Owners before what they own. */
const ORDER = ['Install', 'StackDefinition', 'Package', 'Stack']

/**
 * What the original package manager of an era created for a package of the corpus, with the finalizers that it set, in an
 * order in which owners come first. CRDs are as it unpacked them: v1beta1.
 */
export function originalObjects(era: EraName, name: string): readonly KubernetesObject[] {
  const unpacked = new Map(
    recorded(era, `unpack/${name}.yaml`).map(object => [object.metadata.name, object] as const),
  )
  const objects = recorded(era, `expand/${name}.yaml`).map(object => {
    if (object.kind === 'CustomResourceDefinition')
      return withLabels(unpacked.get(object.metadata.name), object)
    return requestEraOf(object) === undefined ? object : withFinalizers(object, era, name)
  })
  const rank = ({kind}: KubernetesObject) => {
    const at = ORDER.findIndex(each => (each === 'Install' ? kind.endsWith(each) : kind === each))
    return at === -1 ? ORDER.length : at
  }
  return objects.sort((a, b) => rank(a) - rank(b))
}

function recorded(era: EraName, path: string): KubernetesObject[] {
  return readYaml(Buffer.from(corpusText('reference', RELEASES[era], path)), path).map(
    ({value}) => value as KubernetesObject,
  )
}

/** Of installed CRDs, only the labels were recorded. */
function withLabels(crd: KubernetesObject | undefined, {metadata}: KubernetesObject): KubernetesObject {
  if (crd === undefined) throw new Error(`no CRD ${metadata.name}`)
  return {...crd, metadata: {...crd.metadata, labels: metadata.labels ?? {}}}
}

/** The finalizers of requests were recorded apart from them, and of one era only. */
function withFinalizers(request: KubernetesObject, era: EraName, name: string): KubernetesObject {
  const known =
    era === 'packages'
      ? (JSON.parse(corpusText('reference', RELEASES[era], 'expand/requests.json')) as JsonObject)
      : {[name]: [{kind: request.kind, finalizers: [ERAS[era].finalizers.request]}]}
  const finalizers = asObjects(known[name]).find(({kind}) => kind === request.kind)?.finalizers
  return {...request, metadata: {...request.metadata, finalizers: asTexts(finalizers)}}
}

/**
 * Creates objects as the original package manager did: without server-side apply, and with references to owners as they are
 * in this cluster. Requests were created by their users; only their finalizers are the manager's.
 */
export async function createOriginal(
  objects: readonly KubernetesObject[],
  cluster: TestCluster,
): Promise<void> {
  const api = openApi(cluster)
  const {minor} = await api.version()
  const uids = new Map<string, string>()
  for (const object of objects) {
    const {finalizers = [], ...metadata} = withOwners(object.metadata, uids)
    const isRequest = requestEraOf(object) !== undefined
    const content = {...inVersion(object, minor), metadata: isRequest ? metadata : {...metadata, finalizers}}
    const made = await api.create(content, {manager: isRequest ? 'kubectl-create' : 'crossplane'})
    if (made === 'exists') continue
    const {name, namespace, uid} = made.object.metadata
    if (isRequest) {
      const {apiVersion, kind} = object
      const patch = {metadata: {finalizers}}
      await api.mergePatch({apiVersion, kind, namespace, name}, patch, {manager: 'crossplane'})
    }
    uids.set(`${object.kind} ${name}`, asText(uid))
  }
}

function withOwners(
  metadata: KubernetesObject['metadata'],
  uids: ReadonlyMap<string, string>,
): KubernetesObject['metadata'] {
  const owners = asObjects(metadata.ownerReferences)
  if (owners.length === 0) return metadata
  const ownerReferences = owners.map(owner => ({
    ...owner,
    uid: uids.get(`${asText(owner.kind)} ${asText(owner.name)}`) ?? '',
  }))
  return {...metadata, ownerReferences}
}

/** Servers since Kubernetes 1.22 have CRDs that were converted. */
function inVersion(object: KubernetesObject, minor: number): KubernetesObject {
  if (object.kind !== 'CustomResourceDefinition' || minor < 22) return object
  return convertCrd(object, {nonStructural: 'preserve'}).crd
}
