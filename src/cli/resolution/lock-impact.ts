import type {Lock} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {ReadRequest, RequestPorts} from '../../pipeline/request/read-request.js'
import type {RequestQuery} from '../../pipeline/request/request-query.js'
import {shellWord} from '../../text.js'
import {flagWords} from '../shell/flags/flag-words.js'

/** A lock that is to be written. */
interface NewLock {
  readonly query: RequestQuery
  readonly request: ReadRequest
  readonly before: Lock | undefined
  readonly after: Lock
}

interface LockImpactFlags {
  readonly upgrade?: readonly string[]
  readonly since?: string
  readonly 'accept-impact': boolean
  readonly 'lock-file'?: string
  readonly packages?: string
  readonly 'packages-base'?: string | readonly string[]
  readonly index?: readonly string[]
}

/** A lock, and what it does to the objects that its declaration names. */
export interface JudgedLock {
  readonly lock: Lock
  readonly notes: readonly Diagnostic[]
  /** Why it must not be written. */
  readonly rejections: readonly Diagnostic[]
}

/**
 * Judges what a new lock does to the objects that its declaration names. An upgrade stops; a lock of a declaration that was edited is
 * written, because its change is in review: effects are warnings. Throws as `lockImpact` and `withAccepted` do.
 */
export async function judgedLock(
  {query, request, before, after}: NewLock,
  flags: LockImpactFlags,
  ports: RequestPorts,
): Promise<JudgedLock> {
  const isAccepted = flags['accept-impact']
  if (query.kind !== 'declaration' || request.declaration?.content.usage === undefined) {
    if (isAccepted) throw withoutObjects()
    return {lock: after, notes: [], rejections: []}
  }
  // Loaded here: few declarations name objects.
  const {fileRejections, impactNotes, lockImpact, withAccepted} =
    await import('../../pipeline/impact/impact-gate.js')
  const former = flags.since === undefined ? before : await lockSince(query.file, flags.since, flags)
  const impact = await lockImpact({before: former, after, request: query}, ports)
  if (impact === undefined) return {lock: after, notes: [], rejections: []}
  const notes = impactNotes(impact)
  if (isAccepted) return {lock: withAccepted(after, impact), notes, rejections: []}
  const rejections = fileRejections(impact, query.file, impactCommand(query.file, flags))
  if (flags.upgrade !== undefined) return {lock: after, notes, rejections}
  const warnings = rejections.map(({suggestions: _unused, ...one}): Diagnostic => ({
    ...one,
    severity: 'warning',
  }))
  return {lock: after, notes: [...notes, ...warnings], rejections: []}
}

async function lockSince(
  declaration: string,
  since: string,
  flags: Pick<LockImpactFlags, 'lock-file'>,
): Promise<Lock | undefined> {
  const {lockBaseOf} = await import('../compare/checked-impact.js')
  const {lockPath} = await import('../declaration/lock-query.js')
  const lock = {file: lockPath({declaration, ...flags})}
  return (await lockBaseOf({declaration, lock}, since)).lock
}

function impactCommand(declaration: string, flags: LockImpactFlags): string {
  const words = [
    ...(flags.upgrade ?? []).filter(name => name !== ''),
    ...['--declaration', declaration],
    ...flagWords(flags, ['lock-file', 'packages', 'packages-base', 'index']),
  ]
  return ['kubectl crossplane package impact', ...words.map(shellWord)].join(' ')
}

function withoutObjects(): CrossplaneError {
  return new CrossplaneError('usage', '--accept-impact requires a declaration with usage.objects', {
    suggestions: ['Leave out --accept-impact.'],
  })
}

/** Throws `output-refused` for a lock that breaks objects. */
export function expectLockable({rejections}: Pick<JudgedLock, 'rejections'>, name: string): void {
  if (rejections.length === 0) return
  throw new CrossplaneError('output-refused', `cannot write ${name}: it breaks objects of the declaration`, {
    diagnostics: rejections.map(({suggestions: _atTheEnd, ...diagnostic}) => diagnostic),
    suggestions: rejections[0]?.suggestions ?? [],
  })
}
