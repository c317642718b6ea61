import {asTexts, type KubernetesObject, type Outcome} from 'kubectl-crossplane/plugin'
import {applyObjects} from './apply-objects.js'
import {isDeleting} from './child-standing.js'
import {attempt, problemOf} from './pass-problem.js'
import {isOutdated, Pass, type PassPorts, type StackState} from './pass.js'
import {FINALIZER, removeObjects} from './remove-objects.js'
import {REPEATED, reportPass} from './report-pass.js'

/** Makes one pass over a custom resource: renders, applies, prunes and reports; or deletes its objects in their order. */
export async function reconcileResource(
  resource: KubernetesObject,
  state: StackState,
  ports: PassPorts,
): Promise<Outcome> {
  const hasFinalizer = asTexts(resource.metadata.finalizers).includes(FINALIZER)
  if (isDeleting(resource) && !hasFinalizer) return {result: 'success'}
  const pass = new Pass(resource, state, ports)
  const failure = await attempt(async () => {
    if (isDeleting(resource)) {
      await removeObjects(pass)
      return
    }
    // Before the first object: what is deleted later must be known.
    if (!hasFinalizer) await pass.setFinalizers(finalizers => [...finalizers, FINALIZER])
    await applyObjects(pass)
  })
  if (failure !== undefined) {
    if (isOutdated(failure)) return REPEATED
    pass.problems.push(problemOf(failure))
  }
  return await reportPass(pass)
}
