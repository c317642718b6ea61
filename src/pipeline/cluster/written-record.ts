import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../errors.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf, objectText} from '../../kubernetes/object-key.js'
import type {ObservedPackages} from '../../observe/installs/observe-packages.js'
import type {InstallOptions} from '../../plan/cluster/plan-install.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import {present} from '../../present.js'
import {type Era, recordEraOf} from '../../render/era.js'
import {recordId, scopeOf} from '../../render/expand-record.js'
import type {SetInstall, SetObject} from '../../render/install-set.js'
import {claimLabels, claimant} from '../../render/labels.js'
import {rejectWiderRules} from '../../render/own-rules.js'
import {renderRecord} from '../../render/render-install.js'
import {type InputFile, readWrittenInput} from '../../render/written-input.js'
import type {CrdObject} from '../../unpack/crds.js'
import {asObject, asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {type GivenChoices, renderChoices} from '../../package/given-choices.js'
import {crdsOfRecord} from '../../package/stack/find-crds.js'
import type {NotedSet} from '../../package/rendered-sets.js'
import {type InstallChange, type InstallPorts, prepareSet} from './install.js'

/** A query for the install that a record of a cluster describes, which a user wrote instead of a request. */
export interface RecordQuery {
  readonly record: KubernetesObject
  readonly choices: GivenChoices
  readonly options: InstallOptions
}

/** The parts of an install that decide whether a record describes it. */
type Described = Pick<SetInstall, 'namespace' | 'name' | 'era' | 'package'> & {readonly request?: unknown}

/**
 * Plans the objects of a record that a user wrote. The record itself stays as it is, and so do the CRDs that it names, which
 * get its claim. Throws `conflict` for what belongs to another install, `unresolvable` for a CRD that does not exist,
 * `permissions-refused`, `input-invalid`.
 */
export async function prepareRecord(
  {record, choices, options}: RecordQuery,
  ports: InstallPorts,
): Promise<InstallChange> {
  const setOf = async ({inventories}: Pick<ObservedPackages, 'inventories'>) => {
    rejectOther(
      record,
      inventories.map(({install}) => install),
    )
    return await recordSet(record, choices, ports.api)
  }
  return await prepareSet({options, places: new Set()}, ports, setOf)
}

/** Reports whether an install was made of a record without a request; it has the name of that record. */
export function isOfRecord({era, package: selected, request}: Described, record: KubernetesObject): boolean {
  return selected === undefined && request === undefined && era === recordEraOf(record)?.name
}

function rejectOther(record: KubernetesObject, installs: readonly Described[]): void {
  const other = installs.find(install => isSameInstall(install, recordId(record)))
  if (other === undefined || isOfRecord(other, record)) return
  const text = objectText(nameOf(record))
  const message = `cannot install ${text}: the install ${other.namespace}/${other.name} of a package exists`
  throw new CrossplaneError('conflict', message, {suggestions: ['Give the record another name.']})
}

async function recordSet(
  live: KubernetesObject,
  flagChoices: GivenChoices,
  api: ClusterApi,
): Promise<NotedSet> {
  const {era, record, crds} = await readRecord(live, api)
  rejectClaimed(record, era, crds)
  const choices = renderChoices(flagChoices)
  const definitions = crds.map(({definition}) => definition)
  if (!choices.allowCorePermissions) rejectWiderRules(era, record, definitions)
  const objects = renderRecord({era, record, crds}, {...choices, alwaysIdentity: true})
  const install = {
    ...recordId(record),
    era: era.name,
    scope: scopeOf(record),
    mode: 'requested',
    for: {},
  } as const
  const others = objects.filter(({object}) => object.kind !== record.kind)
  return {installs: [install], objects: others.map(onlyClaimed), warnings: []}
}

/** A CRD is not changed: another program, or an administrator, created it. */
function onlyClaimed(rendered: SetObject): SetObject {
  const {shared, object} = rendered
  if (shared !== 'crd') return rendered
  const {apiVersion, kind, metadata} = object
  return {...rendered, shared: 'base', object: {apiVersion, kind, metadata: {name: metadata.name}}}
}

interface ReadRecord {
  readonly era: Era
  readonly record: KubernetesObject
  readonly crds: readonly CrdObject[]
}

async function readRecord(live: KubernetesObject, api: ClusterApi): Promise<ReadRecord> {
  const {apiVersion, kind, metadata, spec = {}} = live
  const {name, namespace = ''} = metadata
  const text = objectText(nameOf(live))
  const named = await namedCrds(live, text, api)
  const files = [{apiVersion, kind, metadata: {name, namespace}, spec}, ...named].map(jsonFile(text))
  const {records, crds} = readFiles(text, files)
  const [read] = records
  if (read === undefined) throw new CrossplaneError('input-invalid', `${text} is not a package record`)
  const {era, record} = read
  const nothing = () => Promise.resolve({owners: [], unreadable: []})
  return {era, record, crds: await crdsOfRecord(era, record, crds, nothing)}
}

function jsonFile(name: string): (content: JsonObject) => InputFile {
  return content => ({name, bytes: Buffer.from(writeJson(content))})
}

function readFiles(text: string, files: readonly InputFile[]) {
  try {
    return readWrittenInput(files)
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'input-invalid') throw error
    const {diagnostics} = error
    throw new CrossplaneError(error.code, `cannot read ${text}: invalid content`, {cause: error, diagnostics})
  }
}

