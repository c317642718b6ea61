import {isCrd} from '../../kubernetes/crd-kind.js'
import {present} from '../../present.js'
import type {ObservedPackages, ObservedRequest} from './observe-packages.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {SystemRole} from '../../cluster/inventory/system-role.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import {parseImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {compareVersions} from '../../reference/newest-version.js'
import {eraOf} from '../../render/era.js'
import type {InstalledPackage, InstalledState} from '../../resolve/requested/installed-package.js'
import {repositoryNames} from '../../resolve/repository-names.js'

/**
 * Returns the state of a cluster for a resolution: the served CRDs, and the packages of inventories that count, of witnesses
 * without one, and of other requests. With `adopt`, this program takes over requests that no package manager processes.
 */
export function installedState(
  {
    inventories,
    roles,
    requests,
    served,
    managers,
  }: Pick<ObservedPackages, 'inventories' | 'roles' | 'requests' | 'served' | 'managers'>,
  {adopt}: {readonly adopt: boolean},
): InstalledState {
  const isOurs = ({era}: ObservedRequest) => adopt && !managers.has(era)
  const inventoried = inventories.map(({install}) => install)
  const witnessed = [...roles.values()]
    .filter(([role]) => role !== undefined && !inventoried.some(install => isSameInstall(install, role)))
    .flatMap(witnessedIn)
  const others = requests.filter(
    request => ![...inventoried, ...witnessed].some(install => isSameInstall(install, request)),
  )
  return {
    served,
    packages: [
      ...inventories.flatMap(packageIn),
      ...witnessed,
      ...others.flatMap(request => requestedElsewhere(request, isOurs(request))),
    ],
    upgraded: new Set(),
  }
}

/** An inventory that does not know its package, such as of a rendered record, counts only by the CRDs that are served. */
function packageIn({install, objects}: Inventory): InstalledPackage[] {
  const {package: installed, request, ...others} = install
  if (installed === undefined) return []
  const {identity, tag, digest} = installed
  const {
    package: _package,
    crd,
    imagePullSecrets = [],
    serviceAccountAnnotations = {},
    ...parameters
  } = request ?? {}
  return [
    {
      ...others,
      identity,
      tag,
      ...present({digest}),
      crds: objects.filter(isCrd).map(({name}) => name),
      inventory: {
        settings: {
          ...parameters,
          imagePullSecrets,
          serviceAccountAnnotations,
          scope: install.scope,
          requestFields: crd === undefined ? {} : {crd},
        },
        ...present({rendering: install.settings}),
        hasRequest: objects.some(
          ({apiVersion, kind}) => kind.endsWith('Install') && eraOf(apiVersion) !== undefined,
        ),
      },
    },
  ]
}

/**
 * The package that the witness of an install names. Its inventory does not count, so that its parameters are unknown: the
 * version stays, and is not applied again.
 */
function witnessedIn(roles: readonly SystemRole[]): InstalledPackage[] {
  const versions = roles.flatMap(({namespace, name, era, isApplied, witness}) => {
    const separator = witness?.package?.lastIndexOf(':') ?? -1
    if (!isApplied || witness?.package === undefined || separator <= 0) return []
    const {package: text, digest, scope, pin} = witness
    const identity = text.slice(0, separator)
    const tag = text.slice(separator + 1)
    return [{namespace, name, era, identity, tag, scope, ...present({digest, pin})}]
  })
  // An interrupted upgrade between eras leaves two roles.
  const [newest] = versions.sort((a, b) => compareVersions(a.tag, b.tag))
  return newest === undefined
    ? []
    : [{...newest, crds: [], mode: 'requested', for: {}, isOnlyWitnessed: true}]
}

/** A request that another program processes. Without a tag, the version that it stands for is unknown. */
function requestedElsewhere(
  {package: text, parameters, ...request}: ObservedRequest,
  isOurs: boolean,
): InstalledPackage[] {
  const {source} = parameters
  const image = parseImageName(text)
  if (image?.tag === undefined) return []
  const {tag, digest} = image
  const name = source === undefined ? image : nameFromSource(image, source)
  const identity = repositoryNames([name])(name)
  return [
    {
      ...request,
      identity,
      tag,
      ...present({digest}),
      pin: {tag, ...present({digest})},
      crds: [],
      mode: 'requested',
      for: {},
      ...(isOurs
        ? {inventory: {settings: {...parameters, scope: request.scope, requestFields: {}}, hasRequest: true}}
        : {}),
    },
  ]
}
