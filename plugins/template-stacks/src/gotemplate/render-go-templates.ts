import {
  asObject,
  asText,
  CrossplaneError,
  type Diagnostic,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readYaml,
  writeJson,
} from 'kubectl-crossplane/plugin'
import type {CustomResource} from '../custom-resource.js'
import type {
  Engine,
  GoTemplateRequest,
  GoTemplateResult,
  NamedText,
  TemplatePlace,
} from '../engines/engine.js'
import type {MadeObjects} from '../objects/made-objects.js'
import {readRenderedText} from '../objects/read-document.js'
import type {TemplateLine, TemplateObject} from '../objects/template-object.js'
import {type Identity, identityName, identityOf, liveObject} from './sibling-identity.js'
import {identitiesOf, NO_UID} from './template-identities.js'
import type {TemplateSet, TemplateSets} from './template-sets.js'

/** The templates of a package, a custom resource, and the objects that exist of it. */
export interface GoTemplateInput {
  readonly sets: TemplateSets
  readonly resource: CustomResource
  readonly live: readonly JsonObject[]
}

type Texts = Readonly<Record<string, string>>

/**
 * Renders the templates of a kind in one pass over what exists. A template that fails does not stop the others: its
 * message is in `.errors` for them and for the status, as in the next pass of a controller.
 */
export async function renderGoTemplates(input: GoTemplateInput, engine: Engine): Promise<MadeObjects> {
  const set = setFor(input)
  const identities = await identitiesOf(set, input.sets, metadataOf(input.resource), engine)
  const variables = variablesOf(set, identities.known, input)
  const run = async (texts: readonly NamedText[], errors: Texts) =>
    (await engine.render(request(texts, {...variables, errors}, input.sets))).results
  const first = await run(set.templates, {})
  const failedBefore = failures(first)
  const results = Object.keys(failedBefore).length === 0 ? first : await run(set.templates, failedBefore)
  const made = results.map(result => objectOf(result, set, identities.known.get(result.name)))
  const failed = {...failures(results), ...textFailures(results, made)}
  const status = set.status === undefined ? undefined : statusOf(set.status, await run([set.status], failed))
  return {
    objects: made.flatMap(({objects}) => objects),
    errors: identities.errors,
    failures: [...made.flatMap(({errors}) => errors), ...(status?.errors ?? [])],
    warnings: [],
    notes: [...uidNote(set, input), ...deletions(made, results, identities.known, input)],
    ...(status?.fields === undefined ? {} : {status: status.fields}),
  }
}

function setFor({sets, resource}: GoTemplateInput): TemplateSet {
  const {apiVersion, kind} = resource.object
  const set = sets.sets.find(each => each.apiVersion === apiVersion && each.kind === kind)
  if (set !== undefined) return set
  const key = `${asText(kind)}.${asText(apiVersion)}`
  throw new CrossplaneError('package-invalid', `cannot render ${resource.name}: no templates for ${key}`, {
    suggestions: [`Add a folder ${key.replace('/', '_')} with a template.`],
  })
}

function request(
  templates: readonly NamedText[],
  variables: JsonObject,
  {partials}: Pick<TemplateSets, 'partials'>,
): GoTemplateRequest {
  return {engine: 'gotemplate', templates, partials, variables: writeJson(variables), trace: true}
}

function metadataOf({object}: CustomResource): JsonObject {
  return {uid: NO_UID, ...asObject(object.metadata)}
}

function variablesOf(
  set: TemplateSet,
  known: ReadonlyMap<string, Identity>,
  {resource, live}: GoTemplateInput,
): JsonObject {
  const siblings = set.templates.map(({name}): [string, JsonValue] => {
    const identity = known.get(name)
    return [name, (identity && liveObject(live, identity, resource)) ?? null]
  })
  const {spec = {}, status = {}} = resource.object
  return {...Object.fromEntries(siblings), spec, status, metadata: metadataOf(resource)}
}

