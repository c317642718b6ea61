import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {ClusterMirror} from '../../../locate/remote-repository.js'
import type {CoreRequest} from '../state/core-state.js'
import {coreReference} from './read-core-object.js'
import {isOurs} from './requested-as.js'
import {matchedPrefixes, rewriteTarget} from './unused-image-configs.js'

/** How an ImageConfig replaces the start of a reference. */
interface Rewrite {
  readonly imageConfig: string
  readonly from: string
  readonly to: string
}

/**
 * Returns where a core reads packages from in place of their own repositories: the longest prefix of its ImageConfigs that
 * rewrite is replaced, as a plain text and once. Where they are only for the tag of an installed package, as other programs
 * pin it to a mirror, that tag decides.
 */
export function coreMirrors(
  imageConfigs: readonly KubernetesObject[],
  requests: readonly Pick<CoreRequest, 'repository' | 'reference'>[],
): (repository: string) => ClusterMirror | undefined {
  const rewrites = imageConfigs.flatMap(rewritesOf)
  // Pins of this program follow the mirrors, and do not decide about them.
  const ofOthers = imageConfigs.filter(object => !isOurs(object)).flatMap(rewritesOf)
  const references = new Map(requests.map(({repository, reference}) => [repository, reference]))
  return repository =>
    mirrorBy(rewrites, repository, repository) ??
    mirrorBy(ofOthers, references.get(repository) ?? '', repository)
}

/** Reports whether an ImageConfig has references be rewritten. */
export function isRewriting(object: KubernetesObject): boolean {
  return rewriteTarget(object) !== ''
}

function rewritesOf(object: KubernetesObject): readonly Rewrite[] {
  const to = rewriteTarget(object)
  if (to === '') return []
  return matchedPrefixes(object).map(from => ({imageConfig: object.metadata.name, from, to}))
}

function mirrorBy(
  rewrites: readonly Rewrite[],
  reference: string,
  repository: string,
): ClusterMirror | undefined {
  const [longest] = rewrites
    .filter(({from}) => from !== '' && reference.startsWith(from))
    .sort((a, b) => b.from.length - a.from.length)
  if (longest === undefined) return undefined
  const {imageConfig, from, to} = longest
  const mirror = coreReference(`${to}${reference.slice(from.length)}`).repository
  return mirror === repository ? undefined : {repository: mirror, imageConfig, rewrite: {from, to}}
}
