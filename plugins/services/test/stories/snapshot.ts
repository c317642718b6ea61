import {
  asObject,
  asObjects,
  asText,
  isJsonArray,
  type JsonObject,
  type JsonValue,
} from 'kubectl-crossplane/plugin'
import type {Kube} from '../../../../test/cluster/kube.js'
import type {ExternalSystem} from './external-system.js'
import {decoded} from './fancy-services.js'

/** What exists at a moment of a story, in the form of the recorded ones. */
export interface Seen {
  readonly objects: JsonObject
  readonly events: readonly string[]
  readonly calls: readonly string[]
  readonly external: JsonObject
  /** The objects for which a controller recorded so many Events that its client may have dropped others. */
  readonly eventful: readonly string[]
}

/** client-go drops the Events of one controller about an object after 25. */
const MANY_EVENTS = 20

/** What is read, and how. */
export interface SeeingPorts {
  readonly kube: Kube
  readonly system: Pick<ExternalSystem, 'calls' | 'instances'>
  readonly uids: Map<string, string>
  /** Of the lists of managed resources and classes, such as `?labelSelector=a=b`. */
  readonly query?: string
}

const FCP = '/apis/fcp.example.org/v1alpha3'
const MANAGED = ['favouritedbinstances', 'ambivalentdbinstances', 'plaindbinstances']

/** Sees what belongs to a story; `names` are those of all stories. */
export async function see(
  name: string,
  names: readonly string[],
  {kube, system, uids, query = ''}: SeeingPorts,
): Promise<Seen> {
  const list = async (path: string) => asObjects((await kube.send('GET', path)).body.items)
  const isOurs = (text: string) => ownerOf(text, names) === name
  const claims = await list(`/apis/database.example.org/v1alpha1/namespaces/${name}/fancysqlinstances`)
  const managed = (await Promise.all(MANAGED.map(plural => list(`${FCP}/${plural}${query}`)))).flat()
  const classes = (
    await Promise.all(MANAGED.map(plural => list(`${FCP}/${plural.replace(/s$/, 'classes')}${query}`)))
  ).flat()
  const secrets = (
    await Promise.all([name, `sys-${name}`].map(namespace => list(`/api/v1/namespaces/${namespace}/secrets`)))
  ).flat()
  const clean = cleaner(name, uids)
  const objects: readonly JsonObject[] = [
    ...claims.map(object => ({...object, kind: 'FancySQLInstance'})),
    ...[...managed, ...classes].filter(({metadata}) => isOurs(asText(asObject(metadata).name))),
    ...secrets.map(object => ({...object, kind: 'Secret'})),
  ]
  for (const {kind, metadata} of objects) {
    const {uid, name: own} = asObject(metadata)
    if (kind !== 'Secret') uids.set(asText(uid), `uid(${asText(kind)}/${shortened(asText(own), name)})`)
  }
  const shown = objects.filter(({kind}) => !asText(kind).endsWith('Class'))
  const events = await Promise.all(
    [name, `sys-${name}`, 'default'].map(namespace => list(`/api/v1/namespaces/${namespace}/events`)),
  )
  const own = events.flat().filter(({involvedObject, metadata}) => {
    const isCluster = asObject(metadata).namespace === 'default'
    return !isCluster || isOurs(asText(asObject(involvedObject).name))
  })
  return {
    objects: Object.fromEntries(shown.map(object => [keyOf(object, name, clean), contentOf(object, clean)])),
    events: [...new Set(own.map(event => eventText(event, clean)))],
    eventful: eventfulIn(own, clean),
    calls: [...new Set(system.calls.filter(call => isOurs(call.split(/[ :]/)[1] ?? '')).map(clean))],
    external: Object.fromEntries(
      [...system.instances]
        .filter(([key]) => isOurs(key))
        .map(([key, {state, level, version}]) => [clean(key), `${state} level ${level} version ${version}`]),
    ),
  }
}

/** The story that a name begins with: the longest, as some begin with others. */
function ownerOf(text: string, names: readonly string[]): string | undefined {
  const matching = names.filter(each => text === each || text.startsWith(`${each}-`))
  return matching.sort((a, b) => b.length - a.length)[0]
}

