import {listAll} from '../../../text.js'
import {checkStrictly, UNKNOWN_FIELD} from '../../../crd/instances/check-object.js'
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
import {INPUT_SCHEMA} from './input-schema.js'

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
    ...decodingErrors(input),
    ...(isEmpty && environmentPatches.length === 0
      ? [{place: ['resources'], message: 'resources or patches of the environment are required'}]
      : []),
    ...asObjects(patchSets).flatMap((set, at) => setErrors(set, ['patchSets', at])),
    ...patchErrors(asObject(input.writeConnectionSecretToRef), ['writeConnectionSecretToRef']),
    ...patchErrors(asObject(environment), ['environment']),
    ...asObjects(resources).flatMap((resource, at) => resourceErrors(resource, ['resources', at])),
  ]
}

/** The function decodes its input strictly. */
function decodingErrors(input: JsonObject): readonly InputError[] {
  return checkStrictly(input, INPUT_SCHEMA).map(({keyword, place, message}) => ({
    place,
    message: keyword === UNKNOWN_FIELD ? 'the field does not exist' : message,
  }))
}

function setErrors(set: JsonObject, place: FieldPath): readonly InputError[] {
  const nested = asObjects(set.patches).flatMap(({type}, at) =>
    type === 'PatchSet'
      ? [{place: [...place, 'patches', at, 'type'], message: 'a patch set cannot use another one'}]
      : [],
  )
  return [...missing(set, place, ['name']), ...(nested.length > 0 ? nested : patchErrors(set, place))]
}

function resourceErrors(resource: JsonObject, place: FieldPath): readonly InputError[] {
  return [
    ...missing(resource, place, ['name']),
    ...patchErrors(resource, place),
    ...asObjects(resource.readinessChecks).flatMap((check, at) =>
      checkErrors(check, [...place, 'readinessChecks', at]),
    ),
    ...asObjects(resource.connectionDetails).flatMap((detail, at) =>
      typed(detail, [...place, 'connectionDetails', at], DETAILS),
    ),
  ]
}

function checkErrors(check: JsonObject, place: FieldPath): readonly InputError[] {
  const errors = typed(check, place, CHECKS, 'MatchCondition')
  if (errors.length > 0 || check.type !== 'MatchCondition') return errors
  return missing(asObject(check.matchCondition), [...place, 'matchCondition'], ['type', 'status'])
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
  FromValue: ['name', 'value'],
  FromFieldPath: ['name', 'fromFieldPath'],
  FromConnectionSecretKey: ['name', 'fromConnectionSecretKey'],
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
  const settings = Object.hasOwn(types, type) ? types[type] : undefined
  if (settings === undefined)
    return [
      {place: [...place, 'type'], message: `the type must be one of ${listAll(Object.keys(types), 'or')}`},
    ]
  const errors = missing(value, place, settings)
  return type === except
    ? errors.map(error => ({...error, message: `${error.message}: the function crashes without it`}))
    : errors
}

function missing(value: JsonObject, place: FieldPath, names: readonly string[]): readonly InputError[] {
  return names
    .filter(
      name =>
        value[name] === undefined ||
        value[name] === null ||
        (value[name] === '' && !CAN_BE_EMPTY.includes(name)),
    )
    .map(name => ({place: [...place, name], message: `${name} is required`}))
}

/** Settings of which an empty text is a value. */
const CAN_BE_EMPTY = ['matchString', 'value', 'literal', 'trim', 'fmt', 'fromConnectionSecretKey']

const POLICIES: readonly (JsonValue | undefined)[] = [
  ...[
    undefined,
    null,
    'Replace',
    'MergeObject',
    'AppendArray',
    'MergeObjects',
    'MergeObjectsAppendArrays',
    'ForceMergeObjects',
  ],
  'ForceMergeObjectsAppendArrays',
]
const SOURCE_POLICIES: readonly (JsonValue | undefined)[] = [undefined, null, 'Optional', 'Required']

function patchErrors({patches}: JsonObject, around: FieldPath): readonly InputError[] {
  return asObjects(patches).flatMap((patch, at) => {
    const place = [...around, 'patches', at]
    const {fromFieldPath, toFieldPath} = asObject(patch.policy)
    return [
      ...typed({type: 'FromCompositeFieldPath', ...patch}, place, PATCHES),
      ...(POLICIES.includes(toFieldPath) && SOURCE_POLICIES.includes(fromFieldPath)
        ? []
        : [{place: [...place, 'policy'], message: 'the policy does not exist'}]),
      ...combineErrors(patch, place),
      ...asObjects(patch.transforms).flatMap((transform, index) =>
        transformErrors(transform, [...place, 'transforms', index]),
      ),
    ]
  })
}

/** The only way to combine values is a format. */
function combineErrors({combine}: JsonObject, place: FieldPath): readonly InputError[] {
  if (combine === undefined || combine === null) return []
  const {strategy, string} = asObject(combine)
  const below = [...place, 'combine']
  if (strategy !== 'string') return [{place: [...below, 'strategy'], message: 'the strategy must be string'}]
  return missing(asObject(combine), below, ['string']).concat(
    string === undefined ? [] : missing(asObject(string), [...below, 'string'], ['fmt']),
  )
}

const TRANSFORMS: Types = {
  math: ['math'],
  map: ['map'],
  match: ['match'],
  string: ['string'],
  convert: ['convert'],
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
  if (type === 'math') return typed(settings, below, MATH)
  if (type === 'string') return stringErrors(settings, below)
  if (type === 'map' && Object.keys(settings).length === 0)
    return [{place: below, message: 'at least one pair is required'}]
  if (type === 'match') return matchErrors(settings, below)
  return type === 'convert' ? convertErrors(settings, below) : []
}

const FORMATS = ['', 'none', 'quantity', 'json']

function convertErrors({toType, format}: JsonObject, place: FieldPath): readonly InputError[] {
  const oneOf = (name: string, values: readonly string[]) => [
    {
      place: [...place, name],
      message: `it must be one of ${listAll(
        values.filter(value => value !== ''),
        'or',
      )}`,
    },
  ]
  if (!CONVERSIONS.includes(asText(toType))) return oneOf('toType', CONVERSIONS)
  return FORMATS.includes(asText(format)) ? [] : oneOf('format', FORMATS)
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
        message: `the conversion must be one of ${listAll(STRING_CONVERSIONS, 'or')}`,
      },
    ]
  if (settings.type === 'Regexp' && asText(asObject(settings.regexp).match) === '')
    return [{place: [...place, 'regexp', 'match'], message: 'match is required'}]
  const error =
    settings.type === 'Regexp' ? goPatternError(asText(asObject(settings.regexp).match)) : undefined
  return error === undefined ? [] : [{place: [...place, 'regexp', 'match'], message: error}]
}

function matchErrors({patterns}: JsonObject, place: FieldPath): readonly InputError[] {
  if (asObjects(patterns).length === 0)
    return [{place: [...place, 'patterns'], message: 'at least one pattern is required'}]
  return asObjects(patterns).flatMap((pattern, at) => {
    const below = [...place, 'patterns', at]
    const errors = typed(pattern, below, {literal: ['literal'], regexp: ['regexp']})
    const error = pattern.type === 'regexp' ? goPatternError(asText(pattern.regexp)) : undefined
    return error === undefined ? errors : [...errors, {place: [...below, 'regexp'], message: error}]
  })
}
