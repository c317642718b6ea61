import {pluralName} from '../../../kubernetes/plural-name.js'
import {type CrdObject, crdDefinition} from '../../../unpack/crds.js'
import type {JsonObject, JsonValue} from '../../../yaml/json-value.js'
import {BINDING_STATUS, CLAIM_FIELDS, CLASS_FIELDS, CREDENTIALS, MANAGED_FIELDS} from './binding-schemas.js'
import type {ServiceDefinition, ServiceKindName} from './service-definition.js'

/** Returns the CRDs of a service: of its managed resource, its class, its provider and, if it is its own, its claim. */
export function serviceCrds(service: ServiceDefinition): readonly CrdObject[] {
  return [
    managed(service),
    resourceClass(service),
    provider(service),
    ...(service.ownClaim ? [claim(service)] : []),
  ]
}

interface CrdContent {
  readonly scope: 'Cluster' | 'Namespaced'
  readonly role: 'managed' | 'class' | 'provider' | 'claim'
  readonly description: string
  /** By name, the fields of objects of the kind. */
  readonly fields: JsonObject
  readonly columns: readonly (readonly [name: string, jsonPath: string])[]
}

function managed({forProvider, atProvider, ...service}: ServiceDefinition): CrdObject {
  return crd(service, service.kind, {
    scope: 'Cluster',
    role: 'managed',
    description: `A ${service.kind} is a managed resource: an external resource and its desired state.`,
    fields: {
      spec: {
        type: 'object',
        description: `The desired state of a ${service.kind}.`,
        properties: {...MANAGED_FIELDS, forProvider},
        required: ['providerRef', 'forProvider'],
      },
      status: {
        type: 'object',
        description: `The observed state of a ${service.kind}.`,
        properties: {...BINDING_STATUS, atProvider},
      },
    },
    columns: [condition('Ready'), condition('Synced')],
  })
}

function resourceClass({forProvider, ...service}: ServiceDefinition): CrdObject {
  return crd(service, `${service.kind}Class`, {
    scope: 'Cluster',
    role: 'class',
    description: `A ${service.kind}Class is a template for the ${service.kind} that is created for a claim.`,
    fields: {
      specTemplate: {
        type: 'object',
        description: `The template of the spec of a ${service.kind}.`,
        properties: {...CLASS_FIELDS, forProvider},
        required: ['providerRef', 'writeConnectionSecretsToNamespace', 'forProvider'],
      },
    },
    columns: [
      ['PROVIDER-REF', '.specTemplate.providerRef.name'],
      ['RECLAIM-POLICY', '.specTemplate.reclaimPolicy'],
    ],
  })
}

function provider(service: ServiceDefinition): CrdObject {
  return crd(service, 'Provider', {
    scope: 'Cluster',
    role: 'provider',
    description: 'A Provider has the credentials with which external resources are managed.',
    fields: {
      spec: {
        type: 'object',
        description: 'The settings of the provider.',
        properties: {credentialsSecretRef: CREDENTIALS},
        required: ['credentialsSecretRef'],
      },
    },
    columns: [['SECRET-NAME', '.spec.credentialsSecretRef.name']],
  })
}

function claim(service: ServiceDefinition): CrdObject {
  const {kind} = service.claim
  return crd(service.claim, kind, {
    scope: 'Namespaced',
    role: 'claim',
    description: `A ${kind} is a claim: an application requests a resource by it, without naming its provider.`,
    fields: {
      spec: {type: 'object', description: `The desired state of a ${kind}.`, properties: CLAIM_FIELDS},
      status: {type: 'object', description: `The observed state of a ${kind}.`, properties: BINDING_STATUS},
    },
    columns: [
      ['STATUS', '.status.bindingPhase'],
      ['CLASS-KIND', '.spec.classRef.kind'],
      ['CLASS-NAME', '.spec.classRef.name'],
      ['RESOURCE-KIND', '.spec.resourceRef.kind'],
      ['RESOURCE-NAME', '.spec.resourceRef.name'],
    ],
  })
}

function condition(type: string): readonly [string, string] {
  return [type.toUpperCase(), `.status.conditions[?(@.type=='${type}')].status`]
}

function crd(
  {group, version}: Pick<ServiceKindName, 'group' | 'version'>,
  kind: string,
  content: CrdContent,
): CrdObject {
  const {scope, role, description, fields, columns} = content
  const names = {
    kind,
    listKind: `${kind}List`,
    plural: pluralName(kind),
    singular: kind.toLowerCase(),
    // A claim belongs to no provider.
    categories: ['crossplane', role, ...(role === 'claim' ? [] : [group.split('.')[0] ?? group])],
  }
  const schema: JsonValue = {openAPIV3Schema: {type: 'object', description, properties: fields}}
  const object = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${names.plural}.${group}`},
    spec: {
      group,
      names,
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          ...('status' in fields ? {subresources: {status: {}}} : {}),
          additionalPrinterColumns: [...columns.map(column), AGE],
          schema,
        },
      ],
    },
  }
  return {object, definition: crdDefinition(object)}
}

const AGE = {name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp'}

function column([name, jsonPath]: readonly [string, string]): JsonObject {
  return {name, type: 'string', jsonPath}
}
