import type {LockedXpkg} from '../../../declaration/lock.js'
import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {nameOf} from '../../../kubernetes/object-key.js'
import {escaped} from '../../../text.js'
import {jsonEqual} from '../../../yaml/json-equal.js'
import {asObject} from '../../../yaml/json-value.js'
import {kubectlGet} from '../objects/object-reasons.js'
import type {CoreRequest} from '../state/core-state.js'
import {bestMatch, IMAGE_SETTINGS, type ImageSetting, isPin, isSet, rewritten} from './image-settings.js'
import {coreReference} from './read-core-object.js'
import {rewriteTarget} from './unused-image-configs.js'

type Request = Pick<CoreRequest, 'repository' | 'reference' | 'tag'>

/**
 * Warns of what the ImageConfigs of a cluster say for tags of packages, and a declaration does not hold: packages that are pinned
 * by digest are not read by these tags. The pins of this program are made again.
 */
export function importedImageFindings(
  requests: readonly Request[],
  imageConfigs: readonly KubernetesObject[],
  locked: readonly Pick<LockedXpkg, 'repository' | 'digest'>[],
): readonly Diagnostic[] {
  const digests = new Map(locked.map(({repository, digest}) => [repository, digest]))
  return requests.flatMap(request => {
    const digest = digests.get(request.repository)
    return [
      ...rewriteFindings(request, imageConfigs, digest),
      ...settingFindings(request, imageConfigs, digest),
    ]
  })
}

function rewriteFindings(
  request: Request,
  imageConfigs: readonly KubernetesObject[],
  digest: string | undefined,
): readonly Diagnostic[] {
  const {repository, reference, tag} = request
  const others = imageConfigs.filter(object => !isPin(object))
  const by = bestMatch(reference, others, object => rewriteTarget(object) !== '')?.object
  const read = coreReference(rewritten(reference, others))
  const isHeld = read.digest === undefined ? read.tag === tag : read.digest === digest
  if (by === undefined || isHeld) return []
  const message = `ImageConfig ${escaped(by.metadata.name)} rewrites ${escaped(reference)} to ${escaped(rewritten(reference, others))}, which the declaration does not hold: the lock has ${escaped(reference)}`
  const suggestions = [kubectlGet(nameOf(by))]
  return [{severity: 'warning', rule: 'import-rewrite', message, subject: {package: repository}, suggestions}]
}

function settingFindings(
  {repository, reference}: Request,
  imageConfigs: readonly KubernetesObject[],
  digest: string | undefined,
): readonly Diagnostic[] {
  const others = imageConfigs.filter(object => !isPin(object))
  const read = rewritten(reference, others)
  const name = coreReference(read).repository
  const pinned = digest === undefined ? name : `${name}@${digest}`
  return (Object.keys(IMAGE_SETTINGS) as ImageSetting[]).flatMap((setting): readonly Diagnostic[] => {
    const isWanted = (object: KubernetesObject) => isSet(object, setting)
    const had =
      bestMatch(read, others, isWanted) ??
      bestMatch(rewritten(reference, imageConfigs), imageConfigs, isWanted)
    const has = bestMatch(pinned, others, isWanted)
    const valueOf = (match: typeof had) => asObject(match?.object.spec)[setting] ?? null
    if (had === undefined || jsonEqual(valueOf(had), valueOf(has))) return []
    const message = `ImageConfig ${escaped(had.object.metadata.name)} has the ${IMAGE_SETTINGS[setting]} of ${escaped(repository)} for ${escaped(had.prefix)}: with --pin config or --pin digest, package render leads Crossplane to ${escaped(pinned)}, which that is not for`
    const suggestions = [
      kubectlGet(nameOf(had.object)),
      `Set it in an ImageConfig for ${escaped(name)}, without a tag.`,
    ]
    return [
      {
        severity: 'warning',
        rule: 'import-image-setting',
        message,
        subject: {package: repository},
        suggestions,
      },
    ]
  })
}
