import {
  asObject,
  asObjects,
  asText,
  CrossplaneError,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readYaml,
} from 'kubectl-crossplane/plugin'

/** What the authors of a package say of a field of a form. */
interface FieldHint {
  /** `spec.region` */
  readonly path: string
  readonly title: string
  readonly help: string
  readonly section: string
  /** The value to begin with. */
  readonly first?: JsonValue
  readonly values?: readonly JsonValue[]
  readonly isRequired: boolean
}

/** The ui-schema files of a kind, as far as a form follows them. */
export interface UiSchema {
  /** In their order. */
  readonly hints: readonly FieldHint[]
  /** The parts that the form does not follow. */
  readonly unread: readonly string[]
}

/** Reads the ui-schema files of a kind, which need not be YAML. */
export function readUiSchemas(texts: readonly string[]): UiSchema {
  const all = texts.flatMap(documentsOf)
  return {
    hints: all.flatMap(own => ('unread' in own ? [] : sectionsOf(own.value).flatMap(hintsOf))),
    unread: [...new Set(all.flatMap(own => ('unread' in own ? [own.unread] : unreadParts(own.value))))],
  }
}

function documentsOf(text: string): readonly ({readonly value: JsonObject} | {readonly unread: string})[] {
  try {
    return readYaml(new TextEncoder().encode(text), 'ui-schema').map(({value}) => ({value: asObject(value)}))
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return [{unread: `a file that is not YAML: ${error.message}`}]
  }
}

function sectionsOf({configSections}: JsonObject): readonly JsonObject[] {
  return asObjects(configSections)
}

function hintsOf({title, items}: JsonObject): readonly FieldHint[] {
  return asObjects(items).flatMap(item => {
    const path = asText(item.path).replace(/^\./, '')
    if (!/^[\w-]+(?:\.[\w-]+)*$/.test(path)) return []
    const values = isJsonArray(item.enum) ? {values: item.enum} : {}
    const [first] = isJsonArray(item.default) ? item.default : [item.default]
    return [
      {
        path,
        title: asText(item.title),
        help: asText(item.description),
        section: asText(title),
        ...(first === undefined ? {} : {first}),
        ...values,
        isRequired: asObjects(item.validation).some(({required}) => required === true),
      },
    ]
  })
}

/** Returns what a form cannot follow of hints, since its schema has no such field, or one that is no single value. */
export function unfollowed(hints: readonly FieldHint[], schema: JsonObject): readonly string[] {
  return hints.flatMap(({path, first, values}) => {
    const field = fieldAt(schema, path.split('.'))
    if (field === undefined) return [`${path}: the form has no such field`]
    const {type} = field
    if (type !== 'array' && type !== 'object') return []
    return [
      ...(first === undefined ? [] : [`${path}: default of an ${type}`]),
      ...(values === undefined ? [] : [`${path}: enum of an ${type}`]),
    ]
  })
}

function fieldAt(schema: JsonObject, [name, ...rest]: readonly string[]): JsonObject | undefined {
  if (name === undefined) return schema
  const properties = asObject(schema.properties)
  return Object.hasOwn(properties, name) ? fieldAt(asObject(properties[name]), rest) : undefined
}

const READ: Readonly<Record<'file' | 'section' | 'item', readonly string[]>> = {
  file: ['version', 'uiSpecVersion', 'configSections'],
  section: ['title', 'items'],
  item: ['name', 'controlType', 'path', 'title', 'description', 'default', 'enum', 'validation'],
}
const CONTROLS: readonly (JsonValue | undefined)[] = [
  undefined,
  'singleSelect',
  'singleInput',
  'input',
  'text',
  'number',
  'checkbox',
]

function unreadParts(file: JsonObject): readonly string[] {
  return [
    ...others(file, 'file'),
    ...sectionsOf(file).flatMap(section => [
      ...others(section, 'section').map(name => `configSections[].${name}`),
      ...asObjects(section.items).flatMap(unreadOfItem),
    ]),
  ]
}

function unreadOfItem(item: JsonObject): readonly string[] {
  const at = `configSections[].items[].`
  const rules = asObjects(item.validation).flatMap(rule =>
    Object.keys(rule).filter(name => name !== 'required'),
  )
  return [
    ...others(item, 'item').map(name => `${at}${name}`),
    ...(CONTROLS.includes(item.controlType) ? [] : [`${at}controlType: ${asText(item.controlType)}`]),
    ...rules.map(name => `${at}validation[].${name}`),
    ...(isJsonObject(item) && hintsOf({items: [item]}).length === 0
      ? [`${at}path: ${asText(item.path)}`]
      : []),
  ]
}

function others(value: JsonObject, place: keyof typeof READ): readonly string[] {
  return Object.keys(value).filter(name => !READ[place].includes(name))
}
