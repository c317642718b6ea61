import {
  asObject,
  bindingSteps,
  type Diagnostic,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PackageCrd,
} from 'kubectl-crossplane/plugin'
import type {TemplateFacts} from '../engines/engine.js'
import {fieldsReadBy} from '../explain/read-fields.js'
import {isWithin, valueAt} from '../explain/spec-fields.js'
import {overlaysOf} from '../kustomize/overlay.js'
import type {OpenTemplates} from '../open-templates.js'
import {schemaFields} from '../testing/schema-fields.js'
import type {WatchedKind} from '../watched-kind.js'
import {templateFile} from './template-file.js'

/**
 * Compares the fields that templates read with those that a custom resource can have. Kinds without a schema have any
 * field, and templates that compute names may read any.
 */
export function checkFields(
  opened: OpenTemplates,
  facts: TemplateFacts,
  crds: readonly PackageCrd[],
): readonly Diagnostic[] {
  return [...missingFields(opened, facts), ...unusedFields(opened, facts, crds)]
}

/** Bindings are compared with the schema without an engine. */
function missingFields({templates, kinds}: OpenTemplates, facts: TemplateFacts): readonly Diagnostic[] {
  const defaults = JSON.parse(facts.defaults) as JsonValue
  const names = new Set(templates.sets.sets.flatMap(set => set.templates.map(({name}) => name)))
  const seen = new Set<string>()
  return facts.templates.flatMap(({path, source = path, notes, reads}) =>
    notes === true
      ? []
      : reads.flatMap(({field, line}): Diagnostic[] => {
          const file = templateFile(source, templates.behavior)
          const key = `${file} ${field.join('.')}`
          if (seen.has(key) || isSet(field, {kinds: kindsOf(path, kinds), defaults, names})) return []
          seen.add(key)
          const message = `the template reads .${field.join('.')}, which ${whyNot(field)}`
          return [{severity: 'warning', rule: 'template-field-missing', message, file, line}]
        }),
  )
}

/** The path of a field without the items of lists; reads have a dot before each step. */
function dotted(field: string): string {
  const [path = field] = field.split('[]')
  return path.replaceAll(/\[("(?:[^"\\]|\\.)*")\]/g, (_, key: string) => `.${JSON.parse(key) as string}`)
}

/** The kinds for which a template is rendered: a partial may be for any. */
function kindsOf(path: string, kinds: readonly WatchedKind[]): readonly WatchedKind[] {
  const own = kinds.filter(({kind, apiVersion}) => path.includes(`/${kind}.${apiVersion.replace('/', '_')}/`))
  return own.length === 0 ? kinds : own
}

interface Settable {
  readonly kinds: readonly WatchedKind[]
  readonly defaults: JsonValue
  /** The named templates. */
  readonly names: ReadonlySet<string>
}

function isSet([root = '', ...path]: readonly string[], {kinds, defaults, names}: Settable): boolean {
  switch (root) {
    case 'Values':
      return valueAt(defaults, path) !== undefined || kinds.some(kind => hasField(kind, ['spec', ...path]))
    case 'spec':
    case 'status':
      return kinds.some(kind => hasField(kind, [root, ...path]))
    // What Helm gives, and for named templates what every object has.
    default:
      return /^[A-Z]/.test(root) || ['metadata', 'errors', ''].includes(root) || names.has(root)
  }
}

function whyNot([root]: readonly string[]): string {
  if (root === 'Values') return 'neither the schema of the CRD nor values.yaml has'
  return root === 'spec' || root === 'status'
    ? 'the schema of the CRD does not have'
    : 'is neither a field of the custom resource nor a template'
}

/** Reports whether an API server keeps a field; true without a schema. */
function hasField({schema}: WatchedKind, path: readonly string[]): boolean {
  if (schema === undefined) return true
  let node: JsonObject = schema
  for (const step of path) {
    if (isOpen(node)) return true
    const next = asObject(node.properties)[step] ?? node.additionalProperties
    if (!isJsonObject(next)) return next === true
    node = next
  }
  return true
}

function isOpen(schema: JsonObject): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.type === 'array'
}

function unusedFields(
  {templates, kinds}: OpenTemplates,
  facts: TemplateFacts,
  crds: readonly PackageCrd[],
): readonly Diagnostic[] {
  const reads = fieldsReadBy(facts, templates)
  const bound = overlaysOf(templates.behavior).flatMap(({bindings}) =>
    bindings.map(({from}) => bindingSteps(from).join('.')),
  )
  const isUsed = (field: string) => {
    const path = dotted(field)
    return reads.has(path) || bound.some(each => isWithin(path, each) || isWithin(each, path))
  }
  return kinds.flatMap(({kind, group, schema}) => {
    const file = crds.find(({definition}) => definition.group === group && definition.kind === kind)?.file
    const unused = schemaFields(asObject(asObject(schema?.properties).spec), 'spec').filter(
      field => field !== 'spec' && !isUsed(field),
    )
    return unused.map((field): Diagnostic => {
      const message = `no template reads ${field} of ${kind}`
      return {
        severity: 'warning',
        rule: 'template-field-unused',
        message,
        ...(file === undefined ? {} : {file}),
      }
    })
  })
}
