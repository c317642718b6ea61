import {
  asText,
  type KubernetesObject,
  type ClusterDiff,
  CrossplaneError,
  type Diagnostic,
  nameOf,
  objectText,
  type ObjectDiff,
  POLICY_MAP,
  sha256Of,
  writeJson,
} from 'kubectl-crossplane/plugin'
import {isAuto} from './dependencies.js'
import {installSettings} from './install-pass.js'
import {allMustPass} from './joint-state.js'
import {managerPolicy} from './manager-policy.js'
import {
  listRequests,
  listWrittenRecords,
  type Manager,
  NOT_SERVED,
  passPorts,
  servedKinds,
} from './pass-ports-of.js'
import {problemOf} from './problem.js'
import {reconcileRequest} from './reconcile-request.js'
import {isInstalled, lastState} from './request-status.js'
import {whyNotAllowed, whyNotServed} from './served-request.js'

/** The result of a pass over all requests. */
export interface OnceResult {
  readonly count: number
  /** The requests that were not fulfilled. */
  readonly failures: readonly Diagnostic[]
}

/** A request can create others, and what was waiting for one can be installed then. */
const ROUNDS = 10

/** Each round has all of them, as they are then. */
const NO_OTHERS = {
  wake: () => undefined,
  waits: () => undefined,
  hasChanged: () => false,
  wasEdited: () => false,
}

/** Makes passes over all requests until another would change nothing. */
export async function runOnce(manager: Manager, signal: AbortSignal): Promise<OnceResult> {
  await expectServed(manager)
  const ports = passPorts(manager, signal, NO_OTHERS)
  let before = ''
  for (let round = 0; round < ROUNDS && !signal.aborted; round++) {
    for (const request of await listAll(manager)) await reconcileRequest(request, ports)
    // The next round looks at those that were found ready again, instead of a later time.
    allMustPass(ports)
    const after = await stateOf(manager)
    if (after === before) break
    before = after
  }
  const requests = await listAll(manager)
  return {count: requests.length, failures: requests.flatMap(failureOf)}
}

/** What waits for Pods is not a failure, but a package of which nothing could be installed is one. */
function failureOf(request: KubernetesObject): readonly Diagnostic[] {
  const [synced, ready] = [lastState(request, 'Synced'), lastState(request, 'Ready')]
  const isMissing = ready.reason === 'WaitingForDependency' && !isInstalled(request)
  if (synced.status !== 'False' && !isMissing) return []
  const {reason, message} = synced.status === 'False' ? synced : ready
  const text = `${objectText(nameOf(request))}: ${asText(message)}`
  return [{severity: 'error', rule: asText(reason), message: text}]
}

async function stateOf(manager: Manager): Promise<string> {
  const requests = await listAll(manager)
  return sha256Of(
    writeJson(
      requests.map(({metadata, status = null}) => [metadata.uid ?? '', metadata.generation ?? 0, status]),
    ),
  )
}

/** The requests, and the records that users wrote in their place. */
async function listAll({process}: Pick<Manager, 'process'>): Promise<readonly KubernetesObject[]> {
  const requests = await listRequests(process)
  return [...requests, ...(await listWrittenRecords(process, requests))]
}

/** Without the kinds of requests, there is nothing to do, which is hardly what was wanted. */
async function expectServed({process}: Pick<Manager, 'process'>): Promise<void> {
  if ((await servedKinds(process.api)).length > 0) return
  throw new CrossplaneError('not-found', `cannot list requests: ${NOT_SERVED}`, {
    suggestions: ['Create the CRDs of the package API: "package render --with-package-api" prints them.'],
  })
}

/** Compares what one pass over all requests would change; changes nothing. */
export async function dryRun({installer, process, systemNamespace}: Manager): Promise<ClusterDiff> {
  await expectServed({process})
  const map = {apiVersion: 'v1', kind: 'ConfigMap', namespace: systemNamespace, name: POLICY_MAP}
  const place = {systemNamespace, policy: managerPolicy(await process.api.get(map))}
  const objects = new Map<string, ObjectDiff>()
  const rejections: Diagnostic[] = []
  let unchanged = 0
  for (const request of await listAll({process})) {
    if (isAuto(request) || request.metadata.deletionTimestamp !== undefined) continue
    const name = objectText(nameOf(request))
    const reject = ({reason, message}: {readonly reason: string; readonly message: string}) =>
      rejections.push({severity: 'error', rule: reason, message: `${name}: ${message}`})
    const refusal = whyNotServed(request, place)
    if (refusal !== undefined) {
      reject(refusal)
      continue
    }
    try {
      const change = await installer.planInstall([request], installSettings(false, place))
      const problem = whyNotAllowed(request, change, place)
      if (problem !== undefined) reject(problem)
      const diff = await change.diff()
      for (const each of diff.objects) objects.set(objectText(each.object), each)
      rejections.push(...diff.rejections)
      unchanged += diff.unchanged
    } catch (error) {
      reject(problemOf(error))
    }
  }
  return {objects: [...objects.values()], unchanged, rejections}
}
