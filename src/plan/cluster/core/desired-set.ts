import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {CONTENT_MANAGER} from '../../../cluster/claims.js'
import type {ClosurePackage} from '../../../render/xpkg/closure.js'
import type {XpkgSetObject} from '../../../render/xpkg/xpkg-set.js'
import {escaped, shellWord} from '../../../text.js'
import {asObject, asObjects, asText} from '../../../yaml/json-value.js'
import type {CoreRequest, CoreState} from './core-state.js'
import {isMadeByCore} from './judge-package-object.js'
import {coreReference} from './read-core-object.js'
import {withRequires} from './recorded-requires.js'
import {isOurs, REQUESTED_AS, requestedAs} from './requested-as.js'

/** A rendered set as it is applied to a cluster, and what keeps it from being applied. */
export interface DesiredPackages {
  readonly objects: readonly XpkgSetObject[]
  readonly rejections: readonly Diagnostic[]
}

/**
 * Adapts a rendered set to a cluster: requests keep the settings of other commands, and those that other programs manage in
 * the same version stay theirs. A package that is installed under another name cannot be upgraded: for a moment, it would be
 * missing in the Lock, and the core would install it once more.
 * @param roots - the tag, digest or constraint of the requested packages, by repository.
 * @param packages - the packages of the set, with what they require.
 */
export function desiredPackages(
  objects: readonly XpkgSetObject[],
  {requests}: Pick<CoreState, 'requests'>,
  roots: ReadonlyMap<string, string>,
  packages: readonly Pick<ClosurePackage, 'repository' | 'dependencies'>[],
): DesiredPackages {
  const rejections: Diagnostic[] = []
  const left = new Set<string>()
  const required = new Map(packages.map(({repository, dependencies}) => [repository, dependencies]))
  const adapted = objects.flatMap((staged): readonly XpkgSetObject[] => {
    const reference = referenceOf(staged.object)
    if (reference === undefined) return [staged]
    const {repository} = coreReference(reference)
    const live = requests.filter(request => request.repository === repository)
    const same = live.find(
      ({kind, name}) => kind === staged.object.kind && name === staged.object.metadata.name,
    )
    const other = live.find(request => request !== same)
    if (other !== undefined && (same !== undefined || other.reference !== reference))
      rejections.push(otherName(staged.object, other))
    const occupied = requests.find(
      request =>
        request !== same &&
        request.kind === staged.object.kind &&
        request.name === staged.object.metadata.name,
    )
    if (occupied !== undefined) rejections.push(otherPackage(staged.object, occupied))
    const isOthers = live.some(request => request.reference === reference && !isChangeable(request))
    if (isOthers) left.add(reference)
    if (same === undefined && other !== undefined) return []
    const kept = withKept(staged.object, same, roots)
    const object = withRequires(kept, required.get(repository) ?? [])
    return [{...staged, object: withRequestedAs(object, roots.get(repository), same)}]
  })
  return {objects: adapted.filter(({object}) => !left.has(pinnedBy(object) ?? '')), rejections}
}

function referenceOf({spec}: KubernetesObject): string | undefined {
  const {package: reference} = asObject(spec)
  return reference === undefined ? undefined : asText(reference)
}

/** The reference that an ImageConfig is for. */
function pinnedBy({kind, spec}: KubernetesObject): string | undefined {
  if (kind !== 'ImageConfig') return undefined
  return asText(asObjects(asObject(spec).matchImages)[0]?.prefix)
}

function isChangeable({object}: CoreRequest): boolean {
  return isOurs(object) || isMadeByCore(object)
}

function withRequestedAs(
  object: KubernetesObject,
  text: string | undefined,
  live: CoreRequest | undefined,
): KubernetesObject {
  const value = text ?? (live && requestedAs(live))
  if (value === undefined) return object
  const annotations = {...object.metadata.annotations, [REQUESTED_AS]: value}
  return {...object, metadata: {...object.metadata, annotations}}
}

/** Settings that an earlier command gave to a package which is only required now. */
function withKept(
  object: KubernetesObject,
  live: CoreRequest | undefined,
  roots: ReadonlyMap<string, string>,
): KubernetesObject {
  if (live === undefined || roots.has(live.repository)) return object
  const has = asObject(live.object.spec)
  const kept = appliedFields(live.object).filter(field => SETTINGS.includes(field))
  const spec = {
    ...Object.fromEntries(kept.map(field => [field, has[field] ?? null])),
    ...asObject(object.spec),
  }
  return {...object, spec}
}

const SETTINGS = [
  'packagePullPolicy',
  'packagePullSecrets',
  'revisionActivationPolicy',
  'revisionHistoryLimit',
  'runtimeConfigRef',
]

/** The fields of the spec that this program applied. */
function appliedFields({metadata}: KubernetesObject): readonly string[] {
  const entry = asObjects(metadata.managedFields).find(
    ({manager, operation}) => manager === CONTENT_MANAGER && operation === 'Apply',
  )
  return Object.keys(asObject(asObject(entry?.fieldsV1)['f:spec'])).map(field => field.replace(/^f:/, ''))
}

function otherName({kind, metadata: {name}}: KubernetesObject, other: CoreRequest): Diagnostic {
  const of = escaped(other.repository)
  const command = `kubectl get ${other.kind.toLowerCase()}.pkg.crossplane.io ${shellWord(other.name)} --output yaml`
  return {
    severity: 'error',
    rule: 'xpkg-other-name',
    message: `${of} is installed as ${other.kind} ${escaped(other.name)}, but Crossplane names it ${kind} ${name}: a change of its version would make Crossplane install it twice`,
    suggestions: [command, 'Request the installed version, or another package.'],
  }
}

function otherPackage({kind, metadata: {name}}: KubernetesObject, {repository}: CoreRequest): Diagnostic {
  return {
    severity: 'error',
    rule: 'xpkg-name-conflict',
    message: `${kind} ${name} is a request for another package, ${escaped(repository)}`,
    suggestions: ['Uninstall that package first.'],
  }
}
