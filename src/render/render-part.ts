import type {RenderingSettings} from '../declaration/render-settings.js'
import type {Diagnostic} from '../diagnostic.js'
import {present} from '../present.js'
import {assembleInstallSet} from './assemble.js'
import {baseObjects} from './base.js'
import {type CrdChoice, withCrdVersion} from './crd-version.js'
import {type Era, ERAS} from './era.js'
import type {InstallSet, SetInstall, SetObject} from './install-set.js'
import {namespaceObjects} from './namespaces.js'
import type {Install} from './package-record.js'
import {renderInstall, type RenderOptions} from './render-install.js'
import type {InstallOrigin} from './install-origin.js'

/** How all packages of a request are rendered: the settings of the command line and the declaration together. */
export interface RenderChoices extends RenderOptions {
  readonly era: Era
  readonly base: boolean
  readonly createNamespace: boolean
  readonly crds: CrdChoice
  /** Whether images without a name are pinned to the package's digest where it is known. */
  readonly pin: boolean
  /**
   * Whether installs without dependencies name their package in the terms of the lock, which requires its summary.
   */
  readonly withPackages?: boolean
}

/** The part of a set from one install. */
export interface Part {
  readonly install: SetInstall
  readonly objects: readonly SetObject[]
}

/** Renders one install. */
export function installPart(era: Era, install: Install, origin: InstallOrigin, choices: RenderChoices): Part {
  const {request} = install
  const {scope, namespace, name} = request
  return {
    install: {namespace, name, era: era.name, scope, request, ...origin, ...settingsOf(choices)},
    objects: renderInstall(era, install, choices),
  }
}

function settingsOf(choices: RenderChoices): Pick<SetInstall, 'settings'> {
  const {allowCorePermissions, allowFullDeployment, controllerImage, templatesFrom, crds, pin} = choices
  const settings: RenderingSettings = {
    ...(allowCorePermissions ? {allowCorePermissions} : {}),
    ...(allowFullDeployment ? {allowFullDeployment} : {}),
    ...present({controllerImage, templatesFrom}),
    ...(crds.nonStructural === 'preserve' ? {nonStructural: crds.nonStructural} : {}),
    ...(pin ? {} : {pin}),
  }
  return Object.keys(settings).length === 0 ? {} : {settings}
}

/**
 * Joins all parts into one set, with the objects that they share: namespaces, the base, CRDs.
 * @param more - objects of the base that these packages require.
 */
export function setOf(
  {base, createNamespace, crds}: RenderChoices,
  parts: readonly Part[],
  warnings: readonly Diagnostic[],
  more: readonly SetObject[] = [],
): InstallSet {
  const installs = parts.map(part => part.install)
  const eras = [...new Set(installs.map(({era}) => ERAS[era]))]
  const set = assembleInstallSet(
    installs,
    [
      ...(createNamespace ? namespacesOf(installs) : []),
      ...(base ? eras.flatMap(baseObjects) : []),
      ...more,
      ...parts.flatMap(part => part.objects),
    ],
    warnings,
  )
  return withCrdVersion(set, crds)
}

/** Each namespace once; it is managed for its users as soon as one package in it is Namespaced. */
function namespacesOf(installs: readonly SetInstall[]): SetObject[] {
  const names = [...new Set(installs.map(({namespace}) => namespace))]
  return names.flatMap(name => {
    const isManaged = installs.some(install => install.namespace === name && install.scope === 'Namespaced')
    return namespaceObjects(name, isManaged ? 'Namespaced' : 'Cluster')
  })
}
