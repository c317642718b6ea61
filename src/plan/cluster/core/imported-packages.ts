import type {DeclaredPackage} from '../../../declaration/declaration.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {present} from '../../../present.js'
import {isDigest} from '../../../reference/image-name.js'
import {PULL_POLICIES} from '../../../reference/pull-policy.js'
import {escaped, listSome} from '../../../text.js'
import {derivedName} from '../../../xpkg/package-name.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'
import type {CoreRequest, CoreState} from './core-state.js'
import {requestText} from './lock/problem-texts.js'
import {coreReference} from './read-core-object.js'

/** Requests of a cluster as entries of a declaration. */
export interface ImportedPackages {
  /** Packages that no other one requires, and those with settings. */
  readonly entries: readonly DeclaredPackage[]
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
  const required = new Set(
    state.lock.entries.flatMap(({dependencies}) => dependencies.map(({repository}) => repository)),
  )
  const declared = requests.filter(request => !required.has(request.repository) || hasSettings(request))
  return {
    entries: declared.map(entryOf),
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

/** The digest is in the lock. */
function entryOf(request: CoreRequest): DeclaredPackage {
  return {package: request.reference, parameters: parametersOf(request)}
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
