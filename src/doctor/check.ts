import type {CrossplaneError} from '../errors.js'
import {present} from '../present.js'

/** The ID of a check. */
export type CheckId =
  | 'plugin' // other plugins of kubectl whose names begin as that of this program
  | 'kubectl'
  | 'node'
  | 'context' // the kubeconfig and its context
  | 'server' // the API server
  | 'permissions' // the permissions that an install requires
  | 'package-api' // the API of package records
  | 'manager' // the original package manager
  | 'lease' // locks of runs that ended without releasing them
  | 'install' // installs whose last change was not completed
  | 'witness' // inventories that do not count
  | 'crd' // CRDs that uninstalls and upgrades left behind
  | 'core-lock' // the Lock of a current Crossplane
  | 'package' // packages for a current Crossplane that do not work
  | 'declaration' // the declaration of the working folder
  | 'registry'
  | 'index'
  | 'cache'

/** The outcome of a check; `skipped` if it could not be made. */
export type CheckState = 'ok' | 'warning' | 'broken' | 'skipped'

/** The result of one check. */
export interface Check {
  readonly id: CheckId
  readonly state: CheckState
  /** States what was found. */
  readonly message: string
  /** The next step, if there is one: a sentence, or a command that can be pasted. */
  readonly suggestion?: string
}

/** Creates the result of a check without anything to do. */
export function okCheck(id: CheckId, message: string): Check {
  return {id, state: 'ok', message}
}

/** Creates the result of a check that could not be made. */
export function skippedCheck(id: CheckId, message: string, suggestion?: string): Check {
  return {id, state: 'skipped', message, ...present({suggestion})}
}

/** Creates the result of a check from the failure that ended it. */
export function failedCheck(
  id: CheckId,
  {message, suggestions: [suggestion]}: Pick<CrossplaneError, 'message' | 'suggestions'>,
  state: CheckState = 'broken',
): Check {
  return {id, state, message, ...present({suggestion})}
}

/** Reports whether a check found something that does not work. */
export function isBroken({state}: Check): boolean {
  return state === 'broken'
}
