import {randomBytes} from 'node:crypto'
import {asObject, asText, type KubernetesObject} from 'kubectl-crossplane/plugin'
import {hashOf} from './acl.js'

/** The details in a connection secret. */
type Stored = Readonly<Record<string, string>>

const OVERLAP_SECONDS = 300

/** The passwords that a server has to accept. */
export interface Passwords {
  readonly hashes: readonly string[]
  /** Whether the user gets a new one besides them. */
  readonly isNewDue: boolean
}

/** Returns a new password, and the rotation that it belongs to, as connection details. */
export function newPassword(managed: KubernetesObject): {password: string; rotation: string} {
  return {password: randomBytes(24).toString('base64url'), rotation: rotationOf(managed)}
}

/** Returns the same with what is required to accept the previous password for a time. */
export function nextPassword(managed: KubernetesObject, {password}: Stored, now: number): Stored {
  const previousHash = password === undefined ? '' : hashOf(password)
  return {...newPassword(managed), previousHash, rotatedAt: new Date(now).toISOString()}
}

/** Says which passwords have to be accepted. A rotation waits until the overlap of the one before is over. */
export function passwordsFor(managed: KubernetesObject, stored: Stored, now: number): Passwords {
  const {password, rotation = '', previousHash = '', rotatedAt = ''} = stored
  if (password === undefined) return {hashes: [], isNewDue: true}
  const {overlapSeconds = OVERLAP_SECONDS} = parametersOf(managed)
  const isOverlap = now < Date.parse(rotatedAt) + Number(overlapSeconds) * 1000
  return {
    hashes: [hashOf(password), ...(isOverlap && previousHash !== '' ? [previousHash] : [])],
    isNewDue: !isOverlap && rotation !== rotationOf(managed),
  }
}

/** Returns `spec.forProvider`. */
export function parametersOf({spec}: KubernetesObject) {
  return asObject(asObject(spec).forProvider)
}

function rotationOf(managed: KubernetesObject): string {
  return asText(parametersOf(managed).rotation)
}
