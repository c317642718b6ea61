import type {GoTypes} from './go-types.js'
import {KUBERNETES_TYPES} from './kubernetes-types.js'

const APP_FIELDS = {
  title: 'string?',
  overviewShort: 'string?',
  overview: 'string?',
  readme: 'string?',
  version: 'string?',
  icons: 'list:Icon?',
  maintainers: 'list:Contributor?',
  owners: 'list:Contributor?',
  company: 'string?',
  category: 'string?',
  keywords: 'list:string?',
  website: 'string?',
  source: 'string?',
  license: 'string?',
  dependsOn: 'list:Dependency?',
  packageType: 'string?',
  permissionScope: 'string?',
}

const DEPENDENCY = {
  imagePullSecrets: 'list:LocalObjectReference?',
  imagePullPolicy: 'string?',
  serviceAccount: 'ServiceAccountOptions*',
  source: 'string?',
  package: 'string?',
  crd: 'string?',
}

const RECORD = {
  ...APP_FIELDS,
  customresourcedefinitions: 'list:TypeMeta?',
  controller: 'Controller',
  permissions: 'Permissions',
}

/** The types of a package's own files and of the records made of them (package design, revision 1.2). */
export const PACKAGE_TYPES: GoTypes = {
  ...KUBERNETES_TYPES,
  App: {apiVersion: 'string?', ...APP_FIELDS},
  Icon: {base64Data: 'string', mediatype: 'string'},
  Contributor: {name: 'string?', email: 'string?'},
  Dependency: DEPENDENCY,
  LocalObjectReference: {name: 'string?'},
  ServiceAccountOptions: {annotations: 'map:string?'},
  Group: {
    group: 'string?',
    title: 'string',
    overviewShort: 'string?',
    overview: 'string?',
    readme: 'string?',
    category: 'string',
  },
  Resource: {
    id: 'string',
    title: 'string',
    titlePlural: 'string',
    overviewShort: 'string?',
    shortOverview: 'string?',
    overview: 'string?',
    readme: 'string?',
    category: 'string',
  },
  Behavior: {crd: 'BehaviorCrd', engine: 'Engine', source: 'BehaviorSource'},
  BehaviorCrd: {apiVersion: 'string', kind: 'string'},
  Engine: {controllerImage: 'string?', type: 'string', kustomize: 'Kustomize*'},
  Kustomize: {overlays: 'list:Overlay?', kustomization: 'any*'},
  Overlay: {
    apiVersion: 'string',
    kind: 'string',
    namespace: 'string?',
    name: 'string',
    bindings: 'list:Binding',
  },
  Binding: {from: 'string', to: 'string'},
  BehaviorSource: {image: 'string?', path: 'string'},
  RecordSpec: RECORD,
  DefinitionSpec: {...RECORD, behavior: 'Behavior'},
  TypeMeta: {apiVersion: 'string?', kind: 'string?'},
  Controller: {serviceAccount: 'ServiceAccountOptions*', deployment: 'ControllerDeployment*'},
  ControllerDeployment: {name: 'string', spec: 'apps.v1.DeploymentSpec'},
  Permissions: {rules: 'list:rbac.v1.PolicyRule?'},
  RequestSpec: DEPENDENCY,
}
