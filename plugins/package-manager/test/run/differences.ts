import {
  asObject,
  asObjects,
  asText,
  type JsonObject,
  type JsonValue,
  readYaml,
} from 'kubectl-crossplane/plugin'
import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {accepted} from '../../../../test/cluster/kube.js'
import {runCli} from '../../../../test/run-cli.js'

/** The field manager of everything that is rendered. */
const CONTENT = 'kubectl-crossplane'
/** What others add to it: the claims of installs, and the witness of their inventories. */
const ADDED = /^\.f:metadata\.(?:f:labels\.f:parent\.|f:annotations\.f:kubectl-crossplane\/witness)/

/**
 * Returns how objects in a cluster differ from what `package render` prints for a request, by their fields: those that
 * change if it is applied, and those that this program sets besides, other than claims and witness.
 */
export async function differences(
  {kube}: TestCluster,
  {reference, object}: {readonly reference: string; readonly object: JsonObject},
  flags: readonly string[],
): Promise<{readonly count: number; readonly texts: readonly string[]}> {
  const {name, namespace} = asObject(object.metadata)
  const {stdout, stderr, status} = await runCli(
    ...['package', 'render', reference, asText(name), '--namespace', asText(namespace)],
    ...['--no-dependencies', ...flags],
  )
  if (status !== 0) throw new Error(stderr)
  const rendered = readYaml(Buffer.from(stdout), 'rendered').map(({value}) => asObject(value))
  const texts: string[] = []
  for (const each of rendered) {
    const changes = await changesBy(each, kube)
    texts.push(...changes.map(path => `${asText(each.kind)} ${asText(asObject(each.metadata).name)}${path}`))
  }
  return {count: rendered.length, texts}
}

async function changesBy(rendered: JsonObject, kube: TestCluster['kube']): Promise<readonly string[]> {
  const live = await kube.get(rendered)
  if (live.code === 404) return [' does not exist']
  const applied = await kube.apply(rendered, {force: true, dryRun: true, manager: CONTENT})
  // A role binding of another version has another role, which cannot be changed.
  if (applied.code === 422) return [` ${asText(applied.body.message)}`]
  return [...changesOf(accepted(live), accepted(applied)), ...addedTo(live.body)]
}

/** What differs between two versions of an object, besides what the server writes. */
function changesOf(before: JsonObject, after: JsonObject): readonly string[] {
  const [fields, others] = [before, after].map(object => {
    const {managedFields: _, resourceVersion: __, generation: ___, ...metadata} = asObject(object.metadata)
    return fieldsOf({...object, metadata})
  }) as [ReadonlyMap<string, string>, ReadonlyMap<string, string>]
  return [...new Set([...fields.keys(), ...others.keys()])].filter(
    path => fields.get(path) !== others.get(path),
  )
}

/** The fields that this program sets under other names than that of the content. */
function addedTo({metadata}: JsonObject): readonly string[] {
  return asObjects(asObject(metadata).managedFields)
    .filter(({manager}) => asText(manager).startsWith(CONTENT) && manager !== CONTENT)
    .flatMap(({fieldsV1}) => [...fieldsOf(asObject(fieldsV1)).keys()])
    .filter(path => !ADDED.test(path))
}

/** The scalars of an object, and its empty lists and objects, by their paths. */
function fieldsOf(object: JsonObject): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  const add = (path: string, value: JsonValue | undefined): void => {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    if (entries.length === 0) fields.set(path, JSON.stringify(value))
    for (const [key, each] of entries) add(`${path}.${key}`, each)
  }
  add('', object)
  return fields
}
