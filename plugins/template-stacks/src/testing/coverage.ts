import {asObject, type JsonObject} from 'kubectl-crossplane/plugin'
import type {TemplateFacts} from '../engines/engine.js'
import {boundValue} from '../kustomize/binding-value.js'
import {fieldSteps} from '../kustomize/field-steps.js'
import {overlaysOf} from '../kustomize/overlay.js'
import type {OpenTemplates} from '../open-templates.js'
import {branchKey, type RecordedRuns} from './recorded-engine.js'
import {schemaFields, valueFields} from './schema-fields.js'

/** How many parts of one sort the tests use, and those that none uses. */
export interface CoveredParts {
  readonly parts: 'templates' | 'branches' | 'bindings' | 'spec fields'
  readonly total: number
  readonly missing: readonly string[]
}

/** What tests used. */
export interface TestedParts {
  readonly runs: RecordedRuns
  /** The custom resources of all tests. */
  readonly resources: readonly JsonObject[]
}

/** Returns what the tests of a package use of it. `facts` are those of its templates; a kustomization has none. */
export function coverageOf(
  {templates: {behavior, sets}, kinds}: Pick<OpenTemplates, 'templates' | 'kinds'>,
  facts: TemplateFacts['templates'],
  {runs, resources}: TestedParts,
): readonly CoveredParts[] {
  const read = facts.filter(({notes}) => notes !== true)
  const named = sets.sets.flatMap(({templates, status}) => [...templates, status].map(each => each?.path))
  const templates = read.filter(({path}) =>
    sets.sets.length === 0 ? !isPartial(path) : named.includes(path),
  )
  const branches = read
    .filter(isOwn)
    .flatMap(({path, branches: all}) => all.map(branch => ({...branch, path})))
  const used = new Set(resources.flatMap(resource => usedFields(resource)))
  const bindings = overlaysOf(behavior).flatMap(({kind, name, bindings: all}) =>
    all.map(({from, to}) => ({from, text: `${from} to ${kind} ${name} ${to}`})),
  )
  const fields = [...new Set(kinds.flatMap(({schema}) => schemaFields(specOf(schema), 'spec')))].filter(
    field => field !== 'spec',
  )
  return [
    parts(
      'templates',
      templates,
      ({path}) => runs.printed.has(path),
      ({path}) => path,
    ),
    parts(
      'branches',
      branches,
      ({path, id}) => runs.branches.has(branchKey(path, id)),
      ({path, line, text}) => `${path}:${line} ${text}`,
    ),
    parts(
      'bindings',
      bindings,
      ({from}) => resources.some(resource => hasField(resource, from)),
      ({text}) => text,
    ),
    parts(
      'spec fields',
      fields,
      field => used.has(field),
      field => field,
    ),
  ].filter(({total}) => total > 0)
}

/** Of subcharts, only what they create is the package's: most of what they only define is for other charts. */
function isOwn({path}: {readonly path: string}): boolean {
  return !(path.startsWith('charts/') && isPartial(path))
}

/** A file of a chart that only defines named templates. */
function isPartial(path: string): boolean {
  return (path.split('/').at(-1) ?? '').startsWith('_')
}

function specOf(schema: JsonObject | undefined): JsonObject {
  return asObject(asObject(schema?.properties).spec)
}

function hasField(resource: JsonObject, path: string): boolean {
  const steps = fieldSteps(path)
  return steps !== undefined && boundValue(resource, steps).found !== undefined
}

function usedFields(resource: JsonObject): readonly string[] {
  return Object.entries(resource).flatMap(([name, value]) => valueFields(value, name))
}

function parts<T>(
  name: CoveredParts['parts'],
  all: readonly T[],
  isUsed: (part: T) => boolean,
  textOf: (part: T) => string,
): CoveredParts {
  return {parts: name, total: all.length, missing: all.filter(part => !isUsed(part)).map(textOf)}
}
