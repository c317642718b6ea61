import type {ObjectName} from '../kubernetes/object-name.js'
import type {BreakId, Link} from './break-kinds.js'
import type {Drift} from './drift.js'
import type {Denial} from './health-snapshot.js'

/** Whether an install works. `starting`: it is still making progress. `unknown`: something could not be read. */
export type HealthState = 'healthy' | 'starting' | 'broken' | 'unknown'

/** The health of one install. */
export interface Health {
  readonly state: HealthState
  /** Everything that is wrong or not ready, in the order of the links. The first break is the one to fix. */
  readonly findings: readonly Finding[]
  /** What could not be read. */
  readonly denials: readonly Denial[]
  /** How objects differ from what was applied, or the install from a lock. */
  readonly drift: readonly Drift[]
}

/** Something wrong with a link, or a link that is not ready yet. */
export type Finding = Break | Progress

/** Why an install is broken. */
export interface Break {
  readonly kind: 'break'
  readonly id: BreakId
  readonly link: Link
  readonly object?: ObjectName
  /** States the fact. */
  readonly message: string
  /** A command, or a sentence. */
  readonly suggestion: string
}

/** What an install waits for. */
export interface Progress {
  readonly kind: 'progress'
  readonly link: Link
  readonly object?: ObjectName
  /** States the fact. */
  readonly message: string
}

/** The first broken link of an install. */
export function firstBreak({findings}: Pick<Health, 'findings'>): Break | undefined {
  return findings.find((each): each is Break => each.kind === 'break')
}
