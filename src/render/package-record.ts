import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {present} from '../present.js'
import type {Package} from '../unpack/package.js'
import {type JsonObject, asObject, asObjects} from '../yaml/json-value.js'
import {behaviorDeployment, DEFAULT_TEMPLATING_CONTROLLER} from './behavior-deployment.js'
import {withRequestParameters} from './controller-parameters.js'
import type {Era} from './era.js'

import {parentLabels} from './labels.js'
import {definitionRule, permissionRules} from './permissions.js'
import {type InstallRequest, requestParent} from './request.js'

/** A request and the package it resolved to. */
export interface Install {
  readonly request: InstallRequest
  readonly package: Package
  /** The version of the record: that of app.yaml, else that of the reference. */
  readonly version: string
  /** The image of containers that do not name one; pinned to its digest if that is known. Empty if there is none. */
  readonly image: string
  /** The plurals of the CRDs that the package depends on, by the name in app.yaml; absent if they were not resolved. */
  readonly requiredPlurals?: ReadonlyMap<string, string>
}

/**
 * Returns the records of an install: the package record, and for a template stack the definition that it is generated
 * from (reference: package design, "Packages" and "Template stacks").
 */
export function packageRecords(era: Era, install: Install): KubernetesObject[] {
  const {
    request,
    package: {behavior},
  } = install
  const metadata = {
    name: request.name,
    namespace: request.namespace,
    labels: parentLabels(requestParent(era, request)),
  }
  const spec = recordSpec(era, install)
  if (behavior === undefined) return [{apiVersion: era.apiVersion, kind: era.kinds.record, metadata, spec}]
  const definition = {
    apiVersion: era.apiVersion,
    kind: era.kinds.definition,
    metadata,
    spec: {
      ...spec,
      behavior: {
        crd: behavior.crd,
        engine: {
          ...behavior.engine,
          controllerImage: behavior.controllerImage ?? DEFAULT_TEMPLATING_CONTROLLER,
        },
        source: behavior.source,
      },
    },
  }
  return [definition, recordOfDefinition(era, definition)]
}

/** Returns the package record of a definition: its spec without the behavior, and the permission to read itself. */
export function recordOfDefinition(era: Era, definition: KubernetesObject): KubernetesObject {
  const {behavior: _behavior, ...spec} = asObject(definition.spec)
  const {name, namespace = '', labels} = definition.metadata
  const rules = asObjects(asObject(spec.permissions).rules)
  return {
    apiVersion: era.apiVersion,
    kind: era.kinds.record,
    metadata: {name, namespace, ...present({labels})},
    spec: {...spec, permissions: {rules: [...rules, definitionRule(era, name)]}},
  }
}

function recordSpec(era: Era, install: Install): JsonObject {
  const {app, crds, dependencies, icons} = install.package
  const definitions = crds.map(crd => crd.definition)
  const allIcons = [...asObjects(app.icons), ...icons.map(icon => ({...icon}))]
  return {
    ...app,
    version: install.version,
    ...(allIcons.length === 0 ? {} : {icons: allIcons}),
    ...(definitions.length === 0
      ? {}
      : {
          customresourcedefinitions: definitions.map(({group, version, kind}) => ({
            apiVersion: `${group}/${version}`,
            kind,
          })),
        }),
    controller: controllerSpec(era, install),
    permissions: {rules: permissionRules(definitions, dependencies, install.requiredPlurals)},
  }
}

function controllerSpec(era: Era, {package: {behavior, controller}, request, image}: Install): JsonObject {
  const annotations = request.serviceAccountAnnotations
  const deployment = behavior === undefined ? controller : behaviorDeployment(era, behavior, request)
  const spec = deployment === undefined ? undefined : withRequestParameters(deployment, request, image)
  return {
    ...(spec === undefined ? {} : {deployment: {name: '', spec}}),
    ...(Object.keys(annotations).length === 0 ? {} : {serviceAccount: {annotations}}),
  }
}
