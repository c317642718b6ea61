import {asObject, type JsonObject} from 'kubectl-crossplane/plugin'
import type {TemplateFacts} from '../engines/engine.js'
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
  const read = facts.filter(({path, notes}) => notes !== true && !isPartial(path))
  const named = sets.sets.flatMap(({templates, status}) => [...templates, status].map(each => each?.path))
  const templates = read.filter(({path}) => sets.sets.length === 0 || named.includes(path))
  const branches = read.flatMap(({path, branches: all}) => all.map(branch => ({...branch, path})))
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
      ({from}) => used.has(from),
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

/** A file of a chart that only defines named templates. */
function isPartial(path: string): boolean {
  return (path.split('/').at(-1) ?? '').startsWith('_')
}

function specOf(schema: JsonObject | undefined): JsonObject {
  return asObject(asObject(schema?.properties).spec)
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
