import {
  asText,
  CrossplaneError,
  type Diagnostic,
  type FileToWrite,
  groupOf,
  isLiteral,
  type Package,
  type TemplateKind,
  templateKinds,
  writeYaml,
} from 'kubectl-crossplane/plugin'
import {readCustomResources} from '../custom-resource.js'
import type {Engine, Files} from '../engines/engine.js'
import {type ScopeOf, scopesOf} from '../objects/object-scopes.js'
import {type OpenTemplates, templatesOf} from '../open-templates.js'
import {renderAll} from '../render-all.js'
import type {RenderedResource} from '../render-resource.js'
import {renderedObjects} from '../rendered-objects.js'
import {unpackedFiles} from './chart-files.js'
import {type ObjectKind, requiredKinds} from './depends-on.js'

/** The test of the example of each kind. */
export interface Example {
  /** The folder of the test. */
  readonly test: string
  readonly resource: string
}

/** What the templates require, and the objects of the examples. */
export interface RenderedExamples {
  readonly dependsOn: readonly string[]
  /** Of the objects, the kinds that are in no namespace. */
  readonly clusterKinds: readonly string[]
  readonly want: readonly FileToWrite[]
  readonly notes: readonly Diagnostic[]
}

/** A package and its templates, by paths in their folder. */
interface ExamplePackage {
  readonly name: string
  readonly read: Package
  readonly files: Files
}

/**
 * Renders examples. A note reports one that cannot be rendered, for example because a value is required; its test has no
 * objects yet.
 */
export async function renderExamples(
  examples: readonly Example[],
  {name, read, files}: ExamplePackage,
  engine: Engine,
): Promise<RenderedExamples> {
  const {behavior, crds, permissionScope: scope} = read
  if (behavior === undefined) return {dependsOn: [], clusterKinds: [], want: [], notes: []}
  const created: CreatedObject[] = []
  const want: FileToWrite[] = []
  const failures: Diagnostic[] = []
  for (const example of examples) {
    try {
      const opened = templatesOf({name, behavior, crds, scope, files}, {capabilities: {}, live: []})
      const rendered = await renderExample(example, opened, engine)
      created.push(...rendered.flatMap(({objects}) => objects.map(createdObject)))
      want.push({path: `${example.test}/want.yaml`, text: writeYaml(rendered.flatMap(renderedObjects))})
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      failures.push(notRendered(example, error))
    }
  }
  const chart = await unpackedFiles(files)
  const kinds = templateKinds(
    behavior,
    [...chart.files].map(([path, bytes]) => ({path, bytes})),
  )
  const named = namedKinds(kinds.filter(isLiteral), created)
  // Without the objects of all examples, only the texts of templates say which kinds are created.
  const allKinds = failures.length === 0 ? {created, named} : {created: [...created, ...named], named: []}
  const {dependsOn, notes} = requiredKinds(allKinds, crds, read.dependencies)
  const clusterKinds = clusterScoped([...created, ...named], scopesOf(crds))
  const unknown = unknownKinds(kinds, created, behavior.source.path)
  return {dependsOn, clusterKinds, want, notes: [...chart.notes, ...notes, ...unknown, ...failures]}
}

/** An expression can print a version other than that of the objects of the examples, and has further texts. */
function namedKinds(
  kinds: readonly (TemplateKind & ObjectKind)[],
  created: readonly ObjectKind[],
): readonly ObjectKind[] {
  const certain = [...created, ...kinds.filter(({computed}) => computed === undefined)]
  return kinds.filter(
    ({computed, apiVersion, kind}) =>
      computed === undefined ||
      certain.every(each => each.kind !== kind || groupOf(each.apiVersion) !== groupOf(apiVersion)),
  )
}

/** Names what only rendering can tell, but for templates of which an example has objects. */
function unknownKinds(
  kinds: readonly TemplateKind[],
  created: readonly CreatedObject[],
  folder: string,
): readonly Diagnostic[] {
  const rendered = new Set(created.map(({file}) => file))
  return kinds
    .filter(kind => !isLiteral(kind) && !rendered.has(`${folder}/${kind.file}`))
    .map(({kind = 'object', file, line}) => ({
      severity: 'note',
      rule: 'init-computed-kinds',
      message: `only rendering can tell the apiVersion of the ${kind} that it creates: add its kind to dependsOn`,
      file: `${folder}/${file}`,
      line,
    }))
}

/** An object of an example, and the template that made it. */
interface CreatedObject extends ObjectKind {
  readonly file: string
}

function clusterScoped(kinds: readonly ObjectKind[], scopeOf: ScopeOf): readonly string[] {
  const scoped = kinds.filter(({apiVersion, kind}) => scopeOf(groupOf(apiVersion), kind) === 'Cluster')
  return [...new Set(scoped.map(({kind}) => kind))]
}

/** Throws the errors of rendering, among them the first failure of a named template. */
async function renderExample(
  {test, resource}: Example,
  {templates, kinds}: OpenTemplates,
  engine: Engine,
): Promise<readonly RenderedResource[]> {
  const {resources} = readCustomResources([{name: `${test}/cr.yaml`, bytes: Buffer.from(resource)}], kinds)
  const rendered = await renderAll(templates, resources, engine)
  const [failure] = rendered.flatMap(({failures}) => failures)
  if (failure !== undefined) throw new CrossplaneError('package-invalid', failure.message)
  return rendered
}

function createdObject({object, place}: RenderedResource['objects'][number]): CreatedObject {
  return {apiVersion: asText(object.apiVersion), kind: asText(object.kind), file: place.file}
}

function notRendered({test}: Example, {message, diagnostics}: CrossplaneError): Diagnostic {
  const cause = diagnostics[0]?.message ?? message
  return {
    severity: 'note',
    rule: 'init-example',
    message: `${test}/cr.yaml cannot be rendered yet, so it has no want.yaml: ${cause}`,
  }
}
