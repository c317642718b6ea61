import {asText, type KubernetesObject} from 'kubectl-crossplane/plugin'

/** A request that was found ready, and of which nothing has changed since. Times are in milliseconds. */
interface FoundReady {
  readonly since: number
  /** How long no pass is needed. */
  readonly lasts: number
}

/**
 * What passes together with others mean for those over a request itself. `installing`: it is being installed with others.
 * `checking`: a pass is looking at it, and a change means another one. `alone`: it needs passes of its own.
 */
export type JointState = 'installing' | 'checking' | 'alone' | FoundReady

/** The part of the ports of passes that has these states. */
export interface JointPorts {
  /** By uid. */
  readonly joint: Map<string, JointState>
  /** In the format of Kubernetes. */
  readonly now: () => string
}

/** What has changed since a pass began: it may have read what was there before. */
export interface ChangesSince {
  /** Reports whether a request, or what belongs to it, has changed. */
  readonly hasChanged: (request: KubernetesObject) => boolean
  /** Reports whether a request itself was edited. */
  readonly wasEdited: (request: KubernetesObject) => boolean
}

/** The number of the last change of each request, and of what belongs to it. */
export class Changes {
  #last = 0
  #ofAll = 0
  readonly #of = new Map<string, {readonly any: number; readonly edit: number}>()

  note(uid: string, isEdit: boolean): void {
    const any = ++this.#last
    this.#of.set(uid, {any, edit: isEdit ? any : (this.#of.get(uid)?.edit ?? 0)})
  }

  noteAll(): void {
    this.#ofAll = ++this.#last
  }

  forget(uid: string): void {
    this.#of.delete(uid)
  }

  /** Begins a pass. */
  fromNow(): ChangesSince {
    const start = this.#last
    const isSince = (request: KubernetesObject, kind: 'any' | 'edit') =>
      Math.max(this.#ofAll, this.#of.get(asText(request.metadata.uid))?.[kind] ?? 0) > start
    return {
      hasChanged: request => isSince(request, 'any'),
      wasEdited: request => isSince(request, 'edit'),
    }
  }
}

/** A tag that moved, and a registry that got a package, are noticed within this time. */
export const RESYNC = 3_600_000
/** By then, the objects that were just applied have changed for the last time. */
const LATER = 30_000
/** What is found ready then waits no longer for others that are being installed. */
const LATEST = 300_000

/** Reports whether a request was found ready, and has not changed since. */
export function isFoundReady(state: JointState | undefined): state is FoundReady {
  return typeof state === 'object'
}

/** A request that was just installed with others. */
export function installedAt(since: number): FoundReady {
  return {since, lasts: LATER}
}

/** A request that a pass has just found as it should be. */
export function checkedAt(since: number): FoundReady {
  return {since, lasts: RESYNC}
}

/** Remembers a change of a request, or of what belongs to it: what was found before no longer counts. */
export function mustPass({joint}: Pick<JointPorts, 'joint'>, {metadata}: KubernetesObject): void {
  const uid = asText(metadata.uid)
  const state = joint.get(uid)
  if (isFoundReady(state) || state === 'checking') joint.set(uid, 'alone')
}

/** Remembers that something changed for all requests: those that were found ready can be looked at together. */
export function allMustPass({joint}: Pick<JointPorts, 'joint'>): void {
  for (const [uid, state] of joint) {
    if (isFoundReady(state)) joint.delete(uid)
    else if (state === 'checking') joint.set(uid, 'alone')
  }
}

/**
 * Returns the milliseconds for which a pass over a request that stays can wait, and read nothing: it is in a pass with others, or
 * was found ready. Requests that are not installed yet come first then; undefined if it is due.
 */
export function untilOwnPass({metadata}: KubernetesObject, {joint, now}: JointPorts): number | undefined {
  const state = joint.get(asText(metadata.uid))
  if (state === undefined || state === 'alone' || metadata.deletionTimestamp !== undefined) return undefined
  if (!isFoundReady(state)) return LATER
  const age = Math.max(0, Date.parse(now()) - state.since)
  if (age < state.lasts) return state.lasts - age
  return age < LATEST && [...joint.values()].includes('installing') ? LATER : undefined
}

/** Reports whether a request can be looked at with one that is due: so they are due together the next time. */
export function canBeChecked({metadata}: KubernetesObject, {joint, now}: JointPorts): boolean {
  const state = joint.get(asText(metadata.uid))
  return state === undefined || (isFoundReady(state) && Date.parse(now()) - state.since >= LATER)
}
