import {judgedInstall} from '../../inspect/policy/judged-install.js'
import {type JudgedPackage, withoutImage} from '../../inspect/policy/judged-package.js'
import type {LocatedPackage} from '../../locate/located-package.js'
import {SYSTEM_NAMESPACE} from '../../reference/instance-name.js'
import {assumedRender} from './inspect.js'
import {locatedAs} from './judge-installs.js'

/** Returns what rules see of a package that was read. The digest of one that was not pushed yet is unknown, and so its own image. */
export function judgedStack(located: LocatedPackage): JudgedPackage {
  const {judged, ownImage, selected} = judgedRender(located)
  return selected.digest === undefined ? withoutImage(judged, ownImage) : judged
}

/** Renders a package by itself, and returns what rules see of it, with what was read and rendered. */
export function judgedRender(located: LocatedPackage) {
  const parameters = {
    ...{imagePullSecrets: [], serviceAccountAnnotations: {}, pin: true},
    systemNamespace: SYSTEM_NAMESPACE,
  }
  const {era, read, install, set} = assumedRender(located, {api: 'packages', parameters})
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
