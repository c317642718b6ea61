import {asObject, asText, isJsonArray, type JsonObject, type JsonValue} from '../../../yaml/json-value.js'
import {writeYaml} from '../../../yaml/write-yaml.js'
import type {NewFile} from '../scaffold.js'
import type {ServiceDefinition} from './service-definition.js'

/** Returns an example of each kind of a service, with all fields. */
export function serviceExamples(service: ServiceDefinition): readonly NewFile[] {
  return [
    example('provider', 'Credentials, and the Provider that uses them.', [secret(), provider(service)]),
    example('class', 'A class that claims select by its label.', [resourceClass(service)]),
    example('claim', 'A claim of an application, for which a managed resource is created.', [claim(service)]),
    example('managed', 'A managed resource without a claim.', [managed(service)]),
  ]
}

function example(name: string, comment: string, objects: readonly JsonObject[]): NewFile {
  return {
    path: `examples/${name}.yaml`,
    text: `# ${comment} Generated from service.yaml by "package init --update".\n${writeYaml(objects)}`,
  }
}

const NAMESPACE = 'crossplane-system'
const LABELS = {example: 'true'}

function secret(): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {name: 'example-credentials', namespace: NAMESPACE},
    stringData: {credentials: 'replace with the credentials of the provider'},
  }
}

function provider({group, version}: ServiceDefinition): JsonObject {
  return {
    apiVersion: `${group}/${version}`,
    kind: 'Provider',
    metadata: {name: 'example'},
    spec: {
      credentialsSecretRef: {namespace: NAMESPACE, name: 'example-credentials', key: 'credentials'},
    },
  }
}

function resourceClass({kind, group, version, forProvider}: ServiceDefinition): JsonObject {
  return {
    apiVersion: `${group}/${version}`,
    kind: `${kind}Class`,
    metadata: {name: 'example', labels: LABELS},
    specTemplate: {
      providerRef: {name: 'example'},
      writeConnectionSecretsToNamespace: NAMESPACE,
      reclaimPolicy: 'Delete',
      forProvider: exampleOf(forProvider, 'forProvider'),
    },
  }
}

function claim({claim: {kind, group, version}}: ServiceDefinition): JsonObject {
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: {name: 'example', namespace: 'default'},
    spec: {classSelector: {matchLabels: LABELS}, writeConnectionSecretToRef: {name: 'example-connection'}},
  }
}

function managed({kind, group, version, forProvider}: ServiceDefinition): JsonObject {
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: {name: 'example'},
    spec: {
      providerRef: {name: 'example'},
      writeConnectionSecretToRef: {name: 'example-connection', namespace: NAMESPACE},
      reclaimPolicy: 'Delete',
      forProvider: exampleOf(forProvider, 'forProvider'),
    },
  }
}

/** A value for a schema: its example, its default, or the first that it accepts. */
function exampleOf(schema: JsonObject, name: string): JsonValue {
  const value = schema.example ?? schema.default
  if (value !== undefined) return value
  if (isJsonArray(schema.enum)) return schema.enum[0] ?? null
  return VALUES[asText(schema.type)]?.(schema, name) ?? name
}

const VALUES: Readonly<Record<string, (schema: JsonObject, name: string) => JsonValue>> = {
  object: ({properties}) =>
    Object.fromEntries(
      Object.entries(asObject(properties)).map(([name, field]) => [name, exampleOf(asObject(field), name)]),
    ),
  array: ({items, minItems}, name) =>
    Array.from({length: typeof minItems === 'number' ? minItems : 0}, () => exampleOf(asObject(items), name)),
  integer: smallest,
  number: smallest,
  boolean: () => false,
}

function smallest({minimum}: JsonObject): JsonValue {
  return typeof minimum === 'number' ? minimum : 1
}
