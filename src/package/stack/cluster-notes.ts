import type {Diagnostic} from '../../diagnostic.js'
import type {InstallRequest} from '../../render/request.js'
import {factFor, factTable} from '../../resolve/facts.js'
import {type Requirement, requirementOf} from '../../resolve/requirement.js'
import {escaped, listSome} from '../../text.js'
import type {Package} from '../../unpack/package.js'
import {assumedFacts} from '../../pipeline/request/assumed-facts.js'
import type {InstalledState} from '../../resolve/requested/installed-package.js'
import {identifier, repositoryNames} from '../../resolve/repository-names.js'

/** The namespaces of a request and of the kubeconfig. */
interface RequestedPlace {
  readonly namespace?: string
  readonly contextNamespace?: string
}

/** The note for a Namespaced package that is requested without a namespace. */
export function contextNamespaceNote(
  {namespace, name, scope}: Pick<InstallRequest, 'namespace' | 'name' | 'scope'>,
  {namespace: requested, contextNamespace}: RequestedPlace,
): Diagnostic[] {
  if (requested !== undefined || contextNamespace === undefined || scope !== 'Namespaced') return []
  const message = `${name} is installed in ${namespace}, the namespace of the kubeconfig's context`
  return [{severity: 'note', rule: 'context-namespace', message}]
}

/** The note for requirements that the cluster does not have, where dependencies are not resolved. */
export function unresolvedNote(
  name: string,
  {dependencies}: Pick<Package, 'dependencies'>,
  {served, packages}: InstalledState,
): Diagnostic[] {
  const facts = factTable([...served, ...assumedFacts({crds: [], files: [], crossplane: 'none'})])
  const identify = identifier(repositoryNames([]))
  const isSatisfied = (requirement: Requirement) =>
    requirement.form === 'package'
      ? packages.some(({identity}) => identity === requirement.identity)
      : factFor(requirement, facts) !== undefined
  const open = dependencies
    .map(dependency => requirementOf(dependency, identify))
    .filter(requirement => !isSatisfied(requirement))
  if (open.length === 0) return []
  const texts = open.map(({text}) => escaped(text))
  const message = `${name} requires ${listSome(texts)}, which the cluster does not have; treated as satisfied (--no-dependencies)`
  return [{severity: 'note', rule: 'unresolved-dependency', message}]
}
