import type {Diagnostic} from '../../../diagnostic.js'
import {CrossplaneError} from '../../../errors.js'
import {quoted} from '../../../text.js'
import {asObject, asText, isJsonObject, type JsonObject} from '../../../yaml/json-value.js'
import {readYaml, type YamlDocument} from '../../../yaml/read-yaml.js'
import {invalidParts, parseKindName, SERVICE_FILE, type ServiceDefinition} from './service-definition.js'

const FIELDS = ['kind', 'group', 'version', 'claim', 'ownClaim', 'forProvider', 'atProvider']

/** Reads the file of a definition. Throws `input-invalid` with a diagnostic for each invalid field. */
export function readService(bytes: Uint8Array): ServiceDefinition {
  const [document] = readYaml(bytes, SERVICE_FILE)
  const fields = asObject(document?.value)
  const claim = parseKindName(asText(fields.claim))
  const name = {kind: asText(fields.kind), group: asText(fields.group), version: asText(fields.version)}
  const problems: readonly (readonly [string, string])[] = [
    ...unknownFields(fields),
    ...invalidParts(name).map(part => [part, `${part} ${quoted(name[part])} is not valid`] as const),
    ...(claim === undefined ? [['claim', 'claim must be KIND.GROUP/VERSION'] as const] : []),
    ...schemaProblems(fields, 'forProvider'),
    ...schemaProblems(fields, 'atProvider'),
  ]
  if (problems.length > 0 || claim === undefined) throw invalidService(document, problems)
  return {
    ...name,
    claim,
    ownClaim: fields.ownClaim === true,
    forProvider: asObject(fields.forProvider),
    atProvider: fields.atProvider === undefined ? EMPTY : asObject(fields.atProvider),
  }
}

const EMPTY: JsonObject = {type: 'object'}

function unknownFields(fields: JsonObject): readonly (readonly [string, string])[] {
  return Object.keys(fields)
    .filter(name => !FIELDS.includes(name))
    .map(name => [name, `unknown field ${quoted(name)}`])
}

function schemaProblems(fields: JsonObject, name: string): readonly (readonly [string, string])[] {
  const schema = fields[name]
  if (name === 'atProvider' && schema === undefined) return []
  const isSchema =
    isJsonObject(schema) &&
    schema.type === 'object' &&
    (schema.properties === undefined || isJsonObject(schema.properties))
  return isSchema ? [] : [[name, `${name} must be a schema of type object with properties`]]
}

function invalidService(
  document: YamlDocument | undefined,
  problems: readonly (readonly [string, string])[],
): CrossplaneError {
  const diagnostics = problems.map(([field, message]): Diagnostic => ({
    severity: 'error',
    rule: 'service-invalid',
    message,
    file: SERVICE_FILE,
    field,
    ...(document === undefined ? {} : {line: document.lineOf([field])}),
  }))
  return new CrossplaneError('input-invalid', `cannot create CRDs from ${SERVICE_FILE}`, {
    diagnostics,
    suggestions: ['Correct these fields, and run the command again.'],
  })
}
