import {
  asText,
  contentOf,
  type KubernetesObject,
  nameOf,
  objectKey,
  objectText,
  overwrittenFields,
  overwrittenText,
  readHash,
  setByOthers,
  sha256Of,
  writeJson,
} from 'kubectl-crossplane/plugin'
import {type ChildEntry, leftOf, unionOf} from './child-inventory.js'
import {isDeleting, isKept, objectionToApply, objectionToDelete} from './child-standing.js'
import {attempt, problemOf} from './pass-problem.js'
import type {Pass} from './pass.js'

/** Applies what is rendered, then deletes what is no longer. */
export async function applyObjects(pass: Pass): Promise<void> {
  if ('problem' in pass.state) {
    pass.problems.push(pass.state.problem)
    return
  }
  const recorded = await pass.recorded()
  const {objects, status, failures} = await pass.render(pass.state.stack, recorded)
  pass.setFields(status)
  for (const {message} of failures) pass.problems.push({reason: 'TemplateError', message})
  const planned = objects.map(({object}) => object)
  const union = unionOf(recorded, planned.map(nameOf))
  if (union.length > recorded.length) await pass.record(union)
  const entries: ChildEntry[] = []
  for (const object of planned) entries.push(await applyOne(object, recorded, pass))
  const left = leftOf(recorded, planned.map(nameOf))
  // Nothing is known of the object of a failed template, nor of what should replace an object that is no longer rendered.
  const kept = pass.problems.length > 0 ? left : await prune(left, pass)
  const after = [...entries, ...kept]
  if (JSON.stringify(union) !== JSON.stringify(after)) await pass.record(after)
}

/** Applies an object unless it is as it was applied last; returns what to record. */
async function applyOne(
  object: KubernetesObject,
  recorded: readonly ChildEntry[],
  pass: Pass,
): Promise<ChildEntry> {
  const key = objectKey(nameOf(object))
  const last = pass.remembered.secrets?.get(key) ?? recorded.find(entry => objectKey(entry) === key)
  let entry: ChildEntry = last ?? nameOf(object)
  const failure = await attempt(async () => {
    entry = await applied(object, entry, pass)
  })
  if (failure !== undefined) pass.problems.push(problemOf(failure))
  return isSecret(object) ? keptInMemory(entry, pass) : entry
}

async function applied(object: KubernetesObject, last: ChildEntry, pass: Pass): Promise<ChildEntry> {
  const name = nameOf(object)
  const {children, writes} = pass.ports
  const live = await children.find(name, pass.resource)
  const objection = live && objectionToApply(live, pass.family)
  if (objection !== undefined) {
    pass.problems.push({reason: 'NotOwned', message: `cannot apply ${objectText(name)}: ${objection}`})
    return last
  }
  if (live !== undefined && isAsApplied(live, object, last)) {
    writes.keep()
    return last
  }
  const written = await writes.apply(object, live)
  pass.applied(written)
  const entry = {
    ...name,
    uid: asText(written.metadata.uid),
    sent: sha256Of(writeJson(object)),
    read: readHash(written, object),
  }
  const taken = takenBack({live, written}, {last, entry}, pass.family.manager)
  if (taken !== '') await pass.event('Normal', 'DriftCorrected', `${objectText(name)}${taken}`)
  return entry
}

/** Describes what others did to an object since it was applied, and is undone; of one that is rendered otherwise now, the fields that they set. */
function takenBack(
  {live, written}: {readonly live: KubernetesObject | undefined; readonly written: KubernetesObject},
  {last, entry}: {readonly last: ChildEntry; readonly entry: ChildEntry},
  manager: string,
): string {
  if (last.uid === undefined) return ''
  if (live === undefined) return ' restored'
  const fields = overwrittenFields(live, {before: contentOf(live), after: contentOf(written)}, manager)
  const isSame = last.sent === entry.sent
  const text = overwrittenText(isSame ? fields : setByOthers(fields))
  return text === '' ? '' : `: ${text}`
}

/** Whether an object still has what was applied last, and that is what is to be applied. */
function isAsApplied(
  live: KubernetesObject,
  object: KubernetesObject,
  {uid, sent, read}: ChildEntry,
): boolean {
  if (uid !== live.metadata.uid) return false
  return sent === sha256Of(writeJson(object)) && read === readHash(live, object)
}

function isSecret({apiVersion, kind}: KubernetesObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret'
}

/** Returns what to record of a Secret. */
function keptInMemory(entry: ChildEntry, pass: Pass): ChildEntry {
  pass.remember({secrets: new Map(pass.remembered.secrets).set(objectKey(entry), entry)})
  const {sent: _sent, read: _read, ...recorded} = entry
  return recorded
}

/** Deletes what is no longer rendered; returns what exists still. */
async function prune(left: readonly ChildEntry[], pass: Pass): Promise<readonly ChildEntry[]> {
  const kept: ChildEntry[] = []
  for (const entry of left) {
    const live = await pass.ports.children.find(entry, pass.resource)
    if (live === undefined) continue
    const objection = objectionToDelete(live, entry, pass.family)
    if (objection === undefined) {
      kept.push(entry)
      if (!isKept(live)) await pruneOne(live, pass)
    } else {
      await pass.leave(entry, objection)
    }
  }
  return kept
}

async function pruneOne(live: KubernetesObject, pass: Pass): Promise<void> {
  const name = objectText(nameOf(live))
  pass.waitFor(`waiting for the deletion of ${name}`)
  if (isDeleting(live)) return
  const why = 'it is no longer rendered'
  await pass.ports.writes.remove(live, why)
  await pass.event('Normal', 'Pruned', `deleted ${name}: ${why}`)
}
