import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {groupOf} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {grouped} from '../../grouped.js'
import {escaped, listAll, listNames, listSome} from '../../text.js'
import {isSince, SINCE} from '../../xpkg/core-release.js'
import type {XpkgObject} from '../../xpkg/content/xpkg.js'

/** A package, and what it installs: of a version that was read its objects, of an installed one those of its revision. */
export interface ObjectHolder {
  readonly repository: string
  readonly kind: string
  readonly objects: readonly (XpkgObject | ObjectName)[]
  /** Why it counts although it is not selected, after its name; by default, it is installed. */
  readonly because?: string
}

/** An object of several packages. Crossplane lets the revision of one control it; the others never become healthy. */
export interface SharedObject {
  /** Its kind and name. */
  readonly object: string
  readonly repositories: readonly string[]
}

/** Why packages are in a set, by repository: the packages that require it, or words; absent for one that is requested. */
export type Requirers = ReadonlyMap<string, readonly string[] | string>

/** Returns the objects that several packages install, each CRD, MRD and XRD once. */
export function sharedObjects(
  holders: readonly ObjectHolder[],
  coreVersion: string | undefined,
): readonly SharedObject[] {
  const byKey = new Map<string, {readonly object: string; readonly repositories: Set<string>}>()
  for (const holder of holders)
    for (const object of installedObjects(holder, coreVersion))
      for (const key of keysOf(object)) {
        const shared = byKey.get(key) ?? {
          object: `${object.kind} ${escaped(object.name)}`,
          repositories: new Set(),
        }
        shared.repositories.add(holder.repository)
        byKey.set(key, shared)
      }
  const shared = new Map<string, SharedObject>()
  for (const {object, repositories} of byKey.values())
    if (repositories.size > 1) shared.set(object, {object, repositories: [...repositories]})
  return [...shared.values()]
}

/** Crossplane 2.3 and later install no objects of Functions; it gives webhooks names of their own. */
function installedObjects(
  {kind, objects}: ObjectHolder,
  coreVersion: string | undefined,
): ObjectHolder['objects'] {
  if (kind === 'Function' && isSince(coreVersion, SINCE.newRules)) return []
  return objects.filter(
    object => !('role' in object) || !['metadata', 'webhook', 'other'].includes(object.role),
  )
}

const DEFINITIONS = ['CustomResourceDefinition', 'ManagedResourceDefinition', 'CompositeResourceDefinition']

/** A CRD, MRD or XRD leads to CRDs, which have the names of their resources; so has the definition itself. */
function keysOf(object: XpkgObject | ObjectName): readonly string[] {
  const {kind, name, apiVersion} = object
  const crds = 'crds' in object ? (object.crds ?? []).map(({plural, group}) => `${plural}.${group}`) : []
  const definitions = DEFINITIONS.includes(kind) ? [...new Set([name, ...crds])] : []
  return definitions.length > 0
    ? definitions.map(definition => `definition ${definition}`)
    : [`${kind}.${groupOf(apiVersion)} ${name}`]
}

/** What is known of the set before a change. */
export interface FormerSet {
  /** Returns the objects that a package had in the set before; undefined for one that was not in it. */
  readonly objectsOf: (repository: string) => Promise<ObjectHolder['objects'] | undefined>
  /** The version of Crossplane of the set. */
  readonly coreVersion: string | undefined
}

/**
 * Judges the objects that several packages of a set install. Those of a set that had them before are warnings: it can always be
 * changed and uninstalled. Throws `ambiguous-owner` for others, and the errors of reading the set before.
 */
export async function judgeShared(
  shared: readonly SharedObject[],
  requirers: Requirers,
  {objectsOf, coreVersion}: FormerSet,
): Promise<readonly Diagnostic[]> {
  if (shared.length === 0) return []
  const repositories = [...new Set(shared.flatMap(one => one.repositories))]
  const former = await Promise.all(
    repositories.map(async repository => ({
      repository,
      kind: '',
      objects: (await objectsOf(repository)) ?? [],
    })),
  )
  const before = new Map(sharedObjects(former, coreVersion).map(one => [one.object, one.repositories]))
  const isFormer = ({object, repositories: own}: SharedObject) =>
    own.every(repository => before.get(object)?.includes(repository) === true)
  const introduced = shared.filter(one => !isFormer(one))
  if (introduced.length > 0) throw introducedError(introduced, requirers)
  return byPackages(shared).map(([repositories, objects]) => ({
    severity: 'warning',
    rule: 'xpkg-shared-object',
    message: `${sharedText(repositories, objects)}: an upgrade of one hands them to the other, and deleting the one that controls a CRD deletes its custom resources`,
    subject: {package: repositories[0] ?? ''},
  }))
}

type Shared = readonly [repositories: readonly string[], objects: readonly string[]]

/** A provider of two registries shares a thousand objects. */
function byPackages(shared: readonly SharedObject[]): readonly Shared[] {
  return [...grouped(shared, ({repositories}) => repositories.join(' ')).values()].map(group => [
    group[0]?.repositories ?? [],
    group.map(({object}) => object),
  ])
}

function sharedText(repositories: readonly string[], objects: readonly string[]): string {
  return `${listNames(repositories)} define ${listSome(objects, 3)}, and Crossplane lets only one package control an object`
}

function introducedError(introduced: readonly SharedObject[], requirers: Requirers): CrossplaneError {
  const all = [...new Set(introduced.flatMap(one => one.repositories))]
  const message = `cannot install ${listNames(all)} together: they define the same objects`
  return new CrossplaneError('ambiguous-owner', message, {
    diagnostics: byPackages(introduced).map(([repositories, objects]) => ({
      severity: 'error',
      rule: 'xpkg-shared-object',
      message: `${sharedText(repositories, objects)}; ${listAll(repositories.map(one => reasonText(one, requirers)))}`,
      subject: {package: repositories[0] ?? ''},
    })),
    suggestions: [
      ...all.flatMap(repository =>
        listOf(requirers.get(repository)).map(
          by => `Use a version of ${by} that does not require ${repository}, or leave out ${by}.`,
        ),
      ),
      'Request only one of the packages, or versions that do not define the same objects.',
    ],
  })
}

function reasonText(repository: string, requirers: Requirers): string {
  const reason = requirers.get(repository)
  if (typeof reason === 'string') return `${repository} ${reason}`
  const by = listOf(reason)
  return by.length === 0 ? `${repository} is requested` : `${repository} is required by ${listNames(by)}`
}

function listOf(by: readonly string[] | string = []): readonly string[] {
  return typeof by === 'string' ? [] : by
}
