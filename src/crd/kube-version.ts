import {CrossplaneError} from '../errors.js'

/** The API versions of CustomResourceDefinition, of which a server serves at least one. */
export type CrdApiVersion = 'v1' | 'v1beta1'

/** v1 came with 1.16; v1beta1 went with 1.22. */
const FIRST_V1_MINOR = 16

/** The best API version for CRDs of a Kubernetes such as `1.20`, `v1.20.2` or `1.36.3-gke.1`; throws `usage`. */
export function crdApiVersionFor(kubeVersion: string): CrdApiVersion {
  const [, major, minor] = /^v?(\d+)\.(\d+)(?:\.\d+)?(?:[-+][\w.+-]*)?\+?$/.exec(kubeVersion.trim()) ?? []
  if (major === undefined || minor === undefined) {
    throw new CrossplaneError('usage', `"${kubeVersion}" is no version of Kubernetes.`, {
      suggestions: ['Write it as 1.20 or v1.36.3.'],
    })
  }
  return Number(major) > 1 || Number(minor) >= FIRST_V1_MINOR ? 'v1' : 'v1beta1'
}
