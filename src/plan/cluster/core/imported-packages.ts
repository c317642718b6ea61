import type {DeclaredPackage} from '../../../declaration/declaration.js'
import type {LockedXpkg} from '../../../declaration/lock.js'
import {REVISION_POLICIES} from '../../../declaration/xpkg-settings.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {isOfLayouts} from '../../../kubernetes/controller-annotations.js'
import {nameOf} from '../../../kubernetes/object-key.js'
import {present} from '../../../present.js'
import {compareText} from '../../../reference/compare-text.js'
import {isDigest} from '../../../reference/image-name.js'
import {PULL_POLICIES} from '../../../reference/pull-policy.js'
import {escaped, listSome} from '../../../text.js'
import {readConstraint, satisfies} from '../../../xpkg/constraints/constraint.js'
import {coreRules} from '../../../xpkg/constraints/constraint-rules.js'
import {readVersion} from '../../../xpkg/constraints/version.js'
import {derivedName} from '../../../xpkg/package-name.js'
import type {XpkgPin} from '../../../xpkg/pins.js'
import {jsonEqual} from '../../../yaml/json-equal.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'
import {kubectlGet} from '../objects/object-reasons.js'
import {type CoreRequest, type CoreState, isPaused} from '../state/core-state.js'
import {requestText} from './lock/problem-texts.js'
import {coreReference} from './read-core-object.js'
import {requestedAs} from './requested-as.js'

/** One package in the version that the cluster has. */
export interface ImportedPackage {
  readonly request: CoreRequest
  readonly repository: string
  /** A tag or digest. */
  readonly version: string
  /** The digest of a tag, where the cluster names it. */
  readonly digest?: string
}

/** Returns the packages of a cluster by name, one request for each repository: of several, the one that is kept. */
export function importedPackages(
  {requests}: Pick<CoreState, 'requests'>,
  others: readonly CoreRequest[],
): readonly ImportedPackage[] {
  const names = requests.filter(request => !others.includes(request))
  return [...names].sort((a, b) => compareText(a.name, b.name)).map(importedPackage)
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
export type RequiringContent = Pick<LockedXpkg, 'repository' | 'tag' | 'requires'>

/**
 * Returns the entries of a declaration that leads to the packages of a cluster: those that a user requested, that have settings, or that no
 * other one requires. That is read from the contents: the Lock does not have it for packages that the core does not resolve.
 * @param pins - the pins of packages whose pin differs from that of most.
 */
export function importedEntries(
  packages: readonly ImportedPackage[],
  contents: readonly RequiringContent[],
  coreVersion: string | undefined,
  pins: ReadonlyMap<CoreRequest, XpkgPin>,
): readonly DeclaredPackage[] {
  const byName = new Map(contents.map(content => [content.repository, content]))
  const requiredBy = (name: string) => Object.keys(byName.get(name)?.requires ?? {})
  const required = new Set(
    contents.flatMap(({repository}) => requiredBy(repository).filter(name => name !== repository)),
  )
  const declared = new Set(
    packages.filter(
      ({request, repository}) =>
        !required.has(repository) ||
        hasSettings(request) ||
        pins.has(request) ||
        ownName(request) !== undefined ||
        requestedAs(request) !== undefined,
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
  return packages
    .filter(one => declared.has(one))
    .map(one => ({
      ...entryOf(one, byName, coreVersion),
      ...present({name: ownName(one.request), pin: pins.get(one.request)}),
    }))
}

/** The name of a request, if Crossplane would not derive it. */
function ownName({name, repository}: CoreRequest): string | undefined {
  return name === derivedName(repository) ? undefined : name
}

/** An entry has what the user requested, as far as that leads to the version of the cluster. The rest is in the lock. */
function entryOf(
  {request}: ImportedPackage,
  contents: ReadonlyMap<string, RequiringContent>,
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
  const {imagePullSecrets, serviceAccountAnnotations: _, ...others} = parametersOf(request)
  return imagePullSecrets.length > 0 || Object.keys(others).length > 0
}

/** Crossplane fills in its defaults, which a rendered request need not name. */
function parametersOf(request: CoreRequest): DeclaredPackage['parameters'] {
  const {object} = request
  const spec = asObject(object.spec)
  const policy = PULL_POLICIES.find(other => other === spec.packagePullPolicy)
  const revisions = REVISION_POLICIES.find(other => other === spec.revisionActivationPolicy)
  const limit = spec.revisionHistoryLimit
  const runtime = asText(asObject(spec.runtimeConfigRef).name)
  return {
    imagePullSecrets: asObjects(spec.packagePullSecrets).map(({name}) => asText(name)),
    serviceAccountAnnotations: {},
    ...present({
      imagePullPolicy: policy === 'IfNotPresent' ? undefined : policy,
      revisionActivationPolicy: revisions === 'Automatic' ? undefined : revisions,
      revisionHistoryLimit: typeof limit === 'number' && limit !== 1 ? limit : undefined,
      runtimeConfig: runtime === '' || runtime === 'default' ? undefined : runtime,
      paused: isPaused(request) ? true : undefined,
    }),
  }
}

/** The defaults of the fields of a request that an entry cannot hold. */
const DEFAULTS: JsonObject = {
  ignoreCrossplaneConstraints: false,
  commonLabels: {},
  commonAnnotations: {},
}

/** Returns what entries of a declaration cannot hold of a request. */
export function unheldFindings(request: CoreRequest): readonly Diagnostic[] {
  const spec = asObject(request.object.spec)
  const fields = Object.entries(DEFAULTS)
    .filter(([key, value]) => spec[key] !== undefined && !jsonEqual(spec[key], value))
    .map(([key]) => key)
  const others = [...fields, ...unheldMetadata(request)]
  if (others.length === 0) return []
  const message = `${requestText(request)} has ${listSome(others)}, which a declaration does not hold`
  return [
    {
      severity: 'warning',
      rule: 'import-setting',
      message,
      subject: {package: request.repository},
      suggestions: [kubectlGet(nameOf(request.object))],
    },
  ]
}

/** The labels and annotations of users: a controller that applies the tree in place of other files removes them. */
function unheldMetadata({object: {metadata}}: CoreRequest): readonly string[] {
  const keysOf = (map: Readonly<Record<string, string>> = {}, word: string) =>
    Object.entries(map)
      .filter(([key, value]) => !OF_PROGRAMS.test(key) && !isOfLayouts(key, value))
      .map(([key]) => `the ${word} ${escaped(key)}`)
  return [...keysOf(metadata.labels, 'label'), ...keysOf(metadata.annotations, 'annotation')]
}

/**
 * The keys of labels and annotations that an import does not name, since no user loses anything with them: programs write them
 * (kubectl, Crossplane, Helm, Flux, Argo CD), or the entry of the declaration holds them. A key by which a user tells one of these programs
 * what to do, such as `helm.sh/resource-policy`, is none of them; the values of those that layouts write are known to `isOfLayouts`.
 */
const OF_PROGRAMS =
  /^(?:kubectl\.kubernetes\.io\/|kubectl-crossplane\/|(?:kustomize|helm)\.toolkit\.fluxcd\.io\/(?:name|namespace|checksum)$|reconcile\.fluxcd\.io\/|argocd\.argoproj\.io\/(?:tracking-id|instance|installation-id)$|meta\.helm\.sh\/|helm\.sh\/chart$|app\.kubernetes\.io\/|(?:pkg\.)?crossplane\.io\/)/
