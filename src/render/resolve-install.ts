import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {present} from '../present.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {checkInstanceName, checkNamespace, defaultInstanceName} from '../reference/instance-name.js'
import {tagAgrees} from '../reference/newest-version.js'
import type {Era} from './era.js'
import {templateSource, type TemplateSource} from './inline-templates.js'
import type {Install} from './package-record.js'
import {containersOf} from './pod-template.js'
import {isRecordVersion} from './record-version.js'
import {requestKind} from './request.js'
import type {Package, PermissionScope} from '../unpack/package.js'
import {readPackage} from '../unpack/read-package.js'
import type {RequestSettings} from './requested-install.js'
import {checkedRequest} from './check-request.js'
import type {LocatedPackage} from '../locate/located-package.js'

/** The settings and the place of an install, and whether its images are pinned. */
export interface RequestParameters extends RequestSettings {
  readonly name?: string
  readonly namespace?: string
  readonly systemNamespace: string
  /** The namespace of a Namespaced package, if `namespace` is absent. */
  readonly contextNamespace?: string
  /** Whether images without a name are pinned to the package's digest where it is known. */
  readonly pin: boolean
  readonly templatesFrom?: TemplateSource
}

export interface ResolvedInstall {
  readonly install: Install
  readonly warnings: readonly Diagnostic[]
}

/** A located package with a request for it. Throws `package-invalid`, `reference-incomplete` and `usage`. */
export function resolveInstall(
  era: Era,
  located: LocatedPackage,
  parameters: RequestParameters,
): ResolvedInstall {
  return resolveRequest(era, located, readPackage(located.name, located.files, located.folder), parameters)
}

/** The same for a package that was already read. */
export function resolveRequest(
  era: Era,
  located: LocatedPackage,
  read: Package,
  parameters: RequestParameters,
): ResolvedInstall {
  const {scope, source, imagePullPolicy, imagePullSecrets, serviceAccountAnnotations, runtime} = parameters
  if (scope !== undefined && scope !== read.permissionScope)
    throw otherScope(era, located, read, {scope, requestFields: parameters.requestFields})
  const request = checkedRequest({
    namespace: placement(located, read, parameters),
    name: checkInstanceName(parameters.name ?? defaultInstanceName(located.repositoryPath)),
    scope: read.permissionScope,
    imagePullSecrets,
    serviceAccountAnnotations,
    ...(parameters.requestFields?.crd !== undefined || located.reference === undefined
      ? {}
      : {package: formatImageName(located.reference)}),
    ...present({source, imagePullPolicy, runtime}),
    ...parameters.requestFields,
  })
  const version = versionOf(located, read)
  const install = {request, package: read, version, image: imageOf(located, parameters.pin)}
  rejectMissingImage(located, read, install.image, parameters.templatesFrom)
  return {
    install,
    warnings: [...read.warnings, ...versionWarnings(located, version), ...runtimeWarnings(located, install)],
  }
}

function otherScope(
  era: Era,
  {name}: LocatedPackage,
  {permissionScope}: Package,
  {
    scope,
    requestFields,
  }: {readonly scope: PermissionScope; readonly requestFields: RequestParameters['requestFields']},
): CrossplaneError {
  const subject = requestFields === undefined ? `--scope ${scope}` : 'a request'
  const message = `${subject} requires a ${requestKind(era, scope)}, but the permissionScope of ${name} is ${permissionScope}`
  const advice =
    requestFields === undefined
      ? `Omit --scope, or pass --scope ${permissionScope}.`
      : `Use a ${requestKind(era, permissionScope)} instead.`
  const code = requestFields === undefined ? 'usage' : 'scope-mismatch'
  return new CrossplaneError(code, message, {suggestions: [advice]})
}

function placement(
  {name}: LocatedPackage,
  {permissionScope}: Package,
  parameters: RequestParameters,
): string {
  const {namespace, systemNamespace, contextNamespace} = parameters
  if (namespace !== undefined) return checkNamespace(namespace, '--namespace')
  if (permissionScope === 'Cluster') return checkNamespace(systemNamespace, '--system-namespace')
  if (contextNamespace !== undefined) return checkNamespace(contextNamespace, 'the context of the kubeconfig')
  throw new CrossplaneError('usage', `${name} is a Namespaced package, but no namespace was given`, {
    suggestions: ['Pass --namespace NAME.'],
  })
}

function versionOf(located: LocatedPackage, {version}: Package): string {
  const {name, reference, tag, digest} = located
  const versionText = version ?? reference?.tag ?? tag
  if (versionText !== undefined) return checkVersion(located, versionText)
  const pinned = reference?.digest ?? digest
  if (pinned !== undefined) return `sha256-${pinned.slice('sha256:'.length, 'sha256:'.length + 12)}`
  throw new CrossplaneError(
    'reference-incomplete',
    `${name} has no version: its app.yaml has none, and it has no tag`,
    {
      suggestions: ['Pass --as-package REPOSITORY:TAG with the reference of the published package.'],
    },
  )
}

function checkVersion({name, folder}: LocatedPackage, version: string): string {
  if (isRecordVersion(version)) return version
  const message = `the version of ${name}, ${JSON.stringify(version)}, cannot be part of an object's name`
  throw new CrossplaneError('package-invalid', message, {
    diagnostics: [
      {severity: 'error', rule: 'version', message, file: '.registry/app.yaml', field: 'version'},
    ],
    packageFolder: folder,
  })
}

function imageOf({reference, digest}: LocatedPackage, pin: boolean): string {
  if (reference === undefined) return ''
  const pinned: ImageName = {...reference, ...(pin && digest !== undefined ? {digest} : {})}
  return formatImageName(pinned)
}

function rejectMissingImage(
  {name}: LocatedPackage,
  read: Package,
  image: string,
  templatesFrom: TemplateSource | undefined,
): void {
  const isInline = read.behavior !== undefined && templateSource(read.behavior, templatesFrom) === 'inline'
  if (image !== '' || isInline || !runsOwnImage(read)) return
  throw new CrossplaneError(
    'reference-incomplete',
    `a container of ${name} runs the package's own image, but the package has no reference`,
    {
      suggestions: ['Pass --as-package REPOSITORY:TAG with the reference of the published package.'],
    },
  )
}

/** Reports whether a container of the package has no image, so that the package's own is used. */
export function runsOwnImage({controller, behavior}: Package): boolean {
  if (behavior !== undefined) return behavior.source.image === undefined
  return controller !== undefined && containersOf(controller).some(container => !container.image)
}

/** A runtime is for a controller, which not every package has. */
function runtimeWarnings({name}: LocatedPackage, {request, package: read}: Install): Diagnostic[] {
  if (request.runtime === undefined || (read.controller ?? read.behavior) !== undefined) return []
  const message = `the runtime of ${request.name} has no effect: ${name} has no controller`
  return [{severity: 'warning', rule: 'runtime-unused', message}]
}

function versionWarnings({reference}: LocatedPackage, version: string): Diagnostic[] {
  const tag = reference?.tag
  if (tag === undefined || tagAgrees(tag, version)) return []
  const message = `the version in app.yaml is ${version}, but the tag of the package is ${tag}`
  return [{severity: 'warning', rule: 'version-tag', message, file: '.registry/app.yaml'}]
}
