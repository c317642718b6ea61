import {goPatternError} from '../../../crd/go-pattern.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  isJsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../yaml/json-value.js'

/** A part of an input that function-patch-and-transform rejects. */
export interface InputError {
  readonly place: FieldPath
  readonly message: string
}

/** Returns why function-patch-and-transform rejects an input, whatever the objects are. */
export function inputErrors(input: JsonObject): readonly InputError[] {
  const {resources, patchSets, environment} = input
  const environmentPatches = asObjects(asObject(environment).patches)
  const isEmpty = !isJsonArray(resources) || resources.length === 0
  return [
    ...unknownKeys(input, [], INPUT),
    ...(isEmpty && environmentPatches.length === 0
      ? [{place: ['resources'], message: 'resources or patches of the environment are required'}]
      : []),
    ...asObjects(patchSets).flatMap((set, at) => patchErrors(set, ['patchSets', at])),
    ...patchErrors(asObject(environment), ['environment']),
    ...asObjects(resources).flatMap((resource, at) => resourceErrors(resource, ['resources', at])),
  ]
}

const INPUT = [
  'apiVersion',
  'kind',
  'metadata',
  'environment',
  'patchSets',
  'resources',
  'writeConnectionSecretToRef',
]
const RESOURCE = ['name', 'base', 'patches', 'connectionDetails', 'readinessChecks']
const PATCH = ['type', 'fromFieldPath', 'toFieldPath', 'combine', 'transforms', 'policy', 'patchSetName']
const POLICY = ['fromFieldPath', 'toFieldPath']

/** The function decodes its input strictly. */
function unknownKeys(value: JsonObject, place: FieldPath, keys: readonly string[]): readonly InputError[] {
  return Object.keys(value)
    .filter(key => !keys.includes(key))
    .map(key => ({place: [...place, key], message: 'the field does not exist'}))
}

function resourceErrors(resource: JsonObject, place: FieldPath): readonly InputError[] {
  return [
    ...unknownKeys(resource, place, RESOURCE),
    ...missing(resource, place, ['name']),
    ...patchErrors(resource, place),
    ...asObjects(resource.readinessChecks).flatMap((check, at) =>
      typed(check, [...place, 'readinessChecks', at], CHECKS, 'MatchCondition'),
    ),
    ...asObjects(resource.connectionDetails).flatMap((detail, at) =>
      typed(detail, [...place, 'connectionDetails', at], DETAILS),
    ),
  ]
}

/** The settings that each type requires. */
type Types = Readonly<Record<string, readonly string[]>>

const CHECKS: Types = {
  None: [],
  NonEmpty: ['fieldPath'],
  MatchString: ['fieldPath', 'matchString'],
  MatchInteger: ['fieldPath', 'matchInteger'],
  MatchTrue: ['fieldPath'],
  MatchFalse: ['fieldPath'],
  MatchCondition: ['matchCondition'],
}
const DETAILS: Types = {
  FromValue: ['value'],
  FromFieldPath: ['fromFieldPath'],
  FromConnectionSecretKey: ['fromConnectionSecretKey'],
}
const PATCHES: Types = {
  PatchSet: ['patchSetName'],
  ...Object.fromEntries(
    ['FromComposite', 'ToComposite', 'FromEnvironment', 'ToEnvironment'].map(name => [
      `${name}FieldPath`,
      ['fromFieldPath'],
    ]),
  ),
  ...Object.fromEntries(
    ['FromComposite', 'ToComposite', 'FromEnvironment', 'ToEnvironment'].map(name => [
      `Combine${name}`,
      ['combine', 'toFieldPath'],
    ]),
  ),
}

function typed(value: JsonObject, place: FieldPath, types: Types, except = ''): readonly InputError[] {
  const type = asText(value.type)
  if (type === '') return [{place: [...place, 'type'], message: 'a type is required'}]
  const settings = types[type]
  if (settings === undefined)
    return [{place: [...place, 'type'], message: `the type must be one of ${Object.keys(types).join(', ')}`}]
  const errors = missing(value, place, settings)
  return type === except
    ? errors.map(error => ({...error, message: `${error.message}: the function crashes without it`}))
    : errors
}

function missing(value: JsonObject, place: FieldPath, names: readonly string[]): readonly InputError[] {
  return names
    .filter(name => value[name] === undefined || value[name] === null || value[name] === '')
    .map(name => ({place: [...place, name], message: `${name} is required`}))
}

