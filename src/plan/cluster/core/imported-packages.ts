import type {DeclaredPackage} from '../../../declaration/declaration.js'
import type {LockedXpkg} from '../../../declaration/lock.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {present} from '../../../present.js'
import {isDigest} from '../../../reference/image-name.js'
import {PULL_POLICIES} from '../../../reference/pull-policy.js'
import {escaped, listSome} from '../../../text.js'
import {readConstraint, satisfies} from '../../../xpkg/constraints/constraint.js'
import {coreRules} from '../../../xpkg/constraints/constraint-rules.js'
import {readVersion} from '../../../xpkg/constraints/version.js'
import {derivedName} from '../../../xpkg/package-name.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'
import type {CoreRequest, CoreState} from './core-state.js'
import {requestText} from './lock/problem-texts.js'
import {coreReference} from './read-core-object.js'
import {requestedAs} from './requested-as.js'

/** The packages of a cluster. */
export interface ImportedPackages {
  /** All packages, in the versions that the cluster has. */
  readonly packages: readonly ImportedPackage[]
  /** What a declaration cannot hold. */
  readonly findings: readonly Diagnostic[]
}

/** One package in the version that the cluster has. */
export interface ImportedPackage {
  readonly request: CoreRequest
  readonly repository: string
  /** A tag or digest. */
  readonly version: string
  /** The digest of a tag, where the cluster names it. */
  readonly digest?: string
}

/** Returns the packages of a cluster, by name. */
export function importedPackages(state: CoreState): ImportedPackages {
  const requests = [...state.requests].sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    packages: requests.map(importedPackage),
    findings: requests.flatMap(request => [...nameFinding(request), ...settingsFinding(request)]),
  }
}

function importedPackage(request: CoreRequest): ImportedPackage {
  const {repository, tag, resolved = ''} = request
  const [own, configured] = [request.digest, coreReference(resolved).digest].map(validDigest)
  if (tag === undefined) return {request, repository, version: own ?? ''}
  return {request, repository, version: tag, ...present({digest: own ?? configured})}
}

/** The text of a cluster is untrusted. */
function validDigest(text: string | undefined): string | undefined {
  return text !== undefined && isDigest(text) ? text : undefined
}

/** What the lock of a declaration has of a package. */
type Content = Pick<LockedXpkg, 'repository' | 'tag' | 'requires'>

/**
 * Returns the entries of a declaration that leads to the packages of a cluster: those that a user requested, that have settings, or that no
 * other one requires. That is read from the contents: the Lock does not have it for packages that the core does not resolve.
 */
export function importedEntries(
  packages: readonly ImportedPackage[],
  contents: readonly Content[],
  coreVersion: string | undefined,
): readonly DeclaredPackage[] {
  const byName = new Map(contents.map(content => [content.repository, content]))
  const requiredBy = (name: string) => Object.keys(byName.get(name)?.requires ?? {})
  const required = new Set(
    contents.flatMap(({repository}) => requiredBy(repository).filter(name => name !== repository)),
  )
  const declared = new Set(
    packages.filter(
      ({request, repository}) =>
        !required.has(repository) || hasSettings(request) || requestedAs(request) !== undefined,
    ),
  )
  const reached = new Set<string>()
  const reach = (names: readonly string[]) => {
    for (const name of names.filter(one => !reached.has(one))) {
      reached.add(name)
      reach(requiredBy(name))
    }
  }
  reach([...declared].map(({repository}) => repository))
  // Of packages that require each other, one has to lead to the others.
  for (const one of packages) {
    if (!reached.has(one.repository)) declared.add(one)
    reach([one.repository])
  }
  return packages.filter(one => declared.has(one)).map(one => entryOf(one, byName, coreVersion))
}

