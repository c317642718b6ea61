import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {nameOf} from '../../../kubernetes/object-key.js'
import {LEFT_TO_CLUSTER} from '../../../render/xpkg/named-image-configs.js'
import {escaped, listNames} from '../../../text.js'
import {asObject, asText, type JsonObject} from '../../../yaml/json-value.js'
import {kubectlGet} from '../objects/object-reasons.js'
import type {CoreRequest} from '../state/core-state.js'
import {requestText} from './lock/problem-texts.js'
import {IMAGE_SETTINGS, type ImageSetting, isPin, isSet} from './image-settings.js'
import {matchedPrefixes, rewriteTarget} from './unused-image-configs.js'

/** Names of ImageConfigs in a cluster, by those of a rendered set. */
export type ImageConfigNames = Readonly<Record<string, string>>

/**
 * Returns the name under which a cluster has what an ImageConfig of a rendered set says; `none` where other ImageConfigs of the cluster apply
 * to the same references, or where a package that skips the resolver is not pinned. It is undefined where a change of the resolver creates it.
 * @param isTaken - reports whether another ImageConfig of the set has a name already.
 */
export function clusterNameOf(
  object: KubernetesObject,
  {imageConfigs, requests}: ClusterImages,
  isTaken: (name: string) => boolean,
): string | undefined {
  const same = imageConfigs.find(other => isSameRewrite(object, other) && !isTaken(other.metadata.name))
  if (same !== undefined) return same.metadata.name
  const isAsFound = (request: ReadRequest) =>
    matchedPrefixes(object).includes(request.reference) && (isRewritten(request) || !request.isResolved)
  const isMirror = !rewriteTarget(object).includes('@')
  return isMirror || requests.some(isAsFound) ? LEFT_TO_CLUSTER : undefined
}

/** Names the packages that skip the resolver and are requested by a tag which nothing pins: a declaration leaves them so. */
export function unpinnedFindings(
  requests: readonly (ReadRequest & Parameters<typeof requestText>[0] & Pick<CoreRequest, 'repository'>)[],
): readonly Diagnostic[] {
  return requests
    .filter(request => !request.isResolved && !request.reference.includes('@') && !isRewritten(request))
    .map(request => ({
      severity: 'warning',
      rule: 'import-unpinned',
      message: `${requestText(request)} skips the resolver, and no ImageConfig pins its tag: a moved tag would change what it runs`,
      subject: {package: request.repository},
      suggestions: ['Remove its line from xpkg.imageConfigs of the declaration to pin it.'],
    }))
}

function isRewritten({resolved = ''}: ReadRequest): boolean {
  return resolved.includes('@')
}

/** What decides about the content of the packages of a cluster. */
export interface ClusterImages {
  readonly imageConfigs: readonly KubernetesObject[]
  readonly requests: readonly ReadRequest[]
}

type ReadRequest = Pick<CoreRequest, 'reference' | 'resolved' | 'isResolved'>

/** Applying one over the other changes nothing: what else it says stays. */
function isSameRewrite(one: KubernetesObject, other: KubernetesObject): boolean {
  const [own, others] = [matchedPrefixes(one), matchedPrefixes(other)]
  return (
    rewriteTarget(one) === rewriteTarget(other) &&
    own.length === others.length &&
    own.every((prefix, index) => prefix === others[index])
  )
}

/**
 * Says what the ImageConfigs of other programs are for, and whether the files have them. Of those that the rendered set writes under the
 * names of this program, it says only what else the cluster has in them.
 * @param rendered - the objects of the rendered set.
 */
export function imageConfigNotes(
  imageConfigs: readonly KubernetesObject[],
  names: ImageConfigNames,
  rendered: readonly KubernetesObject[],
): readonly Diagnostic[] {
  const renamed = new Set(Object.values(names))
  const own = new Set(rendered.filter(({kind}) => kind === 'ImageConfig').map(({metadata}) => metadata.name))
  const others = imageConfigs.filter(object => !isPin(object))
  const inFiles = others.filter(({metadata: {name}}) => renamed.has(name) || own.has(name))
  const left = others.filter(object => !inFiles.includes(object) && contentOf(object).length > 0)
  return [
    ...inFiles.flatMap(object => {
      const more = contentOf(object).filter(text => text !== REWRITING)
      const stays = more.length === 0 ? '' : `; its ${listNames(more)} is only in the cluster`
      const isNotable = renamed.has(object.metadata.name) || stays !== ''
      return isNotable ? [note(object, `is in the files under its name${stays}`)] : []
    }),
    ...left.map(object =>
      note(object, `stays in the cluster and is not in the files: ${contentOf(object).join(', ')}`),
    ),
  ]
}

const REWRITING = 'rewriting'

/** What an ImageConfig says, with the names of secrets. */
function contentOf(object: KubernetesObject): readonly string[] {
  const settings = (Object.keys(IMAGE_SETTINGS) as ImageSetting[]).filter(setting => isSet(object, setting))
  return [
    ...(rewriteTarget(object) === '' ? [] : [REWRITING]),
    ...settings.map(setting =>
      [IMAGE_SETTINGS[setting], escaped(nameIn(setting, asObject(asObject(object.spec)[setting])))]
        .filter(text => text !== '')
        .join(' '),
    ),
  ]
}

function nameIn(setting: ImageSetting, value: JsonObject): string {
  if (setting === 'registry') return asText(asObject(asObject(value.authentication).pullSecretRef).name)
  return setting === 'runtime' ? asText(asObject(value.configRef).name) : asText(value.provider)
}

function note(object: KubernetesObject, text: string): Diagnostic {
  const message = `ImageConfig ${escaped(object.metadata.name)} ${text}`
  return {severity: 'note', rule: 'import-image-config', message, suggestions: [kubectlGet(nameOf(object))]}
}