const POLICIES: readonly (JsonValue | undefined)[] = [
  ...[undefined, null, 'Replace', 'MergeObjects', 'MergeObjectsAppendArrays', 'ForceMergeObjects'],
  'ForceMergeObjectsAppendArrays',
]
const SOURCE_POLICIES: readonly (JsonValue | undefined)[] = [undefined, null, 'Optional', 'Required']

function patchErrors({patches}: JsonObject, around: FieldPath): readonly InputError[] {
  return asObjects(patches).flatMap((patch, at) => {
    const place = [...around, 'patches', at]
    const {fromFieldPath, toFieldPath} = asObject(patch.policy)
    return [
      ...unknownKeys(patch, place, PATCH),
      ...unknownKeys(asObject(patch.policy), [...place, 'policy'], POLICY),
      ...typed({type: 'FromCompositeFieldPath', ...patch}, place, PATCHES),
      ...(POLICIES.includes(toFieldPath) && SOURCE_POLICIES.includes(fromFieldPath)
        ? []
        : [{place: [...place, 'policy'], message: 'the policy does not exist'}]),
      ...asObjects(patch.transforms).flatMap((transform, index) =>
        transformErrors(transform, [...place, 'transforms', index]),
      ),
    ]
  })
}

const TRANSFORMS: Types = {
  math: ['math'],
  map: ['map'],
  match: ['match'],
  string: ['string'],
  convert: ['convert'],
}
/** The settings of math are whole numbers. */
function mathErrors(settings: JsonObject, place: FieldPath): readonly InputError[] {
  const fractions = Object.entries(settings).flatMap(([name, value]) =>
    typeof value === 'number' && !Number.isInteger(value)
      ? [{place: [...place, name], message: 'it must be a whole number'}]
      : [],
  )
  return [...typed(settings, place, MATH), ...fractions]
}

const MATH: Types = {Multiply: ['multiply'], ClampMin: ['clampMin'], ClampMax: ['clampMax']}
const STRINGS: Types = {
  Format: ['fmt'],
  Convert: ['convert'],
  TrimPrefix: ['trim'],
  TrimSuffix: ['trim'],
  Regexp: ['regexp'],
  Join: ['join'],
  Replace: ['replace'],
}
const CONVERSIONS = ['string', 'int', 'int64', 'bool', 'float64', 'object', 'array']

function transformErrors(transform: JsonObject, place: FieldPath): readonly InputError[] {
  const errors = typed(transform, place, TRANSFORMS)
  if (errors.length > 0) return errors
  const type = asText(transform.type)
  const settings = asObject(transform[type])
  const below = [...place, type]
  if (type === 'math') return mathErrors(settings, below)
  if (type === 'string') return stringErrors(settings, below)
  if (type === 'map' && Object.keys(settings).length === 0)
    return [{place: below, message: 'at least one pair is required'}]
  if (type === 'match') return matchErrors(settings, below)
  if (type === 'convert' && !CONVERSIONS.includes(asText(settings.toType)))
    return [{place: [...below, 'toType'], message: `the type must be one of ${CONVERSIONS.join(', ')}`}]
  return []
}

const STRING_CONVERSIONS = [
  ...['ToUpper', 'ToLower', 'ToBase64', 'FromBase64', 'ToJson', 'ToSha1', 'ToSha256', 'ToSha512'],
  'ToAdler32',
]

function stringErrors(settings: JsonObject, place: FieldPath): readonly InputError[] {
  const errors = typed(settings, place, STRINGS)
  if (errors.length > 0) return errors
  if (settings.type === 'Convert' && !STRING_CONVERSIONS.includes(asText(settings.convert)))
    return [
      {
        place: [...place, 'convert'],
        message: `the conversion must be one of ${STRING_CONVERSIONS.join(', ')}`,
      },
    ]
  const error =
    settings.type === 'Regexp' ? goPatternError(asText(asObject(settings.regexp).match)) : undefined
  return error === undefined ? [] : [{place: [...place, 'regexp', 'match'], message: error}]
}

function matchErrors({patterns}: JsonObject, place: FieldPath): readonly InputError[] {
  return asObjects(patterns).flatMap((pattern, at) => {
    const below = [...place, 'patterns', at]
    const errors = typed(pattern, below, {literal: ['literal'], regexp: ['regexp']})
    const error = pattern.type === 'regexp' ? goPatternError(asText(pattern.regexp)) : undefined
    return error === undefined ? errors : [...errors, {place: [...below, 'regexp'], message: error}]
  })
}
