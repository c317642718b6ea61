import {
  asObject,
  asTexts,
  isJsonObject,
  jsonEqual,
  type JsonObject,
  type JsonValue,
  type ObjectName,
  quoted,
} from 'kubectl-crossplane/plugin'
import {CREATING} from '../model/conditions.js'
import type {ConnectionDetails} from '../model/details.js'
import {EXTERNAL_NAME, MANAGED_FINALIZER} from '../model/names.js'
import type {Verdict} from '../model/verdict.js'
import type {ExternalClient, Observation} from '../services.js'
import type {ManagedPass} from './managed-pass.js'
import {named} from './observe-external.js'
import {publishDetails, readDetails, storedDetails} from './publish-details.js'
import {step, success} from './step.js'

/** Creates the external resource, or updates it to what the managed resource requests. */
export async function keepExternal(
  pass: ManagedPass,
  client: ExternalClient,
  observation: Observation,
): Promise<Verdict> {
  await initialize(pass, observation)
  const generated = observation.exists ? {} : await generatedFor(pass)
  await publish(pass, {...generated, ...observation.details})
  await claimName(pass, observation)
  if (!observation.exists) return await create(pass, client, generated)
  if (observation.isUpToDate === false) return await update(pass, client)
  const {short, long} = pass.ports.waits
  return success(pass, pass.ready === CREATING ? short : long)
}

/** Stores resolved references and selected values; rejects what belongs to others. */
async function initialize(pass: ManagedPass, {exists, lateInitialized}: Observation): Promise<void> {
  const {metadata} = pass.managed
  const isOurs = asTexts(metadata.finalizers).includes(MANAGED_FINALIZER)
  if (exists && !isOurs && metadata.annotations?.[EXTERNAL_NAME] === undefined) {
    pass.report(undefined, {})
    await step(pass, {reason: 'CannotCreateExternalResource', prefix: 'create failed: '}, () => {
      const text = `external resource ${quoted(metadata.name)} already exists; the annotation ${EXTERNAL_NAME} adopts it`
      return Promise.reject(new Error(text))
    })
  }
  const {call, provider, store} = pass.ports
  const get = async (object: ObjectName) => await store.get(object)
  const resolved =
    provider.resolveReferences === undefined
      ? undefined
      : await step(pass, {reason: 'CannotResolveResourceReferences'}, () =>
          call(async limits => await provider.resolveReferences?.(named(pass.managed), {...limits, get})),
        )
  const before = asObject(asObject(pass.managed.spec).forProvider)
  await setParameters(pass, {...absentIn(before, lateInitialized ?? {}), ...resolved})
}

/** The fields that an object does not have, also in the objects in it: what users set, stays. */
function absentIn(before: JsonObject, values: JsonObject): JsonObject {
  const fields = Object.entries(values).flatMap(([key, value]): [string, JsonValue][] => {
    const own = before[key]
    if (own === undefined) return [[key, value]]
    if (!isJsonObject(own) || !isJsonObject(value)) return []
    const rest = absentIn(own, value)
    return Object.keys(rest).length === 0 ? [] : [[key, rest]]
  })
  return Object.fromEntries(fields)
}

async function setParameters(pass: ManagedPass, parameters: JsonObject): Promise<void> {
  const before = asObject(asObject(pass.managed.spec).forProvider)
  const changed = Object.entries(parameters).filter(([key, value]) => !jsonEqual(before[key], value))
  if (changed.length === 0) return
  await pass.change({spec: {forProvider: Object.fromEntries(changed)}})
}

/** What an earlier pass generated is used again: the external resource may exist with it. */
async function generatedFor(pass: ManagedPass): Promise<Readonly<Record<string, string>>> {
  const {managed, ports} = pass
  const generated = ports.provider.generate?.(named(managed)) ?? {}
  const stored = await storedDetails(pass)
  const keys = Object.keys(generated)
  const result: Readonly<Record<string, string>> = Object.fromEntries(
    keys.map(key => [key, textOf(stored[key] ?? generated[key] ?? '')]),
  )
  pass.hide(result)
  return result
}

/** Generated credentials are texts, also if they come from the secret. */
function textOf(value: string | Uint8Array): string {
  return Buffer.from(value).toString()
}

async function publish(pass: ManagedPass, details: ConnectionDetails): Promise<void> {
  pass.hide(details)
  await step(pass, {reason: 'CannotPublishConnectionDetails'}, () => publishDetails(pass, details))
}

/** The finalizer and the external name, in one write before anything is created: a name without it is that of a user. */
async function claimName(pass: ManagedPass, {exists}: Observation): Promise<void> {
  const {metadata} = pass.managed
  const finalizers = asTexts(metadata.finalizers)
  const isNamed = metadata.annotations?.[EXTERNAL_NAME] !== undefined
  // A write that changes nothing fails if the resource was deleted meanwhile: nothing may be created for it.
  if (exists && isNamed && finalizers.includes(MANAGED_FINALIZER)) return
  const added = finalizers.includes(MANAGED_FINALIZER) ? finalizers : [...finalizers, MANAGED_FINALIZER]
  const annotations: JsonObject = isNamed ? {} : {[EXTERNAL_NAME]: metadata.name}
  await pass.change({metadata: {finalizers: added, annotations}})
}

async function create(
  pass: ManagedPass,
  client: ExternalClient,
  generated: Readonly<Record<string, string>>,
): Promise<Verdict> {
  const {call, waits} = pass.ports
  pass.report(CREATING)
  const details = await step(pass, {reason: 'CannotCreateExternalResource', prefix: 'create failed: '}, () =>
    call(limits => client.create(pass.managed, generated, limits)),
  )
  await publish(pass, details)
  await pass.done('CreatedExternalResource')
  return success(pass, waits.short)
}

async function update(pass: ManagedPass, client: ExternalClient): Promise<Verdict> {
  const {call, waits} = pass.ports
  const details = await step(pass, {reason: 'CannotUpdateExternalResource', prefix: 'update failed: '}, () =>
    call(limits => client.update(pass.managed, {...limits, stored: () => readDetails(pass)})),
  )
  await publish(pass, details)
  await pass.done('UpdatedExternalResource')
  return success(pass, waits.long)
}