/** Returns the CRDs that a record names, without what is of no account. Throws `unresolvable` for one that is missing. */
async function namedCrds(
  {spec}: KubernetesObject,
  text: string,
  api: ClusterApi,
): Promise<readonly JsonObject[]> {
  const named = asObjects(asObject(spec).customresourcedefinitions)
  if (named.length === 0) return []
  const groups = new Set(named.map(({apiVersion}) => asText(apiVersion).split('/', 1)[0] ?? ''))
  const crds: KubernetesObject[] = []
  for await (const {metadata} of api.list(CRD_KIND, {metadataOnly: true})) {
    const {name} = metadata
    if (!groups.has(name.slice(name.indexOf('.') + 1))) continue
    const crd = await api.get({...CRD_KIND, name})
    if (crd !== undefined && crd.metadata.deletionTimestamp === undefined) crds.push(crd)
  }
  const requested = named.map(({apiVersion, kind}) => ({apiVersion: asText(apiVersion), kind: asText(kind)}))
  const missing = requested.filter(type => !crds.some(crd => serves(crd, type)))
  if (missing.length > 0) throw missingCrds(text, missing)
  return crds.map(({apiVersion, kind, metadata: {name, labels}, spec: content = {}}) => ({
    apiVersion,
    kind,
    metadata: {name, ...present({labels})},
    spec: content,
  }))
}

type NamedKind = Readonly<Record<'apiVersion' | 'kind', string>>

function serves({spec}: KubernetesObject, {apiVersion, kind}: NamedKind): boolean {
  const {group, names, versions} = asObject(spec)
  const served = asObjects(versions).filter(version => version.served === true)
  return (
    asObject(names).kind === kind &&
    served.some(({name}) => `${asText(group)}/${asText(name)}` === apiVersion)
  )
}

function missingCrds(text: string, missing: readonly NamedKind[]): CrossplaneError {
  const names = missing.map(({apiVersion, kind}) => `${kind} (${apiVersion})`).sort()
  const message = `cannot install ${text}: no CRD defines ${names.slice(0, 10).join(', ')}`
  return new CrossplaneError('unresolvable', message)
}

/** A claim keeps a CRD from being removed, so that a record has none on the CRDs of installs. */
function rejectClaimed(record: KubernetesObject, era: Era, crds: readonly CrdObject[]): void {
  const own = claimLabels(era, recordId(record))
  const claimed = crds.flatMap(({object: {metadata}}) => {
    const others = Object.keys(metadata.labels ?? {}).filter(label => !(label in own))
    return others.flatMap(claimant).map(install => `${metadata.name} is used by ${install}`)
  })
  const [first] = claimed
  if (first === undefined) return
  const message = `cannot install ${objectText(nameOf(record))}: the CRD ${first}`
  throw new CrossplaneError('conflict', message, {
    suggestions: ['Leave this CRD out of the record.'],
  })
}