function shortened(text: string, story: string): string {
  return text.replace(new RegExp(`^(${story}-[a-z0-9]+)-[a-z0-9]{5}$`), '$1-xxxxx')
}

type Clean = (text: string) => string

function cleaner(story: string, uids: ReadonlyMap<string, string>): Clean {
  const managed = new RegExp(`(${story}-(?:db|one|two|three|four|five|six))-[a-z0-9]{5}\\b`, 'g')
  return text =>
    [...uids].reduce((all, [uid, name]) => all.replaceAll(uid, name), text).replace(managed, '$1-xxxxx')
}

function keyOf(object: JsonObject, story: string, clean: Clean): string {
  const {namespace, name} = asObject(object.metadata)
  const place = namespace === undefined || namespace === story ? '' : `${asText(namespace)}/`
  return `${asText(object.kind)}/${place}${clean(asText(name))}`
}

function contentOf(object: JsonObject, clean: Clean): JsonObject {
  const {metadata, spec, status, kind} = object
  const {annotations, labels, finalizers, ownerReferences, deletionTimestamp} = asObject(metadata)
  const {conditions, ...rest} = asObject(status)
  const parts: JsonObject = {
    ...(annotations === undefined ? {} : {annotations}),
    ...(labels === undefined ? {} : {labels}),
    ...(finalizers === undefined ? {} : {finalizers}),
    ...(ownerReferences === undefined ? {} : {ownerReferences: asObjects(ownerReferences).map(ownerText)}),
    ...(deletionTimestamp === undefined ? {} : {deleting: true}),
    ...(spec === undefined ? {} : {spec}),
    ...(kind === 'Secret' ? {type: object.type ?? '', data: decoded(object.data)} : {}),
    ...(status === undefined ? {} : {status: {...rest, conditions: conditionTexts(asObjects(conditions))}}),
  }
  return asObject(cleaned(parts, clean))
}

function conditionTexts(conditions: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(
    conditions.map(({type, status, reason, message}) => [
      asText(type),
      [status, reason, message].map(asText).filter(Boolean).join(' | '),
    ]),
  )
}

function ownerText({kind, name, controller, blockOwnerDeletion}: JsonObject): string {
  const block = blockOwnerDeletion === true ? ' block' : ''
  return `${asText(kind)}/${asText(name)}${controller === true ? ' controller' : ''}${block}`
}

function cleaned(value: JsonValue, clean: Clean): JsonValue {
  if (typeof value === 'string') return clean(value)
  if (isJsonArray(value)) return value.map(each => cleaned(each, clean))
  if (typeof value !== 'object' || value === null) return value
  const {kind, name, namespace, apiVersion, uid} = value
  const isReference = kind !== undefined && name !== undefined && apiVersion !== undefined
  if (isReference) {
    const place = namespace === undefined ? '' : `${asText(namespace)}/`
    return `${asText(kind)}/${place}${clean(asText(name))}${uid === undefined ? '' : ' +uid'}`
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [clean(key), cleaned(each, clean)]))
}

function eventfulIn(events: readonly JsonObject[], clean: Clean): readonly string[] {
  const counts = new Map<string, number>()
  for (const {involvedObject, source, count} of events) {
    const {kind, name} = asObject(involvedObject)
    const key = `${asText(kind)}/${clean(asText(name))} ${asText(asObject(source).component)}`
    counts.set(key, (counts.get(key) ?? 0) + Number(count ?? 1))
  }
  return [...counts].filter(([, count]) => count >= MANY_EVENTS).map(([key]) => key.replace(/ .*/, ''))
}

function eventText({type, reason, message, involvedObject, source}: JsonObject, clean: Clean): string {
  const {kind, name} = asObject(involvedObject)
  const component = asText(asObject(source).component).replace(/^connectionsecret\..*/, 'connectionsecret.*')
  const text = `${asText(type)} ${asText(reason)} ${asText(kind)}/${asText(name)}: ${asText(message)}`
  return `${clean(text)} [${component}]`
}
