import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {present} from '../../present.js'
import {isSince, SINCE} from '../../xpkg/core-release.js'
import type {PinnedPackage} from './pinned-package.js'
import {isSkipped, type XpkgSettings} from './xpkg-settings.js'

/** Set on an object, it has Crossplane ignore it. */
export const PAUSED = 'crossplane.io/paused'

/** Returns the object by which Crossplane is requested to install a package. */
export function requestObject(
  {selected: {kind, repository}, name, reference}: PinnedPackage,
  settings: XpkgSettings,
  runtimeConfigName?: string,
): KubernetesObject {
  const own = settings.own?.get(repository)
  const {packagePullPolicy, packagePullSecrets = [], ...fields} = {...settings, ...own}
  const {revisionActivationPolicy, revisionHistoryLimit} = fields
  const runtimeConfig = runtimeConfigName ?? own?.runtimeConfig
  return {
    apiVersion: apiVersionOf(kind, settings),
    kind,
    metadata: {name, ...(own?.paused === true ? {annotations: {[PAUSED]: 'true'}} : {})},
    spec: {
      package: reference,
      ...present({packagePullPolicy}),
      ...(packagePullSecrets.length === 0
        ? {}
        : {packagePullSecrets: packagePullSecrets.map(secret => ({name: secret}))}),
      ...present({revisionActivationPolicy, revisionHistoryLimit}),
      ...(runtimeConfig === undefined ? {} : {runtimeConfigRef: {name: runtimeConfig}}),
      ...(isSkipped(repository, settings) ? {skipDependencyResolution: true} : {}),
    },
  }
}

function apiVersionOf(kind: string, {coreVersion}: XpkgSettings): string {
  const isBeta = kind === 'Function' && !isSince(coreVersion, SINCE.functionV1)
  return `pkg.crossplane.io/${isBeta ? 'v1beta1' : 'v1'}`
}
