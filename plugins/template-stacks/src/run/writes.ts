import {
  asText,
  type ClusterApi,
  type ClusterDiff,
  contentOf,
  jsonEqual,
  type JsonObject,
  type KubernetesObject,
  type Log,
  maskSecrets,
  nameOf,
  type ObjectDiff,
  objectText,
  recordEvent,
} from 'kubectl-crossplane/plugin'

import {takenOver} from './former-manager.js'

/** Port: the changes that a pass makes. */
export interface Writes {
  /** Applies an object; `live` is what exists. Returns it as the server has it. */
  apply(object: KubernetesObject, live: KubernetesObject | undefined): Promise<KubernetesObject>
  /** Takes note of an object that is as it was applied, and is not applied again. */
  keep(): void
  /** Deletes an object, if it is still this one, after the objects that it owns. */
  remove(live: KubernetesObject, why: string): Promise<void>
  /** Writes the record of the objects of a custom resource; undefined removes it. */
  record(map: KubernetesObject, isNeeded: boolean): Promise<KubernetesObject | undefined>
  /** Changes a custom resource, if it is still as it was read. */
  patch(resource: KubernetesObject, patch: JsonObject): Promise<KubernetesObject>
  /** Changes its status. */
  patchStatus(
    resource: KubernetesObject,
    status: JsonObject,
    hasSubresource: boolean,
  ): Promise<KubernetesObject>
  event(object: KubernetesObject, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void>
}

/** The ports of changes. */
export interface WritePorts {
  readonly api: ClusterApi
  readonly log: Log
  /** The field manager of the stack. */
  readonly manager: string
}

/** The name of the controller in Events, and as manager of the fields of custom resources. */
const COMPONENT = 'crossplane-templates'

/** Changes a cluster, and logs each change of an object. */
export function clusterWrites({api, log, manager}: WritePorts): Writes {
  const logged = (change: string, object: KubernetesObject) =>
    log({level: 'info', message: `${objectText(nameOf(object))} ${change}`})
  return {
    async apply(object, live) {
      const managedFields = live && takenOver(live, manager)
      if (live !== undefined && managedFields !== undefined) {
        const {resourceVersion = null} = live.metadata
        await api.mergePatch(nameOf(object), {metadata: {managedFields, resourceVersion}}, {manager})
      }
      const written = await api.apply(object, {manager, force: true})
      const isChanged =
        live === undefined || live.metadata.resourceVersion !== written.object.metadata.resourceVersion
      if (isChanged) logged(live === undefined ? 'created' : 'configured', object)
      return written.object
    },
    keep: () => undefined,
    async remove(live, why) {
      const uid = asText(live.metadata.uid)
      await api.delete(nameOf(live), {uid, propagation: 'Foreground'})
      logged(`deleted: ${why}`, live)
    },
    async record(map, isNeeded) {
      if (isNeeded) return (await api.apply(map, {manager, force: true})).object
      await api.delete(nameOf(map))
      return undefined
    },
    patch: async (resource, patch) => {
      const {resourceVersion = null} = resource.metadata
      const {metadata, ...others} = patch
      const unchanged = {...others, metadata: {...(metadata as JsonObject), resourceVersion}}
      return (await api.mergePatch(nameOf(resource), unchanged, {manager: COMPONENT})).object
    },
    patchStatus: async (resource, status, hasSubresource) => {
      const {resourceVersion = null} = resource.metadata
      const patch = {metadata: {resourceVersion}, status}
      const place = hasSubresource ? ({subresource: 'status'} as const) : {}
      return (await api.mergePatch(nameOf(resource), patch, {manager: COMPONENT, ...place})).object
    },
    event: async (object, type, reason, message) => {
      log({
        level: type === 'Warning' ? 'warning' : 'info',
        message: message === '' ? reason : message,
        fields: {object: objectText(nameOf(object)), reason},
      })
      await recordEvent({object, type, reason, message}, {api, log, component: COMPONENT})
    },
  }
}

/** Changes that are only shown, after a dry run by the server. */
export interface ShownWrites {
  readonly writes: Writes
  diff(): ClusterDiff
}

/** Changes nothing, and records what would change. */
export function shownWrites({api, manager}: Pick<WritePorts, 'api' | 'manager'>): ShownWrites {
  const objects: ObjectDiff[] = []
  let unchanged = 0
  const add = (object: KubernetesObject, diff: Omit<ObjectDiff, 'object'>) => {
    objects.push({...diff, object: nameOf(object), ...maskSecrets(diff)})
  }
  return {
    diff: () => ({objects, unchanged, rejections: []}),
    writes: {
      async apply(object, live) {
        const {object: result} = await api.apply(object, {manager, force: true, dryRun: true})
        const before = live && contentOf(live)
        const after = contentOf(result)
        if (jsonEqual(before, after)) unchanged += 1
        else if (before === undefined) add(object, {change: 'create', reason: 'it does not exist', after})
        else
          add(object, {change: 'update', reason: 'it differs from what the templates render', before, after})
        return result
      },
      keep: () => {
        unchanged += 1
      },
      remove: (live, reason) => {
        add(live, {change: 'delete', reason, before: contentOf(live)})
        return Promise.resolve()
      },
      record: map => Promise.resolve(map),
      patch: resource => Promise.resolve(resource),
      patchStatus: resource => Promise.resolve(resource),
      event: () => Promise.resolve(),
    },
  }
}
