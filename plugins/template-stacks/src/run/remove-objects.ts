import {type KubernetesObject, nameOf, objectText} from 'kubectl-crossplane/plugin'
import type {ChildEntry} from './child-inventory.js'
import {firstToDelete, isDeleting, objectionToDelete} from './child-standing.js'
import {attempt} from './pass-problem.js'
import type {Pass} from './pass.js'

/** The finalizer of the original controller. */
export const FINALIZER = 'templating-controller.crossplane.io'

const MAX_NAMED = 5

/**
 * Deletes the objects of the highest priority that exist, and waits for them; when there are none, the record and the
 * finalizer.
 */
export async function removeObjects(pass: Pass): Promise<void> {
  const recorded = await pass.recorded()
  const {existing, foreign} = await judged(await toDelete(recorded, pass), pass)
  if (existing.length > 0) {
    await removeFirst(existing, pass)
    return
  }
  // Objects that were never recorded are those of others.
  if (recorded.length > 0) for (const [entry, objection] of foreign) await pass.leave(entry, objection)
  await pass.removeRecord()
  await pass.setFinalizers(finalizers => finalizers.filter(name => name !== FINALIZER))
  pass.end()
}

interface Judged {
  readonly existing: readonly KubernetesObject[]
  /** Objects of others, with the reason why they stay. */
  readonly foreign: readonly (readonly [ChildEntry, string])[]
}

async function judged(entries: readonly ChildEntry[], pass: Pass): Promise<Judged> {
  const existing: KubernetesObject[] = []
  const foreign: (readonly [ChildEntry, string])[] = []
  for (const entry of entries) {
    const live = await pass.ports.children.find(entry, pass.resource)
    if (live === undefined) continue
    const objection = objectionToDelete(live, entry, pass.family)
    if (objection === undefined) existing.push(live)
    else foreign.push([entry, objection])
  }
  return {existing, foreign}
}

async function removeFirst(existing: readonly KubernetesObject[], pass: Pass): Promise<void> {
  const first = firstToDelete(existing)
  for (const live of first) {
    if (!isDeleting(live)) await pass.ports.writes.remove(live, 'its custom resource is deleted')
  }
  const names = first.slice(0, MAX_NAMED).map(live => objectText(nameOf(live)))
  const more = first.length > MAX_NAMED ? ` and ${first.length - MAX_NAMED} more` : ''
  pass.waitFor(`waiting for the deletion of ${names.join(', ')}${more}`)
}

/** The recorded objects, or those of an earlier controller that kept no record, if templates render. */
async function toDelete(recorded: readonly ChildEntry[], pass: Pass): Promise<readonly ChildEntry[]> {
  if (recorded.length > 0 || 'problem' in pass.state) return recorded
  const {stack} = pass.state
  let rendered: readonly ChildEntry[] = []
  await attempt(async () => {
    const {objects} = await pass.render(stack, [])
    rendered = objects.map(({object}) => nameOf(object))
  })
  return rendered
}
