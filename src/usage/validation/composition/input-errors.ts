import {listAll} from '../../../text.js'
import {checkStrictly, UNKNOWN_FIELD} from '../../../crd/instances/check-object.js'
import {goPatternError} from '../../../crd/go-pattern.js'
import {present} from '../../../present.js'
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

/**
 * Returns why function-patch-and-transform rejects an input, whatever the objects are. Composite resources of Crossplane v1 get no Secret
 * from it.
 */
export function inputErrors(
  input: JsonObject,
  {hasSecret}: {readonly hasSecret: boolean},
): readonly InputError[] {
  const {resources, patchSets, environment} = input
  const environmentPatches = asObjects(asObject(environment).patches)
  const isEmpty = !isJsonArray(resources) || resources.length === 0
  return [
    ...decodingErrors(input),
    ...(isEmpty && environmentPatches.length === 0
      ? [{place: ['resources'], message: 'resources or patches of the environment are required'}]
      : []),
    ...asObjects(patchSets).flatMap((set, at) => setErrors(set, ['patchSets', at])),
    ...(hasSecret ? secretErrors(input) : []),
    ...patchErrors(asObject(environment), ['environment'], ENVIRONMENT_PATCHES),
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

/** The patches of the Secret are read only if there are connection details, and errors of optional ones are ignored. */
function secretErrors({resources, writeConnectionSecretToRef}: JsonObject): readonly InputError[] {
  const hasDetails = asObjects(resources).some(
    ({connectionDetails}) => asObjects(connectionDetails).length > 0,
  )
  if (!hasDetails) return []
  const {patches} = asObject(writeConnectionSecretToRef)
  return asObjects(patches).flatMap((patch, at) => {
    const place = ['writeConnectionSecretToRef', 'patches', at]
    const {type} = patch
    const errors = typed({...patch, type: asText(type) || FROM_COMPOSITE}, place, SECRET_PATCHES)
    return errors.filter(error => isCombined(patch) || error.place.at(-1) === 'type')
  })
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
      typed(detail, [...place, 'connectionDetails', at], DETAILS, {canBeEmpty: ['fromFieldPath']}),
    ),
  ]
}

