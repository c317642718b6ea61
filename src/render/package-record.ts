import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {present} from '../present.js'
import type {Package} from '../unpack/package.js'
import type {TemplateFiles} from '../unpack/templates/template-kinds.js'
import {type JsonObject, asObject, asObjects} from '../yaml/json-value.js'
import {
  behaviorDeployment,
  inlineDeployment,
  runBehavior,
  type RunBehavior,
  type RunnerChoice,
} from './behavior-deployment.js'
import {withRequestParameters} from './controller-parameters.js'
import type {Era} from './era.js'
import {inlineTemplates} from './inline-templates.js'
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
  /** The templates that the definition includes. */
  readonly templates?: TemplateFiles
}

/**
 * Returns the records of an install: the package record, and for a template stack the definition that it is generated
 * from (reference: package design, "Packages" and "Template stacks").
 */
export function packageRecords(era: Era, install: Install, runner: RunnerChoice = {}): KubernetesObject[] {
  const {request} = install
  const behavior = install.package.behavior && runBehavior(era, install.package.behavior, runner)
  const metadata = {
    name: request.name,
    namespace: request.namespace,
    labels: parentLabels(requestParent(era, request)),
  }
  const spec = recordSpec(era, install, behavior)
  if (behavior === undefined) return [{apiVersion: era.apiVersion, kind: era.kinds.record, metadata, spec}]
  const inline = install.templates && inlineTemplates(behavior, install.templates)
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
          controllerImage: behavior.controllerImage,
        },
        source: {...behavior.source, ...inline?.source},
      },
      ...inline?.spec,
    },
  }
  return [definition, recordOfDefinition(era, definition)]
}

/** Returns the package record of a definition: its spec without the behavior, and the permission to read itself. */
export function recordOfDefinition(era: Era, definition: KubernetesObject): KubernetesObject {
  const {behavior: _behavior, templates: _texts, templateStatus: _status, ...spec} = asObject(definition.spec)
  const {name, namespace = '', labels} = definition.metadata
  const rules = asObjects(asObject(spec.permissions).rules)
  return {
    apiVersion: era.apiVersion,
    kind: era.kinds.record,
    metadata: {name, namespace, ...present({labels})},
    spec: {...spec, permissions: {rules: [...rules, definitionRule(era, name)]}},
  }
}

function recordSpec(era: Era, install: Install, behavior: RunBehavior | undefined): JsonObject {
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
    controller: controllerSpec(era, install, behavior),
    permissions: {rules: permissionRules(definitions, dependencies, install.requiredPlurals)},
  }
}

function controllerSpec(
  era: Era,
  {package: {controller}, request, image, templates}: Install,
  behavior: RunBehavior | undefined,
): JsonObject {
  const annotations = request.serviceAccountAnnotations
  const run = templates === undefined ? behaviorDeployment : inlineDeployment
  const deployment = behavior === undefined ? controller : run(era, behavior, request)
  const spec = deployment === undefined ? undefined : withRequestParameters(deployment, request, image)
  return {
    ...(spec === undefined ? {} : {deployment: {name: '', spec}}),
    ...(Object.keys(annotations).length === 0 ? {} : {serviceAccount: {annotations}}),
  }
}
