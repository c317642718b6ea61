import {type ObjectError, ROOT, visitValues} from '../../../crd/instances/check-object.js'
import {isDnsLabel, isDnsSubdomain, isQualifiedName} from '../../../reference/kubernetes-names.js'
import {asText, type JsonObject} from '../../../yaml/json-value.js'
import type {TextFormat} from './deployment-schema.js'

/** Reports the texts of an object that do not have the format of their schema. */
export function textErrors(object: JsonObject, schema: JsonObject): readonly ObjectError[] {
  const errors: ObjectError[] = []
  visitValues(object, schema, ROOT, (value, {format}, {place}) => {
    const expected = FORMATS.get(asText(format ?? null))
    if (expected === undefined || typeof value !== 'string' || value === '' || expected.isIt(value)) return
    errors.push({place, message: `it is not ${expected.named}`})
  })
  return errors
}

interface Format {
  readonly named: string
  readonly isIt: (text: string) => boolean
}

const FORMATS: ReadonlyMap<string, Format> = new Map<TextFormat, Format>([
  ['label', {named: 'a DNS label', isIt: isDnsLabel}],
  ['subdomain', {named: 'a DNS subdomain', isIt: isDnsSubdomain}],
  ['key', {named: 'the key of a label', isIt: isQualifiedName}],
  ['variable', {named: 'the name of an environment variable', isIt: text => /^[ -<>-~]+$/.test(text)}],
  ['data-key', {named: 'a key of a ConfigMap or Secret', isIt: isDataKey}],
  ['path', {named: 'a relative path without ..', isIt: isDescending}],
  ['field', {named: 'a field that a container can be given', isIt: text => POD_FIELD.test(text)}],
  ['resource', {named: 'a limit or request of a container', isIt: text => CONTAINER_RESOURCE.test(text)}],
  ['port', {named: 'the name of a port', isIt: isPortName}],
  ['header', {named: 'the name of a header', isIt: text => /^[-A-Za-z0-9]+$/.test(text)}],
])

const POD_FIELD =
  /^(?:metadata\.(?:name|namespace|uid|(?:labels|annotations)\['[^']+'\])|spec\.(?:nodeName|serviceAccountName)|status\.(?:hostIPs?|podIPs?))$/
const CONTAINER_RESOURCE = /^(?:limits|requests)\.(?:cpu|memory|ephemeral-storage|hugepages-.+)$/

function isDataKey(text: string): boolean {
  return text.length <= 253 && /^[-._a-zA-Z0-9]+$/.test(text) && text !== '.' && !text.startsWith('..')
}

function isDescending(text: string): boolean {
  return !text.startsWith('/') && !text.split('/').includes('..')
}

/** An IANA service name: at most 15 letters, digits and single hyphens within them, with a letter. */
export function isPortName(text: string): boolean {
  return text.length <= 15 && /^[a-z0-9-]+$/.test(text) && /[a-z]/.test(text) && !/^-|--|-$/.test(text)
}
