import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {present} from '../../present.js'
import {isDigest} from '../../reference/image-name.js'
import type {ExpandedPackage} from '../../render/xpkg/expand/expanded-package.js'
import {expandSet} from '../../render/xpkg/expand/expand-set.js'
import {pinnedPackage} from '../../render/xpkg/pinned-package.js'
import type {XpkgSet} from '../../render/xpkg/xpkg-set.js'
import type {XpkgSettings} from '../../render/xpkg/xpkg-settings.js'
import type {SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import {type PackageContent, packageContent} from '../../xpkg/content/package-content.js'
import {asObject} from '../../yaml/json-value.js'
import {packageFiles} from './package-files.js'
import type {XpkgClosure} from './closure.js'

/** Returns everything that Crossplane creates for a set. */
export async function expandXpkgs(
  ...rendered: Parameters<typeof expandedPackages>
): Promise<readonly KubernetesObject[]> {
  return [...(await expandedPackages(...rendered)).values()].flat()
}

/**
 * Returns everything that Crossplane creates for the packages of a set, by their repositories. Reads the packages again:
 * resolution keeps no schemas.
 */
export async function expandedPackages(
  {packages, roots, names}: Pick<XpkgClosure, 'packages' | 'roots' | 'names'>,
  {objects}: Pick<XpkgSet, 'objects'>,
  settings: Pick<XpkgSettings, 'pin' | 'own' | 'mirrors' | 'mirrorOf'>,
  ports: PackagePorts,
): Promise<ReadonlyMap<string, readonly KubernetesObject[]>> {
  const all = objects.map(({object}) => object)
  const expanded = new Map<ExpandedPackage, string>()
  // One after the other: a large package has a thousand CRDs.
  for (const selected of packages) {
    const content = packageContent(await packageFiles(selected, roots, ports))
    const one = {selected, name: names.get(selected.repository) ?? '', content}
    const read = expandedPackage(one, all, settings)
    if (read !== undefined) expanded.set(read, selected.repository)
  }
  const policies = all.filter(({kind}) => kind === 'ManagedResourceActivationPolicy')
  const created = expandSet([...expanded.keys()], policies)
  return new Map([...created].map(([one, own]) => [expanded.get(one) ?? '', own]))
}

interface NamedPackage {
  readonly selected: SelectedXpkg
  readonly name: string
  readonly content: PackageContent
}

function expandedPackage(
  {selected, name, content}: NamedPackage,
  objects: readonly KubernetesObject[],
  settings: Pick<XpkgSettings, 'pin' | 'own' | 'mirrors' | 'mirrorOf'>,
): ExpandedPackage | undefined {
  const request = objects.find(({kind, metadata}) => kind === selected.kind && metadata.name === name)
  if (request === undefined) return undefined
  const {reference, image} = pinnedPackage(selected, name, settings)
  const {runtimeConfigRef} = asObject(request.spec)
  const runtimeConfig = objects.find(
    ({kind, metadata}) =>
      kind === 'DeploymentRuntimeConfig' && metadata.name === asObject(runtimeConfigRef).name,
  )
  const digest = isDigest(selected.version) ? selected.version : selected.digest
  return {request, reference, image, content, ...present({digest, runtimeConfig})}
}
