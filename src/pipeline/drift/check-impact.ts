import type {AcceptedImpact, Lock} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {CrossplaneError} from '../../errors.js'
import {count, listNames} from '../../text.js'
import type {CheckQuery} from './check-folder.js'
import type {LockBase} from '../home/lock-base.js'
import {type LockImpact, lockImpact, tagPackages} from '../impact/impact-gate.js'
import {readExistingLock, type RequestPorts} from '../request/read-request.js'

/** What a lock does to the objects of its declaration, compared with that of another commit. */
export interface CheckedImpact {
  /** The branch or revision that it is compared with. */
  readonly since: string
  /** Absent if no package of it changes. */
  readonly change?: LockImpact
  /** What the lock accepts. */
  readonly notes: readonly Diagnostic[]
}

/**
 * Judges what changes of a lock do to the objects that its declaration names; undefined if it names none and nothing requests it. Throws
 * as `lockBase` and `lockImpact` do, and `usage` if this is requested of a declaration that names no objects.
 */
export async function checkImpact(
  {declaration, lock, settings}: CheckQuery,
  {since, base}: {readonly since?: string; readonly base: () => Promise<LockBase>},
  ports: RequestPorts,
): Promise<CheckedImpact | undefined> {
  const {name, bytes} = await ports.inputs.read(declaration, '--declaration')
  if (readDeclaration(name, bytes).usage === undefined) {
    if (since === undefined) return undefined
    throw new CrossplaneError('usage', `--since requires usage.objects in ${declaration}`, {
      suggestions: ['Add usage with the paths of your objects to the declaration, or leave out --since.'],
    })
  }
  const before = await base()
  const {lock: after} = await readExistingLock(lock, ports.inputs)
  const request = {kind: 'declaration', file: declaration, settings} as const
  const change = await lockImpact({before: before.lock, after, request}, ports)
  const accepted = Object.entries(after.acceptedImpacts ?? {}).map(acceptedNote)
  const notes = [...baseNotes(before, lock.file), ...accepted]
  if (change !== undefined) return {since: before.name, change, notes: [...change.warnings, ...notes]}
  const unchanged = before.lock === undefined ? [] : [unchangedNote(before.name, before.lock, after)]
  return {since: before.name, notes: [...unchanged, ...notes]}
}

/** What is not compared must not pass in silence. */
function baseNotes({name, lock, movedFrom}: LockBase, file: string): readonly Diagnostic[] {
  if (lock === undefined) {
    const message = `${name} has no ${file}: the effects of its packages on objects are not judged`
    return [{severity: 'warning', rule: 'usage-impact', message}]
  }
  if (movedFrom === undefined) return []
  return [
    {severity: 'note', rule: 'usage-impact', message: `${file} is compared with ${movedFrom} of ${name}`},
  ]
}

function unchangedNote(since: string, before: Lock, after: Lock): Diagnostic {
  const names = tagPackages(before, after).map(({name}) => name)
  const others =
    names.length === 0 ? '' : `; without a digest, only the tag is compared of ${listNames(names)}`
  const message = `since ${since}, no package changes that objects can depend on${others}`
  return {severity: 'note', rule: 'usage-impact', message}
}

function acceptedNote([name, {from = 'nothing', to = 'nothing', findings}]: [
  string,
  AcceptedImpact,
]): Diagnostic {
  const message = `${name}: ${count(findings, 'effect')} of the change from ${from} to ${to} on objects accepted in the lock`
  return {severity: 'note', rule: 'impact-accepted', message}
}
