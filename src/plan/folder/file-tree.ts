import type {InstallSet, KubernetesObject, Phase, SetObject} from '../../render/install-set.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {distinctNames, type Nameable} from './file-name.js'

/** A file to write: `path` is relative to the output folder, with `/` between segments; `content` ends its last line. */
export interface OutputFile {
  readonly path: string
  readonly content: string
  /** The object that it holds; absent for a kustomization. */
  readonly object?: KubernetesObject
  /** The installs that it belongs to, by the names of their lists of files; absent where all are in one list. */
  readonly installs?: readonly string[]
}

type ValueFile = Pick<OutputFile, 'path' | 'object'> & {readonly value: JsonObject}

/** A folder of objects, relative to the output folder. */
export interface ObjectFolder {
  readonly path: string
  readonly members: readonly SetObject[]
}

/** The folders of shared objects, in the order in which a cluster needs them. */
const SHARED_FOLDERS = ['namespaces', 'crds', 'base'] as const

/**
 * The arrangement of a tree. `together`: for `kubectl`, all CRDs are in one folder, which can be applied first, and every
 * folder lists its content. `apart`: for controllers, which apply each folder by itself, the CRDs of a single install are
 * in its folder, so that a broken one affects no other install, and no file lists what several installs add, so that
 * branches that add packages merge.
 */
export type Arrangement = 'together' | 'apart'

/** Kinds that the folder of a phase already names: their files have the bare name. */
const KIND_OF_PHASE: Partial<Record<Phase, string>> = {
  namespaces: 'Namespace',
  crds: 'CustomResourceDefinition',
}

/**
 * The files of a set, sorted by path. Every folder, or each folder of an install, has a kustomization that lists its
 * content in the order in which a cluster needs it:
 *
 *     kustomization.yaml
 *     namespaces/   crds/   base/      shared by installs
 *     installs/<namespace>.<name>/     identity, record and controller of one install
 *
 * No path depends on a version, so that an upgrade is a diff. `write` turns a value into YAML. Throws `conflict` when
 * the set holds one object twice.
 */
export function filesOf(
  set: InstallSet,
  write: (value: JsonObject) => string,
  arrangement: Arrangement = 'together',
): readonly OutputFile[] {
  const objects = foldersOf(set.objects, arrangement).flatMap(objectFiles)
  const lists = kustomizationFiles(objects).filter(
    ({path}) => arrangement === 'together' || OF_INSTALL.test(path),
  )
  return [...objects, ...lists]
    .map(({path, value, object}) => ({path, content: withLastLineEnded(write(value)), object}))
    .sort(byPath)
}

/** A file in the folder of an install. */
const OF_INSTALL = /^installs\/[^/]+\//

/** Sorts files by path, in code units. */
export function byPath(a: Pick<OutputFile, 'path'>, b: Pick<OutputFile, 'path'>): number {
  return a.path < b.path ? -1 : 1
}

/**
 * The folders of objects in the order in which a cluster needs them: those that installs share, of which some can be
 * empty, then installs by their first object in the set, dependencies first.
 */
export function foldersOf(
  objects: readonly SetObject[],
  arrangement: Arrangement = 'together',
): readonly ObjectFolder[] {
  const groups = grouped(objects, arrangement)
  const installs = [...groups.keys()].filter(group => group.includes('/'))
  const names = distinctNames(installs.map(group => ({stem: group.replace('/', '.'), identity: group})))
  return [
    ...SHARED_FOLDERS.map(group => ({path: group, members: groups.get(group) ?? []})),
    ...installs.map((group, index) => ({
      path: `installs/${names[index] ?? ''}`,
      members: groups.get(group) ?? [],
    })),
  ]
}

/** Objects by the shared folder they belong to, or by `namespace/name` of their install. */
function grouped(
  objects: readonly SetObject[],
  arrangement: Arrangement,
): ReadonlyMap<string, readonly SetObject[]> {
  const groups = new Map<string, SetObject[]>()
  for (const object of objects) {
    const group = (arrangement === 'apart' ? separateGroup(object) : undefined) ?? groupOf(object)
    const members = groups.get(group)
    if (members) members.push(object)
    else groups.set(group, [object])
  }
  return groups
}

/** The group of a CRD that not several installs share. */
function separateGroup({phase, shared, ownedBy = []}: SetObject): string | undefined {
  if (phase !== 'crds') return undefined
  if (shared === 'base') return 'base'
  const [owner, other] = ownedBy
  return owner === undefined || other !== undefined ? undefined : `${owner.namespace}/${owner.name}`
}

function groupOf({phase, install}: SetObject): string {
  if (phase === 'namespaces' || phase === 'crds') return phase
  return install ? `${install.namespace}/${install.name}` : 'base'
}

function objectFiles({path, members}: ObjectFolder): readonly ValueFile[] {
  const names = distinctNames(members.map(nameable), '.yaml')
  return members.map(({object}, index) => ({path: `${path}/${names[index] ?? ''}`, value: object, object}))
}

function nameable({phase, object, fileName}: SetObject): Nameable {
  const {kind, metadata} = object
  const stem = KIND_OF_PHASE[phase] === kind ? metadata.name : `${kind}-${metadata.name}`
  return {stem: fileName ?? stem, identity: identityOf(object)}
}

/** Of the API only the group: a file keeps its name when the object moves to another version of its API. */
function identityOf({apiVersion, kind, metadata}: KubernetesObject): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return [group, kind, metadata.namespace ?? '', metadata.name].join('/')
}

/** One for each folder on the way to a file. The top one exists even for an empty set, so that its folder builds. */
function kustomizationFiles(files: readonly ValueFile[]): readonly ValueFile[] {
  const resources = new Map<string, Set<string>>([['', new Set()]])
  for (const {path} of files) {
    const segments = path.split('/')
    segments.forEach((segment, depth) => {
      const folder = segments
        .slice(0, depth)
        .map(text => `${text}/`)
        .join('')
      resources.set(folder, (resources.get(folder) ?? new Set()).add(segment))
    })
  }
  return [...resources].map(([folder, names]) => ({
    path: `${folder}kustomization.yaml`,
    value: kustomization([...names]),
  }))
}

/** Creates the kustomization of a folder: the names of files and folders in it. */
export function kustomization(resources: readonly string[]): JsonObject {
  return {apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources}
}

function withLastLineEnded(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
