import {
  asObject,
  asText,
  type Behavior,
  CrossplaneError,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  quoted,
  truncate,
} from 'kubectl-crossplane/plugin'
import type {Files} from '../engines/engine.js'
import type {Capabilities} from '../helm/render-chart.js'
import {templatesOf} from '../open-templates.js'
import type {ScopeOf} from '../objects/object-scopes.js'
import type {Templates} from '../render-resource.js'

/** What is watched for a stack, also while its definition is not valid. */
export interface WatchedStack {
  readonly namespace: string
  readonly name: string
  /** The field manager of its objects. */
  readonly manager: string
  readonly scope: 'Cluster' | 'Namespaced'
  /** The kinds of its custom resources. */
  readonly kinds: readonly {readonly apiVersion: string; readonly kind: string}[]
}

/** A template stack as its definition in a cluster describes it. */
export interface Stack extends WatchedStack {
  readonly templates: Templates
  /** Whether custom resources can take over objects without an owner: only who may write the definition decides that. */
  readonly adopts: boolean
}

/** What the cluster adds to a definition. */
export interface StackFacts {
  /** The files of the resources folder, if one was passed: they take precedence over files in the definition. */
  readonly folder?: Files
  readonly capabilities: Capabilities
  readonly scopeOf: ScopeOf
}

/** The managers of the fields that a stack applied begin so. */
export const MANAGER_PREFIX = 'crossplane-templates:'

// eslint-disable-next-line no-restricted-syntax -- the same in both eras
const ADOPT = 'templatestacks.crossplane.io/adopt'

/** https://kubernetes.io/docs/reference/using-api/server-side-apply/#managers */
const MAX_MANAGER_LENGTH = 128

/** Reads of a definition what can be watched; no kinds if it names none. */
export function watchedStackOf({metadata, spec}: KubernetesObject): WatchedStack {
  const {namespace = '', name} = metadata
  const {behavior, permissionScope} = asObject(spec)
  const {apiVersion, kind} = asObject(asObject(behavior).crd)
  const isNamed = asText(apiVersion) !== '' && asText(kind) !== ''
  return {
    namespace,
    name,
    manager: truncate(`${MANAGER_PREFIX}${namespace}/${name}`, MAX_MANAGER_LENGTH),
    scope: permissionScope === 'Cluster' ? 'Cluster' : 'Namespaced',
    kinds: isNamed ? [{apiVersion: asText(apiVersion), kind: asText(kind)}] : [],
  }
}

/** Reads a definition. Throws `input-invalid`, and `package-invalid` for an invalid layout of named templates. */
export function stackOf(definition: KubernetesObject, facts: StackFacts): Stack {
  const watched = watchedStackOf(definition)
  const {namespace, name, scope} = watched
  const {behavior, templates, templateStatus} = asObject(definition.spec)
  const read = behaviorIn(asObject(behavior), `${definition.kind} ${namespace}/${name}`)
  const named = namedFiles(read, asObject(templates), asObject(templateStatus))
  const included = textsOf(asObject(asObject(asObject(behavior).source).files))
  const files = facts.folder ?? (asText(read.engine.type) === 'gotemplate' ? named : included)
  if (files.size === 0) throw withoutTemplates(definition)
  const opened = templatesOf({name, behavior: read, crds: [], scope, files}, {...facts, live: []})
  return {
    ...watched,
    kinds: opened.kinds.map(({apiVersion, kind}) => ({apiVersion, kind})),
    templates: {...opened.templates, scopeOf: facts.scopeOf},
    adopts: definition.metadata.annotations?.[ADOPT] === 'true',
  }
}

const ENGINES = ['helm3', 'kustomize', 'gotemplate']

function behaviorIn({crd, engine, source}: JsonObject, what: string): Behavior {
  const {apiVersion, kind} = asObject(crd)
  const type = asText(asObject(engine).type)
  if (!ENGINES.includes(type)) {
    const message = `cannot run ${what}: the engine type ${quoted(type)} is not supported`
    throw new CrossplaneError('input-invalid', message, {
      suggestions: [`Set spec.behavior.engine.type to ${ENGINES.join(', ')}.`],
    })
  }
  if (asText(apiVersion) === '' || asText(kind) === '') {
    throw new CrossplaneError('input-invalid', `cannot run ${what}: spec.behavior.crd names no kind`)
  }
  const path = asText(asObject(source).path)
  return {
    crd: {apiVersion: asText(apiVersion), kind: asText(kind)},
    engine: asObject(engine),
    source: {path: path === '' ? 'templates' : path},
  }
}

/** Named templates as the files of a package: `KIND.GROUP_VERSION/NAME.yaml`. */
function namedFiles({crd}: Behavior, templates: JsonObject, templateStatus: JsonObject): Files {
  const folderOf = (key: string) => {
    // The design also names a kind by its API version alone.
    const full = key === crd.apiVersion ? `${crd.kind}.${key}` : key
    return /^[A-Z]/.test(full) ? full.replace('/', '_') : full
  }
  const texts = Object.entries(templates).flatMap(([key, named]) =>
    Object.entries(asObject(named)).map(([name, text]) => [`${folderOf(key)}/${name}.yaml`, text] as const),
  )
  const statuses = Object.entries(templateStatus).map(
    ([key, text]) => [`${folderOf(key)}/status.yaml`, text] as const,
  )
  return textsOf(Object.fromEntries([...texts, ...statuses]))
}

function textsOf(files: JsonObject): Files {
  return new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(asText(text))]))
}

function withoutTemplates({kind, metadata, spec}: KubernetesObject): CrossplaneError {
  const {namespace = '', name} = metadata
  const {image} = asObject(asObject(asObject(spec).behavior).source)
  const where = isJsonObject(spec) && asText(image) !== '' ? ` they are in the image ${asText(image)}` : ''
  const message = `cannot run ${kind} ${namespace}/${name}: it has no templates${where === '' ? '' : `:${where}`}`
  return new CrossplaneError('input-invalid', message, {
    suggestions: [
      'Pass the folder with the templates: --resources-dir DIR',
      'Install with --templates-from inline.',
    ],
  })
}
