import {gitApplier, gitApplierCalled} from '../../../cluster/git-applier.js'
import {CONTENT_MANAGER, isAppliedBy} from '../../../cluster/claims.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {objectText} from '../../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {escaped, listSome, quoted, shellWord} from '../../../text.js'
import {jsonEqual} from '../../../yaml/json-equal.js'
import {asText} from '../../../yaml/json-value.js'
import type {ClusterSnapshot, DryRun} from '../state/cluster-snapshot.js'
import type {DesiredObject} from '../state/desired-object.js'
import {type GitSource, pauseCommand} from '../state/git-sources.js'

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

/** How objects that Flux or Argo CD applies can be changed. */
export interface GitAllowances {
  /** Take over fields that other managers own. */
  readonly forceConflicts: boolean
  /** Returns the command that changes an object in Git; undefined where it is not known. */
  readonly inGit?: ((object: ObjectName) => string | undefined) | undefined
}

/** Rejects a change that Flux or Argo CD would undo; undefined if flags take an object over that nothing syncs at present. */
export function undoneByGit(
  {key, name}: DesiredObject,
  live: KubernetesObject,
  {sources}: Pick<ClusterSnapshot, 'sources'>,
  {forceConflicts, inGit: command}: GitAllowances,
): Reason | undefined {
  const gitSource = sources?.get(key)
  if (gitSource === undefined) return undefined
  const {program, source, state} = gitSource
  if (forceConflicts && state !== 'syncing') return undefined
  const own = command?.(name)
  const flags = isAppliedBy(live, CONTENT_MANAGER) ? '--force-conflicts' : '--adopt and --force-conflicts'
  return {
    rule: 'object-unmanaged',
    message: undoneMessage(name, gitSource),
    suggestions: [
      own === undefined ? inGit(program) : inClone(program, own),
      state === 'syncing' && source !== undefined
        ? `To change it in the cluster until the next sync, pause ${source.kind} ${escaped(source.name)}, and pass ${flags}: ${pauseCommand(source)}`
        : `Pass ${flags} to change it in the cluster until the next sync.`,
    ],
  }
}

/** Says what applies an object from Git. */
export function undoneMessage(name: ObjectName, {program, source, state}: GitSource): string {
  const applier = source === undefined ? program : `${source.kind} ${placed(source)} of ${program}`
  const where = source !== undefined && state === 'unread' ? ', which cannot be read in this cluster,' : ''
  return `${applier}${where} applies ${objectText(name)} from Git, and would undo a change in the cluster`
}

/** The command that makes a change in Git. */
export function inClone(program: string, command: string): string {
  return `In a clone of the repository that ${program} applies: ${command}`
}

function placed({name, namespace}: NonNullable<GitSource['source']>): string {
  return escaped(namespace === undefined ? name : `${namespace}/${name}`)
}

/** Reports whether a controller undoes an apply: it leaves alone what its files do not have, such as our annotations. */
export function isUndone(
  live: KubernetesObject,
  dryRun: DryRun,
  undone: Reason | undefined,
): undone is Reason {
  if (undone === undefined || dryRun.kind === 'rejected') return false
  return dryRun.kind === 'conflict' || !jsonEqual(contentOf(live), contentOf(dryRun.object))
}

function contentOf({metadata: _metadata, status: _status, ...content}: KubernetesObject) {
  return content
}

/** Rejects what a program applies from Git, where it is changed: a change in the cluster would be undone. */
function appliedFromGit(name: DesiredObject['name'], live: KubernetesObject): Reason | undefined {
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
