import {CONTENT_MANAGER} from '../../cluster/claims.js'
import {shellWord} from '../../text.js'
import {isApplier} from './field-managers.js'
import type {ObjectDrift, Remedy, Side, TreeChange} from './sided-object.js'

/** The commands that restore a whole side, and what others need. */
export interface RemedyParts {
  /** Installs what the lock has. */
  readonly install?: string
  /** Reports whether installing rejects an object, since other programs created it. */
  readonly isForeign?: (object: ObjectDrift) => boolean
  /** Returns the command by which Flux or Argo CD applies an object from Git again; undefined for one that they do not apply. */
  readonly sync?: (object: ObjectDrift) => string | undefined
  /** Renders the lock to the folder of the tree. */
  readonly render?: string
  /** The files of the tree that were edited after they were rendered. */
  readonly edited?: ReadonlySet<string>
  /** Restores the lock that was committed before. */
  readonly restoreLock?: string
  /** The folder of the repository of the tree, or of its clone. */
  readonly repository?: string
  /** The branch of the tree, if it is not the current one. */
  readonly branch?: string
}

/** Returns the commands that bring back the sides of an object that differ: the cluster first, then the tree. */
export function remediesOf(object: ObjectDrift, parts: RemedyParts): readonly Remedy[] {
  const differing = new Set(object.differences.flatMap(({differs}) => differs))
  const commands: Readonly<Record<Side, readonly (string | undefined)[]>> = {
    cluster: [
      ...(isAddedOnly(object) ? [] : [parts.sync?.(object) ?? clusterCommand(object, parts)]),
      patchCommand(object),
    ],
    tree: [treeCommand(object, parts)],
    lock: [parts.restoreLock],
  }
  return (['cluster', 'tree', 'lock'] as const)
    .filter(side => differing.has(side))
    .flatMap(side => commands[side].flatMap(command => (command === undefined ? [] : [{side, command}])))
}

function isAddedOnly({differences}: ObjectDrift): boolean {
  return differences.every(({added}) => added !== undefined)
}

/** The command that removes what only the cluster has; the last item of a list first, since others move. */
function patchCommand({
  name: {apiVersion, kind, namespace, name},
  differences,
}: ObjectDrift): string | undefined {
  const pointers = differences.flatMap(({added}) => added ?? [])
  if (pointers.length === 0) return undefined
  const patch = pointers.toReversed().map(path => ({op: 'remove', path}))
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const resource = group === '' ? kind : `${kind}.${version}.${group}`
  const place = namespace === undefined ? [] : ['--namespace', namespace]
  const words = ['patch', resource, name, ...place, '--type', 'json', '--patch', JSON.stringify(patch)]
  return ['kubectl', ...words].map(shellWord).join(' ')
}

function clusterCommand(
  object: ObjectDrift,
  {install, isForeign, repository, branch = 'HEAD'}: RemedyParts,
): string | undefined {
  if (install !== undefined) return `${install}${takingOver(object, isForeign)}`
  const {name, path, presentOn, differences} = object
  if (path === undefined || repository === undefined) return undefined
  if (!presentOn.includes('tree')) return undefined
  const appliers = differences.flatMap(({managers}) => managers.filter(({manager}) => isApplier(manager)))
  const manager = appliers[0]?.manager ?? CONTENT_MANAGER
  const show = `git -C ${shellWord(repository)} show ${shellWord(`${branch}:${path}`)}`
  const namespace = name.namespace === undefined ? '' : ` --namespace ${shellWord(name.namespace)}`
  return `${show} | kubectl apply --server-side --force-conflicts --field-manager ${shellWord(manager)}${namespace} --filename -`
}

/** The flags without which the objects and fields of others stay as they are. */
function takingOver(object: ObjectDrift, isForeign: RemedyParts['isForeign']): string {
  const adopt = isForeign?.(object) === true ? ' --adopt' : ''
  return `${adopt}${hasConflict(object) ? ' --force-conflicts' : ''}`
}

/** A field that another manager owns is only applied by force. */
function hasConflict({differences}: ObjectDrift): boolean {
  return differences.some(({managers}) => managers.some(({manager}) => !isApplier(manager)))
}

/** Rendering does not overwrite what was edited by hand. */
function treeCommand(object: ObjectDrift, parts: RemedyParts): string | undefined {
  const {path = '', presentOn} = object
  const {render, repository, edited} = parts
  const revert = revertCommand(object, parts)
  if (edited?.has(path) !== true) return render ?? revert
  if (revert !== undefined || repository === undefined || presentOn.includes('lock')) return revert
  return `git -C ${shellWord(repository)} rm --quiet ${shellWord(path)}`
}

function revertCommand({differences}: ObjectDrift, {repository}: RemedyParts): string | undefined {
  const change = differences.map(({tree}) => tree).find(tree => tree?.isFirst === false)
  if (change === undefined || repository === undefined) return undefined
  return revertOf(change.commit, repository)
}

/** Returns the command that undoes a commit; of a merge, that is back to what the branch had before. */
export function revertOf({id, isMerge}: TreeChange['commit'], repository: string): string {
  const what = isMerge === true ? `--mainline 1 ${shellWord(id)}` : shellWord(id)
  return `git -C ${shellWord(repository)} revert --no-edit ${what}`
}
