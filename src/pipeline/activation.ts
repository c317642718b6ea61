import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {apiVersionOf} from '../cluster/api/discovery.js'
import {withActivated} from '../declaration/activate-kinds.js'
import {settingsText} from '../declaration/entries/home-texts.js'
import {readDeclaration} from '../declaration/read-declaration.js'
import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import type {WritableFile} from '../fetch/output-files.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {countKinds} from '../observe/instances/count-kinds.js'
import type {InputFile} from '../render/written-input.js'
import {activatedBy} from '../render/xpkg/activated-by.js'
import {count, listSome} from '../text.js'
import {
  type ActivationChoice,
  declaredChoice,
  ownPatterns,
  policiesAmong,
} from '../usage/activation/activation.js'
import {
  type Activation,
  activationOf,
  isComposing,
  type LiveUse,
  type ManagedKind,
  managedKinds,
  namesToActivate,
} from '../usage/activation/activation-report.js'
import {unreadParts} from '../usage/compare-sets.js'
import {type InputFailures, readObjects, type UnreadFiles} from '../usage/objects/read-objects.js'
import type {UnreadObjects, UsageFile} from '../usage/objects/used-object.js'
import {asText} from '../yaml/json-value.js'
import type {PackageComparison} from './impact/compare-packages.js'
import {packageSet, readSurfaces, type SetQuery, surfaceReader} from './impact/package-set.js'
import type {RequestPorts} from './request/read-request.js'
import {planHomeFiles, writeHomeFiles} from './home/write-home.js'

/** An activation, and what could not be read for it. */
export interface FoundActivation {
  readonly activation: Activation
  /** What the declaration has to activate; undefined if it activates all that is used. */
  readonly names: readonly string[] | undefined
  /** The number of parts that can use other kinds, because of which no kind leaves the list; with a cluster. */
  readonly open: number
  readonly notes: readonly Diagnostic[]
  readonly failures: InputFailures
  readonly unreadCrds: PackageComparison['unread']
}

/** Finds the managed resources of a set that files and, if there is one, a cluster use. */
export async function findActivation(
  query: SetQuery,
  {files, ...others}: UnreadFiles & {readonly files: readonly UsageFile[]},
  ports: RequestPorts,
  api?: ClusterApi,
): Promise<FoundActivation> {
  const {unreadable, empty, ...objects} = readObjects(files, others)
  const set = await packageSet(query, ports)
  const packages = await readSurfaces(set.packages, surfaceReader(ports))
  const live = api === undefined ? undefined : await livePolicies(api)
  const inFiles = policiesAmong(objects.objects)
  const choice = choiceWith(set.activation ?? {}, inFiles, live)
  const managed = managedKinds(packages, choice)
  const cluster = api === undefined ? undefined : await liveUse(managed, api)
  const activation = activationOf(packages, managed, objects, cluster)
  // Kinds that could not be counted are in the list already.
  const open = activation.unread.filter(({file}) => cluster?.counts.has(file) === false).length
  const reach = cluster === undefined ? 'absent' : open === 0 ? 'known' : 'unread'
  return {
    activation,
    names: namesToActivate(activation, ownPatterns(packages, choice), reach),
    open,
    notes: [...wideNotes(managed, live ?? []), ...openNotes(activation)],
    failures: {unreadable, empty},
    unreadCrds: unreadParts(packages),
  }
}

/** With a policy of its own, a set is judged by it: the policies of a cluster are those that it had before. */
function choiceWith(
  choice: ActivationChoice,
  inFiles: readonly KubernetesObject[],
  live: readonly KubernetesObject[] | undefined,
): ActivationChoice {
  if (choice.activation !== 'none' || live === undefined) return {...choice, others: inFiles}
  return {...choice, others: [...inFiles, ...live], areAll: true}
}

async function livePolicies(api: ClusterApi): Promise<readonly KubernetesObject[]> {
  const policies: KubernetesObject[] = []
  const kind = {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'ManagedResourceActivationPolicy',
  }
  for await (const policy of api.list(kind)) policies.push(policy)
  return policies
}

