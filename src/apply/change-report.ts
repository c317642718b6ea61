import type {ObjectName} from '../kubernetes/object-name.js'

/** The change of an object. */
export type Change =
  | 'created'
  | 'configured'
  | 'unchanged'
  | 'replaced'
  | 'deleted'
  | 'claimed'
  | 'unclaimed'
  | 'migrated'

/** Takes each change as it is made. */
export type ReportChange = (change: Change, object: ObjectName) => void
