import {
  type ClusterApi,
  type ClusterDiff,
  contentOf,
  jsonEqual,
  type JsonObject,
  type KubernetesObject,
  maskSecrets,
  mergePatched,
  nameOf,
  type ObjectDiff,
  objectKey,
  objectText,
  type Written,
} from 'kubectl-crossplane/plugin'

/** A client that changes nothing, and what it would have changed. */
export interface Recording {
  readonly api: ClusterApi
  /** Returns the differences; `count` is the number of objects that were looked at. */
  readonly diff: (count: number) => ClusterDiff
}

interface Change {
  readonly before?: KubernetesObject
  readonly after?: KubernetesObject
}

/** Wraps a client: the API server checks each change in a dry run, and later changes build on earlier ones. */
export function recordingApi(api: ClusterApi): Recording {
  const changes = new Map<string, Change>()
  const record = (object: KubernetesObject, change: Change) => {
    const first = changes.get(objectKey(nameOf(object)))
    changes.set(objectKey(nameOf(object)), first === undefined ? change : {...first, ...change})
  }
  return {
    api: {
      ...api,
      create: async (object, options) => {
        if (object.kind === 'Event') return resultOf(object, true)
        const result = await api.create(object, {...options, dryRun: true})
        if (result !== 'exists') record(object, {after: result.object})
        return result
      },
      mergePatch: async (name, patch, options) => {
        await api.mergePatch(name, patch, {...options, dryRun: true})
        const last = changes.get(objectKey(name))?.after
        const before = last ?? (await api.get(name))
        if (before === undefined) return await api.mergePatch(name, patch, {...options, dryRun: true})
        const after = mergePatched(before, patch) as KubernetesObject
        record(before, last === undefined ? {before, after} : {after})
        return resultOf(after, false)
      },
      delete: async (name, options) => {
        const before = await api.get(name)
        if (before !== undefined) changes.set(objectKey(name), {before})
        return await api.delete(name, {...options, dryRun: true})
      },
    },
    diff: count => diffOf([...changes.values()], count),
  }
}

function resultOf(object: KubernetesObject, created: boolean): Written {
  return {object, created, warnings: []}
}

function diffOf(changes: readonly Change[], count: number): ClusterDiff {
  const objects = changes.flatMap(differenceOf)
  const names = new Set(objects.map(({object}) => objectText(object)))
  return {objects, unchanged: Math.max(0, count - names.size), rejections: []}
}

function differenceOf({before, after}: Change): readonly ObjectDiff[] {
  const object = after ?? before
  if (object === undefined) return []
  const [last, next] = [before && shown(before), after && shown(after)]
  if (jsonEqual(last, next)) return []
  const change = before === undefined ? 'create' : after === undefined ? 'delete' : 'update'
  const contents = {
    ...(last === undefined ? {} : {before: last}),
    ...(next === undefined ? {} : {after: next}),
  }
  return [
    {object: nameOf(object), change, reason: 'a pass over the claims would do so', ...maskSecrets(contents)},
  ]
}

/** The status is what most passes change. */
function shown(object: KubernetesObject): JsonObject {
  const {status} = object
  return {...contentOf(object), ...(status === undefined ? {} : {status})}
}
