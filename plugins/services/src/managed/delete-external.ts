import {asText} from 'kubectl-crossplane/plugin'
import {DELETING} from '../model/conditions.js'
import type {Verdict} from '../model/verdict.js'
import type {ExternalClient, Observation} from '../services.js'
import type {ManagedPass} from './managed-pass.js'
import {named} from './observe-external.js'
import {step, success} from './step.js'

/** Without conditions: the managed resource can go. */
const GONE: Verdict = {conditions: [], outcome: {result: 'success'}}

/** Deletes the external resource of a deleted managed resource, by one call. */
export async function deleteExternal(
  pass: ManagedPass,
  client: ExternalClient,
  {exists}: Observation,
): Promise<Verdict> {
  const {managed, ports} = pass
  if (!exists) return GONE
  pass.report(DELETING)
  const uid = asText(managed.metadata.uid)
  if (ports.deleted.has(uid)) return success(pass, ports.waits.short)
  const reason = 'CannotDeleteExternalResource'
  await step(pass, {reason, prefix: 'delete failed: '}, () =>
    ports.call(limits => client.delete(named(managed), limits)),
  )
  ports.deleted.add(uid)
  await pass.done('DeletedExternalResource')
  return success(pass, SOON)
}

/** Most deletions are complete at once. */
const SOON = 200
