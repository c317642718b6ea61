import {fieldNames, fieldOf} from './schema-node.js'
import type {ServiceKind} from './service-kind.js'

/** The fields that all kinds of one role have. */
const COMMON = [
  'providerRef',
  'reclaimPolicy',
  'claimRef',
  'classRef',
  'writeConnectionSecretToRef',
  'writeConnectionSecretsToNamespace',
]

/** The fields of an external resource: those of `forProvider`, or in early versions those beside the common ones. */
export function parametersOf({role, schema}: ServiceKind): readonly string[] {
  const spec = fieldOf(schema, role === 'class' ? 'specTemplate' : 'spec')
  if (spec === undefined) return []
  const forProvider = fieldOf(spec, 'forProvider')
  if (forProvider !== undefined) return fieldNames(forProvider)
  return fieldNames(spec).filter(name => !COMMON.includes(name))
}

/** Reports whether the fields are in `forProvider`. */
export function hasForProvider({role, schema}: ServiceKind): boolean {
  return fieldOf(schema, role === 'class' ? 'specTemplate' : 'spec', 'forProvider') !== undefined
}
