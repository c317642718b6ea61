import {gitApplier, gitApplierCalled} from '../../../cluster/git-applier.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {objectText} from '../../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {listSome, quoted, shellWord} from '../../../text.js'
import {asText} from '../../../yaml/json-value.js'
import type {DryRun} from '../state/cluster-snapshot.js'
import type {DesiredObject} from '../state/desired-object.js'

/** Why an object cannot be changed. */
export type Reason = Pick<Diagnostic, 'rule' | 'message' | 'suggestions'>

/** Rejects an object that is being deleted. */
export function beingDeleted({name}: DesiredObject, {metadata}: KubernetesObject): Reason {
  const finalizers = Array.isArray(metadata.finalizers) ? metadata.finalizers.map(String) : []
  const why = finalizers.length === 0 ? '' : `, and waits for ${listSome(finalizers.map(quoted))}`
  return {
    rule: 'object-terminating',
    message: `${objectText(name)} is being deleted since ${asText(metadata.deletionTimestamp)}${why}`,
    suggestions: [kubectlGet(name)],
  }
}

/** Rejects an object of others. */
export function foreign({name}: DesiredObject, live: KubernetesObject): Reason {
  const others = {
    rule: 'object-unmanaged',
    message: `${objectText(name)} exists and was not created by this program`,
    suggestions: [kubectlGet(name), 'Pass --adopt to take it over.'],
  }
  return appliedFromGit(name, live) ?? others
}

/** Rejects what a program applies from Git, where it is changed: a change in the cluster would be undone. */
export function appliedFromGit(name: DesiredObject['name'], live: KubernetesObject): Reason | undefined {
  const program = gitApplier(live)
  if (program === undefined) return undefined
  return {
    rule: 'object-unmanaged',
    message: `${program} applies ${objectText(name)} from Git, and would undo a change in the cluster`,
    suggestions: [inGit(program)],
  }
}

function inGit(program: string): string {
  return `Pass --git PATH to change it in a clone of the repository that ${program} applies.`
}

/** Reports whether an object is one of the Helm chart of a current Crossplane, by the labels that the chart sets. */
export function isOfCurrentChart({metadata: {labels}}: KubernetesObject): boolean {
  return (
    labels?.['app.kubernetes.io/name'] === 'crossplane' &&
    labels['app.kubernetes.io/part-of'] === 'crossplane'
  )
}

/** Rejects an object of a current Crossplane, which no flag takes over. */
export function ofCurrentChart({name}: DesiredObject): Reason {
  return {
    rule: 'object-of-crossplane',
    message: `${objectText(name)} belongs to the Crossplane that runs in the cluster`,
    suggestions: [kubectlGet(name)],
  }
}

/** Rejects fields of other managers. */
export function conflict(
  {name}: DesiredObject,
  {fields}: DryRun & {kind: 'conflict'},
  managers: readonly string[],
): Reason {
  const places = listSome([...new Set(fields.map(({field}) => quoted(field)))])
  const program = managers.map(gitApplierCalled).find(one => one !== undefined)
  const takeOver = 'Pass --force-conflicts to take these fields over.'
  return {
    rule: 'field-conflict',
    message: `${objectText(name)}: ${places} is managed by ${listSome(managers.map(quoted))}`,
    suggestions: [program === undefined ? takeOver : inGit(program)],
  }
}

/** Rejects what the API server does not accept. */
export function notAccepted({name}: DesiredObject, {message}: DryRun & {kind: 'rejected'}): Reason {
  return {rule: 'object-rejected', message: `${objectText(name)} is rejected by the API server: ${message}`}
}

/** The command that shows an object. */
export function kubectlGet({apiVersion, kind, namespace, name}: DesiredObject['name']): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const resource = group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${version ?? ''}.${group ?? ''}`
  const place = namespace === undefined ? '' : ` --namespace ${shellWord(namespace)}`
  return `kubectl get ${shellWord(resource)} ${shellWord(name)}${place} --output yaml`
}

/** The managers of the fields of a conflict, each once. */
export function managersOf({fields}: DryRun & {readonly kind: 'conflict'}): readonly string[] {
  return [...new Set(fields.map(({manager}) => manager))].sort()
}
