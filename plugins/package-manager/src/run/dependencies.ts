import {
  asText,
  AUTO_LABEL,
  ERAS,
  type InstallId,
  type KubernetesObject,
  requestObject,
  type SetInstall,
} from 'kubectl-crossplane/plugin'

/** The annotation of a request that this program made: the install for which it did. */
const REQUIRED_BY = 'kubectl-crossplane.dev/required-by'

/** Returns the requests of the dependencies of a request, which are installed before it. */
export function dependencyRequests(
  installs: readonly SetInstall[],
  root: InstallId,
): readonly KubernetesObject[] {
  return installs.flatMap(install => {
    const {era, request, mode, package: selected} = install
    if (request === undefined || mode !== 'auto' || selected === undefined) return []
    const object = requestObject(ERAS[era], {...request, package: `${selected.identity}:${selected.tag}`})
    const labels = {...object.metadata.labels, [AUTO_LABEL]: 'true'}
    const annotations = {...object.metadata.annotations, [REQUIRED_BY]: textOf(root)}
    return [{...object, metadata: {...object.metadata, labels, annotations}}]
  })
}

/**
 * Returns the requests that were made for a root and that it does not require: a process was killed before it installed them,
 * and another request has provided their package since.
 */
export function abandonedRequests(
  root: InstallId,
  installs: readonly InstallId[],
  requests: readonly KubernetesObject[],
): readonly KubernetesObject[] {
  const required = new Set(installs.map(textOf))
  return requests.filter(request => {
    const {namespace = '', name, annotations} = request.metadata
    return (
      isAuto(request) &&
      asText(annotations?.[REQUIRED_BY]) === textOf(root) &&
      !required.has(textOf({namespace, name}))
    )
  })
}

/** Reports whether this program made a request for a dependency. */
export function isAuto({metadata}: KubernetesObject): boolean {
  return metadata.labels?.[AUTO_LABEL] === 'true'
}

/** Returns the installs that need a dependency, as far as they exist; empty if nothing requires it any more. */
export function dependentsOf(
  request: KubernetesObject,
  installed: readonly Pick<SetInstall, 'namespace' | 'name' | 'for'>[],
  requests: readonly KubernetesObject[],
): readonly string[] {
  const {namespace = '', name, annotations} = request.metadata
  const own = installed.find(each => each.namespace === namespace && each.name === name)
  const required = new Set([...Object.keys(own?.for ?? {}), asText(annotations?.[REQUIRED_BY])])
  const isGone = ({metadata}: KubernetesObject) => metadata.deletionTimestamp !== undefined
  const existing = new Set([
    ...installed.map(textOf),
    ...requests
      .filter(each => !isGone(each))
      .map(({metadata}) => textOf({namespace: metadata.namespace ?? '', name: metadata.name})),
  ])
  return [...required].filter(text => existing.has(text)).sort()
}

/** An install as NAMESPACE/NAME. */
export function textOf({namespace, name}: InstallId): string {
  return `${namespace}/${name}`
}
