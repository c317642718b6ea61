import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, type JsonObject} from '../../yaml/json-value.js'
import {withRuntime} from '../runtime.js'
import {isSince, SINCE} from '../../xpkg/core-release.js'
import type {PinnedPackage} from './pinned-package.js'
import type {PackageSettings} from './xpkg-settings.js'

/**
 * Returns the DeploymentRuntimeConfig of a package with a runtime or annotations of its service account; undefined without.
 * Throws `usage` for a Configuration, which runs no program, and for a Crossplane without this kind, also for the name of one.
 */
export function runtimeConfig(
  {selected, name}: Pick<PinnedPackage, 'selected' | 'name'>,
  {runtime, runtimeConfig: existing, serviceAccountAnnotations: annotations = {}}: PackageSettings,
  coreVersion: string | undefined,
): KubernetesObject | undefined {
  const hasAnnotations = Object.keys(annotations).length > 0
  const isOwn = runtime !== undefined || hasAnnotations
  if (!isOwn && existing === undefined) return undefined
  if (selected.kind === 'Configuration')
    throw invalid(`${selected.repository} is a Configuration, which runs no program`)
  if (!isSince(coreVersion, SINCE.deploymentRuntimeConfig))
    throw invalid(`Crossplane ${coreVersion ?? ''} has no DeploymentRuntimeConfig`)
  if (!isOwn) return undefined
  const spec = {
    ...(runtime === undefined ? {} : {deploymentTemplate: deploymentTemplate(runtime)}),
    ...accountTemplate(annotations),
  }
  return {
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'DeploymentRuntimeConfig',
    metadata: {name},
    spec,
  }
}

function accountTemplate(annotations: Readonly<Record<string, string>>): JsonObject {
  if (Object.keys(annotations).length === 0) return {}
  return {serviceAccountTemplate: {metadata: {annotations: {...annotations}}}}
}

type Runtime = NonNullable<PackageSettings['runtime']>

function invalid(cause: string): CrossplaneError {
  const message = `cannot apply the runtime: ${cause}`
  return new CrossplaneError('usage', message, {
    suggestions: ['Leave out the runtime, runtimeConfig and the annotations of the service account.'],
  })
}

/** The container that Crossplane adds its own fields to. */
const CONTAINER = 'package-runtime'

function deploymentTemplate(runtime: Runtime): JsonObject {
  const {metadata, spec} = withRuntime(skeleton(runtime), runtime)
  const {annotations} = metadata
  // The CRD requires a selector, which Crossplane replaces.
  return {
    ...(annotations === undefined ? {} : {metadata: {annotations: {...annotations}}}),
    spec: {...withoutEmptyMetadata(asObject(spec)), selector: {}},
  }
}

/** A security context takes the place of Crossplane's own: its restrictions have to be in it. */
function skeleton({podSecurityContext, securityContext}: Runtime): KubernetesObject {
  const container = {
    name: CONTAINER,
    ...(securityContext === undefined
      ? {}
      : {securityContext: {...USER, allowPrivilegeEscalation: false, privileged: false}}),
  }
  const podSpec = {
    containers: [container],
    ...(podSecurityContext === undefined ? {} : {securityContext: USER}),
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: CONTAINER},
    spec: {template: {spec: podSpec}},
  }
}

const USER = {runAsNonRoot: true, runAsUser: 2000, runAsGroup: 2000}

function withoutEmptyMetadata(spec: JsonObject): JsonObject {
  const {metadata, ...template} = asObject(spec.template)
  const hasMetadata = Object.keys(asObject(metadata)).length > 0
  return {...spec, template: hasMetadata ? {...template, metadata: asObject(metadata)} : template}
}
