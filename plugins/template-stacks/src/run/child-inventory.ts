import {
  asObject,
  asObjects,
  asText,
  CrossplaneError,
  type JsonObject,
  type KubernetesObject,
  type ObjectName,
  objectKey,
  writeJson,
} from 'kubectl-crossplane/plugin'
import {readYaml} from 'kubectl-crossplane/plugin'

/** An object of a custom resource. */
export interface ChildEntry extends ObjectName {
  /** Absent until it was applied. */
  readonly uid?: string
  /** The hashes of what was applied, and of the same fields as they were read back; none for Secrets. */
  readonly sent?: string
  readonly read?: string
}

/** The label of the ConfigMaps of one stack. */
export const STACK_LABEL = 'template-stacks.kubectl-crossplane.dev/stack'

const KEY = 'children'
/** An API server rejects a larger ConfigMap. */
const MAX_BYTES = 1_000_000

/** The name of the ConfigMap with the objects of a custom resource. */
export function inventoryName(parent: KubernetesObject, namespace: string): ObjectName {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace,
    name: `template-children-${asText(parent.metadata.uid)}`,
  }
}

/** Returns the ConfigMap that records objects, in the order in which they are applied. Throws `limit-exceeded`. */
export function inventoryMap(
  parent: KubernetesObject,
  children: readonly ChildEntry[],
  {namespace, name}: {readonly namespace: string; readonly name: string},
): KubernetesObject {
  const {apiVersion, kind, ...id} = inventoryName(parent, namespace)
  const {metadata} = parent
  const owner = {
    apiVersion: parent.apiVersion,
    kind: parent.kind,
    name: metadata.name,
    uid: asText(metadata.uid),
  }
  const text = writeJson({
    parent: metadata.namespace === undefined ? owner : {...owner, namespace: metadata.namespace},
    children: children.map(child => ({...child})),
  })
  if (text.length > MAX_BYTES) {
    const message = `cannot record the objects of ${parent.kind} ${metadata.name}: ${children.length} objects are too many`
    throw new CrossplaneError('limit-exceeded', message)
  }
  return {
    apiVersion,
    kind,
    metadata: {...id, labels: {[STACK_LABEL]: name.slice(0, 63)}},
    data: {[KEY]: text},
  }
}

/** Reads the objects of a ConfigMap; none from one that is not valid: nothing is deleted then that is not rendered. */
export function childrenIn(map: KubernetesObject | undefined): readonly ChildEntry[] {
  return asObjects(recordIn(map).children).flatMap(entryIn)
}

/** Reads the custom resource of a ConfigMap; undefined from one that is not valid. */
export function parentIn(map: KubernetesObject): ChildEntry | undefined {
  const [parent] = entryIn(asObject(recordIn(map).parent))
  return parent?.uid === undefined ? undefined : parent
}

function recordIn(map: KubernetesObject | undefined): JsonObject {
  const text = asText(asObject(map?.data)[KEY])
  if (text === '') return {}
  try {
    const [document] = readYaml(Buffer.from(text), 'inventory')
    return asObject(document?.value)
  } catch (error) {
    if (error instanceof CrossplaneError) return {}
    throw error
  }
}

function entryIn(fields: Readonly<Record<string, unknown>>): ChildEntry[] {
  const texts = Object.fromEntries(
    ['apiVersion', 'kind', 'namespace', 'name', 'uid', 'sent', 'read'].flatMap(key =>
      typeof fields[key] === 'string' && fields[key] !== '' ? [[key, fields[key]]] : [],
    ),
  )
  const {apiVersion, kind, name} = texts
  if (apiVersion === undefined || kind === undefined || name === undefined) return []
  return [{...texts, apiVersion, kind, name}]
}

/** Adds the objects that are not recorded yet. */
export function unionOf(
  recorded: readonly ChildEntry[],
  planned: readonly ChildEntry[],
): readonly ChildEntry[] {
  const keys = new Set(recorded.map(objectKey))
  return [...recorded, ...planned.filter(child => !keys.has(objectKey(child)))]
}

/** The recorded objects that are no longer rendered. */
export function leftOf(
  recorded: readonly ChildEntry[],
  planned: readonly ObjectName[],
): readonly ChildEntry[] {
  const keys = new Set(planned.map(objectKey))
  return recorded.filter(child => !keys.has(objectKey(child)))
}