function failures(results: readonly GoTemplateResult[]): Texts {
  return Object.fromEntries(
    results.flatMap(each => ('fault' in each ? [[each.name, each.fault.message]] : [])),
  )
}

interface Made {
  readonly objects: readonly TemplateObject[]
  readonly errors: readonly Diagnostic[]
}

function textFailures(results: readonly GoTemplateResult[], made: readonly Made[]): Texts {
  return Object.fromEntries(
    results.flatMap(({name}, index) => (made[index]?.errors ?? []).map(({message}) => [name, message])),
  )
}

function objectOf(result: GoTemplateResult, {templates}: TemplateSet, identity: Identity | undefined): Made {
  const file = templates.find(({name}) => name === result.name)?.path ?? result.name
  if ('fault' in result) return {objects: [], errors: [faultDiagnostic(result, file)]}
  const placeOf = (line: number) => lineOfTemplate(result.sources?.[line - 1])
  const read = readRenderedText({file, text: result.text, document: 1, placeOf})
  const [first, second] = read.objects
  if (second !== undefined)
    return {
      objects: [],
      errors: [problem(file, 'the template makes several objects; write one per template')],
    }
  if (first === undefined || identity === undefined) return read
  const actual = identityOf(first.object)
  if (writeJson({...actual}) === writeJson({...identity})) return read
  const message = `the template makes ${identityName(actual)}, but ${identityName(identity)} by its metadata alone`
  return {objects: [], errors: [problem(file, message)]}
}

function lineOfTemplate(place: TemplatePlace | undefined): TemplateLine | undefined {
  return place && {file: place.path, line: place.line}
}

function faultDiagnostic(result: Extract<GoTemplateResult, {fault: unknown}>, file: string): Diagnostic {
  const {message, line, path = file} = result.fault
  return {severity: 'error', rule: 'template-error', message, file: path, line}
}

function problem(file: string, message: string): Diagnostic {
  return {severity: 'error', rule: 'template-object', message, file}
}

interface ReadStatus {
  readonly fields?: JsonObject
  readonly errors: readonly Diagnostic[]
}

function statusOf({path, name}: NamedText, [result]: readonly GoTemplateResult[]): ReadStatus {
  const file = path ?? name
  if (result === undefined) return {errors: []}
  if ('fault' in result) return {errors: [faultDiagnostic(result, file)]}
  try {
    const [document] = readYaml(Buffer.from(result.text), file)
    if (document === undefined) return {errors: []}
    if (isJsonObject(document.value)) return {fields: document.value, errors: []}
    return {errors: [problem(file, 'the status is not a map of fields')]}
  } catch (error) {
    if (error instanceof CrossplaneError) return {errors: error.diagnostics}
    throw error
  }
}

function uidNote({templates}: TemplateSet, {resource}: GoTemplateInput): Diagnostic[] {
  if (resource.uid !== undefined || !templates.some(({text}) => text.includes('.metadata.uid'))) return []
  const message = `${resource.name} has no metadata.uid: templates get ${NO_UID}`
  return [{severity: 'note', rule: 'gotemplate-uid', message, file: resource.file, line: resource.line}]
}

/** An object whose template has become empty is deleted. */
function deletions(
  made: readonly Made[],
  results: readonly GoTemplateResult[],
  known: ReadonlyMap<string, Identity>,
  {resource, live}: GoTemplateInput,
): Diagnostic[] {
  return results.flatMap(({name}, index): Diagnostic[] => {
    const identity = known.get(name)
    const isEmpty = made[index]?.objects.length === 0 && made[index].errors.length === 0
    if (!isEmpty || identity === undefined || liveObject(live, identity, resource) === undefined) return []
    const message = `${identityName(identity)} is deleted: its template ${name} is empty`
    return [{severity: 'note', rule: 'gotemplate-delete', message}]
  })
}
