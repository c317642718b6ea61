import {CrossplaneError} from '../errors.js'

/** The API versions of CustomResourceDefinition, of which a server serves at least one. */
export type CrdApiVersion = 'v1' | 'v1beta1'

/** A minor release of Kubernetes. */
export interface KubeRelease {
  readonly major: number
  readonly minor: number
}

/** v1 was added in 1.16; v1beta1 was removed in 1.22. */
const FIRST_V1_MINOR = 16

const LAST_V1BETA1_MINOR = 21

/**
 * Returns the best API version for CRDs of a Kubernetes such as `1.20`, `v1.20.2` or `1.36.3-gke.1`; throws `usage`.
 */
export function crdApiVersionFor(kubeVersion: string): CrdApiVersion {
  const {major, minor} = parseKubeVersion(kubeVersion)
  return major > 1 || minor >= FIRST_V1_MINOR ? 'v1' : 'v1beta1'
}

/** Reports whether a Kubernetes still accepts CRDs as v1beta1; throws `usage`. */
export function servesV1beta1(kubeVersion: string): boolean {
  const {major, minor} = parseKubeVersion(kubeVersion)
  return major === 1 && minor <= LAST_V1BETA1_MINOR
}

/** Reports whether a version such as `1.20` or `v1.20.2` is of this minor release; throws `usage`. */
export function isOfRelease(kubeVersion: string, release: KubeRelease): boolean {
  const {major, minor} = parseKubeVersion(kubeVersion)
  return major === release.major && minor === release.minor
}

/** Reports whether a text is the version of a Kubernetes. */
export function isKubeVersion(text: string): boolean {
  return readKubeVersion(text) !== undefined
}

function parseKubeVersion(text: string): KubeRelease {
  const release = readKubeVersion(text)
  if (release !== undefined) return release
  throw new CrossplaneError('usage', `${JSON.stringify(text)} is not a Kubernetes version`, {
    suggestions: ['Write it as 1.20 or v1.36.3.'],
  })
}

function readKubeVersion(text: string): KubeRelease | undefined {
  const [, major, minor] = /^v?(\d+)\.(\d+)(?:\.\d+)?(?:[-+][\w.+-]*)?\+?$/.exec(text.trim()) ?? []
  if (major === undefined || minor === undefined) return undefined
  return {major: Number(major), minor: Number(minor)}
}
