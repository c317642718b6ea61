import {
  type ClusterDiff,
  type ControllerProcess,
  type Diagnostic,
  type KubernetesObject,
  nameOf,
  objectText,
  timeText,
} from 'kubectl-crossplane/plugin'
import type {Engine, Files} from '../engines/engine.js'
import {readChildren} from './children.js'
import type {ClusterFacts} from './cluster-facts.js'
import type {PassPorts} from './pass.js'
import {reconcileResource} from './reconcile-resource.js'
import {stackOf} from './stack.js'
import {clusterWrites, shownWrites} from './writes.js'

/** A single pass over all custom resources of a stack. */
export interface OnceQuery {
  readonly process: Pick<ControllerProcess, 'api' | 'clock' | 'log'>
  readonly engine: Engine
  readonly facts: ClusterFacts
  readonly definition: KubernetesObject
  readonly folder: Files | undefined
  /** Changes nothing, and compares instead. */
  readonly isDryRun: boolean
}

/** The result of a single pass. */
export interface OnceResult {
  /** The number of custom resources. */
  readonly count: number
  /** Custom resources whose pass failed. */
  readonly failures: readonly Diagnostic[]
  /** What would change; empty after changes. */
  readonly diff: ClusterDiff
}

/** Makes one pass over each custom resource of a stack. Throws the errors of the definition and of lists. */
export async function runOnce({
  process,
  engine,
  facts,
  definition,
  folder,
  isDryRun,
}: OnceQuery): Promise<OnceResult> {
  const {api, clock, log} = process
  const capabilities = await facts.capabilities()
  const stack = stackOf(definition, {
    ...(folder === undefined ? {} : {folder}),
    capabilities,
    scopeOf: facts.scopeOf,
  })
  const shown = shownWrites({api, manager: stack.manager})
  const failures: Diagnostic[] = []
  const ports: PassPorts = {
    children: readChildren(api),
    engine,
    memory: new Map(),
    writes: isDryRun ? shown.writes : clusterWrites({api, log, manager: stack.manager}),
    inventory: async map => await api.get(map),
    findKinds: () => facts.refresh(),
    hasStatus: async resource => (await api.resource(resource))?.hasStatus ?? true,
    seen: () => undefined,
    reported: (resource, {status, reason, message}) => {
      if (status === 'True') return
      const name = objectText(nameOf(resource))
      failures.push({severity: 'error', rule: reason, message: `${name}: ${message}`})
    },
    now: () => timeText(clock.now()),
  }
  let count = 0
  const place = stack.scope === 'Namespaced' ? {namespace: stack.namespace} : {}
  for (const kind of stack.kinds) {
    for await (const resource of api.list(kind, {...place, mustBeServed: true})) {
      count += 1
      await reconcileResource(resource, {stack}, ports)
    }
  }
  return {count, failures, diff: {...shown.diff(), rejections: failures}}
}
