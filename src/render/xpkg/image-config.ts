import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {PinnedPackage} from './pinned-package.js'

/**
 * Returns the ImageConfig that has Crossplane read a tag of a package by its digest. The rewrite replaces the whole
 * reference, while the Lock keeps the tag: constraints are still checked.
 */
export function pinningImageConfig(
  {selected, reference}: Pick<PinnedPackage, 'selected' | 'reference'>,
  name: string,
  target: string,
): KubernetesObject {
  return {
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'ImageConfig',
    metadata: {name: imageConfigName(name, selected.version)},
    spec: {matchImages: [{type: 'Prefix', prefix: reference}], rewriteImage: {prefix: target}},
  }
}

const MAX_LENGTH = 253

/** One for each repository and tag, so that the one for an earlier tag can stay while a revision uses it. */
function imageConfigName(name: string, tag: string): string {
  return `${name}-${tag.toLowerCase().replaceAll('_', '-')}`.slice(0, MAX_LENGTH).replace(/[^a-z0-9]+$/, '')
}