async function liveUse(managed: readonly ManagedKind[], api: ClusterApi): Promise<LiveUse> {
  const kinds = managed.map(({crd: {name, kind, spec}}) => ({name, kind, group: asText(spec.group)}))
  return {counts: await countKinds(kinds, api), ...(await liveComposing(api))}
}

/** Another repository can have Compositions that have no instances now. */
async function liveComposing(api: ClusterApi): Promise<Omit<LiveUse, 'counts'>> {
  const {resources} = await api.discover()
  const own = resources.filter(({group, kind}) => isComposing(group, kind))
  const composing: KubernetesObject[] = []
  const unread: UnreadObjects[] = []
  for (const resource of new Map(own.map(one => [one.kind, one])).values()) {
    try {
      for await (const object of api.list({apiVersion: apiVersionOf(resource), kind: resource.kind}))
        composing.push({...object, kind: resource.kind})
    } catch (error) {
      if (!(error instanceof CrossplaneError) || error.code !== 'cluster-denied') throw error
      unread.push({file: 'the cluster', reason: `objects of ${resource.kind} could not be listed`})
    }
  }
  return {composing, unread}
}

/** The Helm chart of Crossplane creates a policy for all kinds. */
function wideNotes(
  managed: readonly ManagedKind[],
  live: readonly KubernetesObject[],
): readonly Diagnostic[] {
  const wide = live.flatMap(policy => {
    const isActivated = activatedBy([policy])
    const all = managed.length > 0 && managed.every(({crd}) => isActivated(crd.name))
    return all ? [policy.metadata.name] : []
  })
  if (wide.length === 0) return []
  const message = `policies of the cluster activate all kinds: ${listSome(wide)}`
  return [{severity: 'note', rule: 'activation-wide', message}]
}

function openNotes({used}: Activation): readonly Diagnostic[] {
  const open = used.filter(({state}) => state === 'unknown')
  if (open.length === 0) return []
  const kinds = count(open.length, 'used kind')
  return [
    {
      severity: 'note',
      rule: 'activation-open',
      message: `whether ${kinds} ${open.length === 1 ? 'is' : 'are'} active is decided by the policies of the cluster: xpkg.activate is none`,
    },
  ]
}

/** Throws `input-invalid` if only the policies of a cluster tell whether used kinds are active. */
export function expectDecided({used}: Activation): void {
  const open = used.filter(({state}) => state === 'unknown')
  if (open.length === 0) return
  const message = `cannot judge ${count(open.length, 'kind')}: the policies of a cluster activate them`
  throw new CrossplaneError('input-invalid', message, {
    suggestions: ['Pass --context NAME, or set xpkg.activate in the declaration.'],
  })
}

/** What a declaration has to activate, and the file that is written. */
interface ActivationWrite {
  readonly path: string
  readonly file: InputFile
  readonly names: readonly string[]
  readonly open: (path: string) => WritableFile
}

/** Writes the list into a declaration; what else it has stays as it is. Returns the names that come and go. Throws as `withActivated`. */
export async function writeActivation({path, file, names, open}: ActivationWrite): Promise<{
  readonly added: readonly string[]
  readonly removed: readonly string[]
}> {
  const edited = Buffer.from(withActivated(file, names))
  const [before, after] = [file.bytes, edited].map(bytes => {
    const activate = declaredChoice(readDeclaration(file.name, bytes), undefined).activation
    return typeof activate === 'object' && 'names' in activate ? activate.names : []
  })
  const text = settingsText({name: file.name, bytes: edited}, file.isSplit === true)
  await writeHomeFiles(await planHomeFiles(new Map([[path, text]]), open))
  return {
    added: (after ?? []).filter(name => before?.includes(name) !== true),
    removed: (before ?? []).filter(name => after?.includes(name) !== true),
  }
}
