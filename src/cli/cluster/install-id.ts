import {CrossplaneError} from '../../errors.js'
import type {NamedQuery} from '../../pipeline/cluster/installed-format.js'
import {present} from '../../present.js'
import {checkInstanceName, checkNamespace} from '../../reference/instance-name.js'
import type {InstallId} from '../../render/install-set.js'

/** Reads an install as NAME, in a namespace, or as NAMESPACE/NAME. Throws `usage`. */
export function installId(text: string | undefined, namespace: string): InstallId {
  if (text === undefined) {
    throw new CrossplaneError('usage', 'missing argument NAME', {
      suggestions: ['kubectl crossplane package list --all-namespaces'],
    })
  }
  const slash = text.indexOf('/')
  const [place, name] = slash === -1 ? [namespace, text] : [text.slice(0, slash), text.slice(slash + 1)]
  return {namespace: checkNamespace(place, 'namespace'), name: checkInstanceName(name)}
}

/** Rejects a missing or invalid install before a cluster is contacted; a saved plan names its own. Throws `usage`. */
export function expectInstall(
  text: string | undefined,
  {namespace = 'default', plan}: {readonly namespace?: string; readonly plan?: string},
): void {
  if (plan === undefined && !isPackageWord(text)) installId(text, namespace)
}

/** Reads what a user names: an install, a package for a current Crossplane, or either. Throws `usage`. */
export function namedQuery(
  name: string | undefined,
  {namespace}: {readonly namespace?: string},
  contextNamespace: string,
): NamedQuery {
  return {
    text: name ?? '',
    // A package has no namespace: with one, a plain NAME is never that of a package.
    selectsPackages: namespace === undefined || isPackageWord(name),
    ...present({namespace}),
    ...(isPackageWord(name) ? {} : {install: installId(name, namespace ?? contextNamespace)}),
  }
}

/** Reports whether a text names a package, or a request with its type: namespaces contain no dot and no colon. */
export function isPackageWord(text = ''): boolean {
  return /^[^/]*[.:][^/]*\/|\/.*\//.test(text)
}
