import type {Diagnostic} from '../../diagnostic.js'
import {assembleInstallSet} from '../../render/assemble.js'
import {baseObjects} from '../../render/base.js'
import {type CrdChoice, withCrdVersion} from '../../render/crd-version.js'
import type {Era} from '../../render/era.js'
import type {InstallSet, SetObject} from '../../render/install-set.js'
import {namespaceObjects} from '../../render/namespaces.js'
import type {Install} from '../../render/package-record.js'
import {renderInstall, type RenderOptions} from '../../render/render-install.js'
import type {PermissionScope} from '../../unpack/package.js'

export interface RenderChoices extends RenderOptions {
  readonly era: Era
  readonly base: boolean
  readonly createNamespace: boolean
  readonly crds: CrdChoice
}

/** What one install brings to a set. */
export interface Part {
  readonly era: Era
  readonly scope: PermissionScope
  readonly namespace: string
  readonly name: string
  readonly objects: readonly SetObject[]
}

export function installPart(era: Era, install: Install, choices: RenderChoices): Part {
  const {scope, namespace, name} = install.request
  return {era, scope, namespace, name, objects: renderInstall(era, install, choices)}
}

/** One set of all parts, with what they share: namespaces, the base, CRDs. */
export function setOf(
  {base, createNamespace, crds}: RenderChoices,
  parts: readonly Part[],
  warnings: readonly Diagnostic[],
): InstallSet {
  const eras = [...new Set(parts.map(part => part.era))]
  const set = assembleInstallSet(
    parts.map(({namespace, name}) => ({namespace, name})),
    [
      ...(createNamespace ? namespacesOf(parts) : []),
      ...(base ? eras.flatMap(baseObjects) : []),
      ...parts.flatMap(part => part.objects),
    ],
    warnings,
  )
  return withCrdVersion(set, crds)
}

/** Each namespace once; it is managed for its users as soon as one package in it is Namespaced. */
function namespacesOf(parts: readonly Part[]): SetObject[] {
  const names = [...new Set(parts.map(part => part.namespace))]
  return names.flatMap(name => {
    const isManaged = parts.some(part => part.namespace === name && part.scope === 'Namespaced')
    return namespaceObjects(name, isManaged ? 'Namespaced' : 'Cluster')
  })
}