/** An entry has what the user requested, as far as that leads to the version of the cluster. The rest is in the lock. */
function entryOf(
  {request}: ImportedPackage,
  contents: ReadonlyMap<string, Content>,
  coreVersion: string | undefined,
): DeclaredPackage {
  const {repository, tag, reference, digest = ''} = request
  const parameters = parametersOf(request)
  const as = requestedAs(request)
  if (tag === undefined) {
    // Its digest alone satisfies no constraint of another package.
    const lockedTag = contents.get(repository)?.tag
    return {package: lockedTag === undefined ? reference : `${repository}:${lockedTag}@${digest}`, parameters}
  }
  if (as === '') return {package: repository, parameters}
  if (as === undefined || as === tag || !isSatisfied(as, tag, coreVersion))
    return {package: reference, parameters}
  return {package: repository, version: as, parameters}
}

function isSatisfied(constraint: string, tag: string, coreVersion: string | undefined): boolean {
  return coreRules(coreVersion).every(rules => {
    const [read, version] = [readConstraint(constraint, rules), readVersion(tag, rules)]
    return read !== undefined && version !== undefined && satisfies(read, version)
  })
}

function hasSettings(request: CoreRequest): boolean {
  const {imagePullPolicy, imagePullSecrets} = parametersOf(request)
  return imagePullPolicy !== undefined || imagePullSecrets.length > 0
}

/** Crossplane fills in its default, which a rendered request need not name. */
function parametersOf({object}: CoreRequest): DeclaredPackage['parameters'] {
  const {packagePullPolicy, packagePullSecrets} = asObject(object.spec)
  const policy = PULL_POLICIES.find(other => other === packagePullPolicy)
  return {
    ...(policy === undefined || policy === 'IfNotPresent' ? {} : {imagePullPolicy: policy}),
    imagePullSecrets: asObjects(packagePullSecrets).map(({name}) => asText(name)),
    serviceAccountAnnotations: {},
  }
}

function nameFinding(request: CoreRequest): readonly Diagnostic[] {
  const derived = derivedName(request.repository)
  if (request.name === derived) return []
  const message = `${requestText(request)} is rendered as ${derived}, the name that Crossplane derives: applying that beside it would request ${escaped(request.repository)} twice, which stops all packages`
  return [{severity: 'warning', rule: 'import-name', message, subject: {package: request.repository}}]
}

/** The defaults of the fields of a request that an entry cannot hold. */
const DEFAULTS: JsonObject = {
  revisionActivationPolicy: 'Automatic',
  revisionHistoryLimit: 1,
  ignoreCrossplaneConstraints: false,
  commonLabels: {},
  commonAnnotations: {},
}

function settingsFinding(request: CoreRequest): readonly Diagnostic[] {
  const spec = asObject(request.object.spec)
  const others = Object.entries(DEFAULTS)
    .filter(([key, value]) => spec[key] !== undefined && JSON.stringify(spec[key]) !== JSON.stringify(value))
    .map(([key]) => key)
  const runtime = asText(asObject(spec.runtimeConfigRef).name)
  const fields = runtime === '' || runtime === 'default' ? others : [...others, 'runtimeConfigRef']
  if (fields.length === 0) return []
  const message = `${requestText(request)} has ${listSome(fields)}, which its entry does not hold: set it by flags of package render, or in the entry`
  return [{severity: 'warning', rule: 'import-setting', message, subject: {package: request.repository}}]
}

/** How the requests of a cluster are pinned, as `--pin` names it. */
export type ImportedPin = 'config' | 'digest' | 'tag' | 'mixed'

/** Returns how all requests of a cluster are pinned. */
export function importedPin({requests}: Pick<CoreState, 'requests'>): ImportedPin {
  const pins = new Set(requests.map(pinOf))
  const [first = 'tag'] = pins
  return pins.size > 1 ? 'mixed' : first
}

function pinOf({isResolved, resolved = ''}: CoreRequest): Exclude<ImportedPin, 'mixed'> {
  if (!isResolved) return 'digest'
  return resolved.includes('@') ? 'config' : 'tag'
}
