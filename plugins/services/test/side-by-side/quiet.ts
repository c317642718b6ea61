import {asObject, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import {valueAt} from '../stories/fancy-services.js'
import type {Seen} from '../stories/snapshot.js'

/** What the steps of a scenario let fail at a snapshot. */
export type Failing = 'nothing' | 'update' | 'delete' | 'outage'

const FAILED = {update: 'update failed: boom', delete: 'delete failed: boom'}

/** Returns the managed resource of a scenario, and its key. */
export function managedIn(objects: JsonObject): readonly [string, JsonObject] | undefined {
  const entry = Object.entries(objects).find(([key]) => key.startsWith('FavouriteDBInstance/'))
  return entry && [entry[0], asObject(entry[1])]
}

/**
 * Whether all has happened on a side that follows from the steps so far. Two sides on which some of it is still to come can be
 * equal by chance, and then a next step meets different states.
 */
export function isQuiet({objects, external}: Seen, failing: Failing, passwords: readonly string[]): boolean {
  const [, managed] = managedIn(objects) ?? []
  const [state] = Object.values(external).map(asText)
  if (managed === undefined) return state === undefined
  if (managed.deleting === true) return failing === 'delete' && isSynced(managed, FAILED.delete)
  return state !== undefined && isKept(managed, state, failing) && hasPasswords(objects, passwords)
}

/** Whether an external resource is as requested, and its state as reported. */
function isKept(managed: JsonObject, state: string, failing: Failing): boolean {
  if (failing === 'update') return isSynced(managed, FAILED.update)
  const level = JSON.stringify(valueAt(managed, 'spec.forProvider.fancinessLevel'))
  const isReady = conditionIn(managed, 'Ready')?.startsWith('True') === true
  const isAsReported = isReady === state.startsWith('ONLINE') && isReady === (failing !== 'outage')
  return state.includes(` level ${level} `) && isSynced(managed, 'True') && isAsReported
}

function isSynced(managed: JsonObject, text: string): boolean {
  return conditionIn(managed, 'Synced')?.includes(text) === true
}

function conditionIn(object: JsonObject, type: string): string | undefined {
  const condition = asObject(asObject(object.status).conditions)[type]
  return typeof condition === 'string' ? condition : undefined
}

/** Whether secrets have the passwords that the external system reports, and claims what their managed resources have. */
function hasPasswords(objects: JsonObject, passwords: readonly string[]): boolean {
  const secrets = Object.entries(objects).filter(([key]) => key.startsWith('Secret/'))
  return secrets.every(([, secret]) => {
    const {password, more} = asObject(asObject(secret).data)
    return more === undefined && passwords.every(each => each === '' || each === password)
  })
}

/**
 * Whether crossplane-runtime can no longer release a claim: its status write met a conflict after the reference to the claim was
 * removed, and from then on it refuses.
 */
export function isLost({objects}: Seen): boolean {
  const claim = asObject(objects['FancySQLInstance/db'])
  const isRefused = conditionIn(claim, 'Synced')?.includes("refusing to 'unbind'") === true
  return claim.deleting === true && isRefused && managedIn(objects) !== undefined
}
