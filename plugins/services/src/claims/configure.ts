import {
  asObject,
  isJsonObject,
  jsonEqual,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
} from 'kubectl-crossplane/plugin'
import type {ConfigureInput} from '../services.js'

/** The fields of claims that are not parameters. */
const OWN_FIELDS = ['classSelector', 'classRef', 'resourceRef', 'writeConnectionSecretToRef']

/** The fields of a managed resource that only its class sets: with which credentials, and what becomes of it. */
const CLASS_FIELDS = [
  'providerRef',
  'providerConfigRef',
  'reclaimPolicy',
  'deletionPolicy',
  'managementPolicy',
  'managementPolicies',
  'claimRef',
  'writeConnectionSecretsToNamespace',
  'publishConnectionDetailsTo',
]

/** Sets the fields of a claim that the managed resource has too. The class and the claim may not disagree about one. */
export function configured({claim, managed}: ConfigureInput): KubernetesObject {
  const {forProvider} = asObject(managed.spec)
  const before = isJsonObject(forProvider) ? forProvider : asObject(managed.spec)
  const foreign = isJsonObject(forProvider)
    ? undefined
    : Object.keys(parametersOf(claim)).find(key => CLASS_FIELDS.includes(key) && before[key] === undefined)
  if (foreign !== undefined) throw new Error(`claim value of ${foreign} is not allowed: set it in the class`)
  const after = {...before, ...resolved(parametersOf(claim), before)}
  return {
    ...managed,
    spec: isJsonObject(forProvider) ? {...asObject(managed.spec), forProvider: after} : after,
  }
}

/** Returns the parameters of a claim. */
export function parametersOf({spec}: KubernetesObject): JsonObject {
  const fields = Object.entries(asObject(spec)).filter(([key]) => !OWN_FIELDS.includes(key))
  return Object.fromEntries(fields)
}

function resolved(parameters: JsonObject, before: JsonObject): JsonObject {
  for (const [key, value] of Object.entries(parameters)) {
    const other = before[key]
    if (other !== undefined && !jsonEqual(other, value)) {
      throw new Error(`claim value [${text(value)}] does not match class value [${text(other)}]`)
    }
  }
  return parameters
}

function text(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the parameters of a claim that a managed resource, as the API server stores it, does not have. */
export function ignoredParameters(claim: KubernetesObject, {spec}: KubernetesObject): readonly string[] {
  const {forProvider} = asObject(spec)
  const fields = isJsonObject(forProvider) ? forProvider : asObject(spec)
  return Object.keys(parametersOf(claim)).filter(key => !(key in fields))
}
