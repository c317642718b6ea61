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

/** An install, as far as it says what requires it. */
type Requiring = Pick<SetInstall, 'namespace' | 'name' | 'for'>

/** Returns the installs that need a dependency, as far as they exist; empty if nothing requires it any more. */
export function dependentsOf(
  request: KubernetesObject,
  installed: readonly Requiring[],
  requests: readonly KubernetesObject[],
): readonly string[] {
  const existing = existingIn(installed, requests)
  return [...new Set(requiredBy(request, installed))].filter(text => existing.has(text)).sort()
}

/**
 * Returns the installs that need a dependency and were not made for others themselves. Anyone can write a request that
 * requires itself, or two that require each other, which would have one another looked at for ever.
 */
export function rootsOf(
  request: KubernetesObject,
  installed: readonly Requiring[],
  requests: readonly KubernetesObject[],
): readonly string[] {
  const made = new Map(requests.filter(isAuto).map(other => [nameIn(other), other]))
  const existing = existingIn(installed, requests)
  const all = new Set(requiredBy(request, installed))
  // A set also visits what is added meanwhile.
  for (const text of all) {
    const other = made.get(text)
    if (other !== undefined) for (const next of requiredBy(other, installed)) all.add(next)
  }
  return [...all].filter(text => existing.has(text) && !made.has(text)).sort()
}

function requiredBy(request: KubernetesObject, installed: readonly Requiring[]): readonly string[] {
  const own = installed.find(install => textOf(install) === nameIn(request))
  return [...Object.keys(own?.for ?? {}), asText(request.metadata.annotations?.[REQUIRED_BY])]
}

function existingIn(
  installed: readonly InstallId[],
  requests: readonly KubernetesObject[],
): ReadonlySet<string> {
  const staying = requests.filter(({metadata}) => metadata.deletionTimestamp === undefined)
  return new Set([...installed.map(textOf), ...staying.map(nameIn)])
}

function nameIn({metadata: {namespace = '', name}}: KubernetesObject): string {
  return textOf({namespace, name})
}

/** An install as NAMESPACE/NAME. */
export function textOf({namespace, name}: InstallId): string {
  return `${namespace}/${name}`
}
