import type {ObjectName} from '../kubernetes/object-name.js'
import type {BreakId, Link} from './break-kinds.js'
import type {Drift} from './drift.js'
import type {Denial} from './health-snapshot.js'

/** The state of an install. `starting`: it is still making progress. `unknown`: something could not be read. */
export type HealthState = 'healthy' | 'starting' | 'broken' | 'unknown'

/** The health of one install. */
export interface Health {
  readonly state: HealthState
  /** Everything that is wrong or not ready, in the order of the links. The first break is the one to fix. */
  readonly findings: readonly Finding[]
  /** Missing permissions to read. */
  readonly denials: readonly Denial[]
  /** The differences of objects from their applied state, or of the install from a lock file. */
  readonly drift: readonly Drift[]
}

/** Something wrong with a link, or a link that is not ready yet. */
export type Finding = Break | Progress

/** The reason why an install is broken. */
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

/** The state that an install waits for. */
export interface Progress {
  readonly kind: 'progress'
  readonly link: Link
  readonly object?: ObjectName
  /** States the fact. */
  readonly message: string
}

/** The first broken link of an install. */
export function firstBreak({findings}: Pick<Health, 'findings'>): Break | undefined {
  return findings.find((finding): finding is Break => finding.kind === 'break')
}