function checkErrors(check: JsonObject, place: FieldPath): readonly InputError[] {
  const errors = typed(check, place, CHECKS, {crashes: 'MatchCondition', canBeEmpty: ['fieldPath']})
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
const SIDES = ['FromComposite', 'ToComposite', 'FromEnvironment', 'ToEnvironment']

function pathPatches(sides: readonly string[]): Types {
  return Object.fromEntries(sides.map(side => [`${side}FieldPath`, ['fromFieldPath']]))
}

function combinedPatches(sides: readonly string[]): Types {
  return Object.fromEntries(sides.map(side => [`Combine${side}`, ['combine', 'toFieldPath']]))
}

const FROM_COMPOSITE = 'FromCompositeFieldPath'
const PATCHES: Types = {PatchSet: ['patchSetName'], ...pathPatches(SIDES), ...combinedPatches(SIDES)}
/** Between the composite resource and the environment. */
const ENVIRONMENT_PATCHES: Types = {
  ...pathPatches(SIDES),
  ...combinedPatches(['FromComposite', 'ToComposite']),
}
const SECRET_PATCHES: Types = {
  ...pathPatches(['FromComposite']),
  ...combinedPatches(['FromComposite']),
}

function isCombined({type}: JsonObject): boolean {
  return asText(type).startsWith('Combine')
}

interface Typing {
  /** The type for which the function crashes without its settings. */
  readonly crashes?: string
  /** Settings of which an empty text is a value, beside those of all types. */
  readonly canBeEmpty?: readonly string[]
}

function typed(
  value: JsonObject,
  place: FieldPath,
  types: Types,
  {crashes = '', canBeEmpty = []}: Typing = {},
): readonly InputError[] {
  const type = asText(value.type)
  if (type === '') return [{place: [...place, 'type'], message: 'a type is required'}]
  const settings = Object.hasOwn(types, type) ? types[type] : undefined
  if (settings === undefined)
    return [
      {place: [...place, 'type'], message: `the type must be one of ${listAll(Object.keys(types), 'or')}`},
    ]
  const errors = missing(value, place, settings, canBeEmpty)
  return type === crashes
    ? errors.map(error => ({...error, message: `${error.message}: the function crashes without it`}))
    : errors
}

function missing(
  value: JsonObject,
  place: FieldPath,
  names: readonly string[],
  canBeEmpty: readonly string[] = [],
): readonly InputError[] {
  return names
    .filter(
      name =>
        value[name] === undefined ||
        value[name] === null ||
        (value[name] === '' && !CAN_BE_EMPTY.includes(name) && !canBeEmpty.includes(name)),
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

function patchErrors({patches}: JsonObject, around: FieldPath, types = PATCHES): readonly InputError[] {
  return asObjects(patches).flatMap((patch, at) => {
    const place = [...around, 'patches', at]
    const type = asText(patch.type) || FROM_COMPOSITE
    return [
      ...typed({...patch, type}, place, types),
      ...policyErrors(patch, place),
      ...(isCombined(patch) ? combineErrors(patch, place) : []),
      ...asObjects(patch.transforms).flatMap((transform, index) => {
        const errors = transformErrors(transform, [...place, 'transforms', index])
        return isCombined(patch) ? errors.filter(error => failsInRun(error, place.length, transform)) : errors
      }),
    ]
  })
}

/** Of combined values, any policy about the source that is not Required counts as Optional. */
function policyErrors(patch: JsonObject, place: FieldPath): readonly InputError[] {
  const {fromFieldPath, toFieldPath} = asObject(patch.policy)
  const isKnown =
    POLICIES.includes(toFieldPath) && (isCombined(patch) || SOURCE_POLICIES.includes(fromFieldPath))
  return isKnown ? [] : [{place: [...place, 'policy'], message: 'the policy does not exist'}]
}

/** The only way to combine values is a format. */
function combineErrors({combine}: JsonObject, place: FieldPath): readonly InputError[] {
  if (combine === undefined || combine === null) return []
  const {strategy, variables} = asObject(combine)
  const below = [...place, 'combine']
  if (strategy !== 'string') return [{place: [...below, 'strategy'], message: 'the strategy must be string'}]
  const sources = asObjects(variables)
  return [
    ...missing(asObject(combine), below, ['string']),
    ...(sources.length === 0
      ? [{place: [...below, 'variables'], message: 'at least one variable is required'}]
      : []),
    ...sources.flatMap((source, at) => missing(source, [...below, 'variables', at], ['fromFieldPath'])),
  ]
}

/** Transforms of combined values are judged only when they run: some settings work then, and only the first pattern is always reached. */
function failsInRun({place}: InputError, start: number, transform: JsonObject): boolean {
  const [, , type, field, below] = place.slice(start)
  if (type === 'match' && field === 'patterns') return below === 0
  if (type !== 'string') return true
  const {type: kind, regexp} = asObject(transform.string)
  if (kind === 'Replace') return field !== 'replace' || below === undefined
  return kind !== 'Regexp' || below === undefined || asText(asObject(regexp).match) !== ''
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

const FORMATS = ['none', 'quantity', 'json']

function convertErrors({toType, format}: JsonObject, place: FieldPath): readonly InputError[] {
  const oneOf = (name: string, values: readonly string[]) => [
    {place: [...place, name], message: `it must be one of ${listAll(values, 'or')}`},
  ]
  if (!CONVERSIONS.includes(asText(toType))) return oneOf('toType', CONVERSIONS)
  const isKnown = format === undefined || format === null || FORMATS.includes(asText(format))
  return isKnown ? [] : oneOf('format', FORMATS)
}

const STRING_CONVERSIONS = [
  ...['ToUpper', 'ToLower', 'ToBase64', 'FromBase64', 'ToJson', 'ToSha1', 'ToSha256', 'ToSha512'],
  'ToAdler32',
]

function stringErrors(settings: JsonObject, place: FieldPath): readonly InputError[] {
  const errors = typed(settings, place, STRINGS)
  if (errors.length > 0) return errors
  switch (settings.type) {
    case 'Convert':
      return conversionErrors(asText(settings.convert), [...place, 'convert'])
    case 'Replace':
      return missing(asObject(settings.replace), [...place, 'replace'], ['search'])
    case 'Regexp':
      return regexpErrors(asText(asObject(settings.regexp).match), [...place, 'regexp', 'match'])
    default:
      return []
  }
}

function conversionErrors(conversion: string, place: FieldPath): readonly InputError[] {
  if (STRING_CONVERSIONS.includes(conversion)) return []
  return [{place, message: `the conversion must be one of ${listAll(STRING_CONVERSIONS, 'or')}`}]
}

function regexpErrors(match: string, place: FieldPath): readonly InputError[] {
  const error = match === '' ? 'match is required' : goPatternError(match)
  return error === undefined ? [] : [{place, message: error}]
}

/** Without a type, a pattern fails only if it is reached, as the first one always is. */
function matchErrors({patterns}: JsonObject, place: FieldPath): readonly InputError[] {
  if (asObjects(patterns).length === 0)
    return [{place: [...place, 'patterns'], message: 'at least one pattern is required'}]
  return asObjects(patterns).flatMap((pattern, at) => {
    const below = [...place, 'patterns', at]
    const type = at > 0 ? asText(pattern.type) || 'literal' : pattern.type
    const errors = typed({...pattern, ...present({type})}, below, {literal: ['literal'], regexp: ['regexp']})
    const error = pattern.type === 'regexp' ? goPatternError(asText(pattern.regexp)) : undefined
    return error === undefined ? errors : [...errors, {place: [...below, 'regexp'], message: error}]
  })
}
