import {judgedInstall} from '../../inspect/policy/judged-install.js'
import {type JudgedPackage, withoutImage} from '../../inspect/policy/judged-package.js'
import type {LocatedPackage} from '../../locate/located-package.js'
import {SYSTEM_NAMESPACE} from '../../reference/instance-name.js'
import {type AssumedRender, assumedRender} from './inspect.js'
import {locatedAs} from './judge-installs.js'

/** Returns what rules see of a package that was read. The digest of one that was not pushed yet is unknown, and so its own image. */
export function judgedStack(located: LocatedPackage): JudgedPackage {
  const {judged, ownImage, selected} = judgedRender(located)
  return selected.digest === undefined ? withoutImage(judged, ownImage) : judged
}

/** How a package is rendered that no request names. */
export const UNREQUESTED = {
  api: 'packages',
  parameters: {
    ...{imagePullSecrets: [], serviceAccountAnnotations: {}, pin: true},
    systemNamespace: SYSTEM_NAMESPACE,
  },
} as const

/** Returns what rules see of a package that is rendered by itself, with what was read and rendered. */
export function judgedRender(
  located: LocatedPackage,
  {era, read, install, set}: AssumedRender = assumedRender(located, UNREQUESTED),
) {
  const {namespace, name, scope} = install.request
  const selected = locatedAs(located, install.version)
  const judged = judgedInstall({
    install: {
      ...{namespace, name, scope, era: era.name, mode: 'requested', for: {}},
      package: selected,
    },
    objects: set.objects,
  })
  return {judged, selected, read, ownImage: install.image, objects: set.objects}
}
