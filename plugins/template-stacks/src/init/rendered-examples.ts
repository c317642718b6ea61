import {
  asText,
  CrossplaneError,
  type Diagnostic,
  type FileToWrite,
  groupOf,
  isLiteral,
  type JsonObject,
  type Package,
  templateKinds,
  writeYaml,
} from 'kubectl-crossplane/plugin'
import {readCustomResources} from '../custom-resource.js'
import type {Engine, Files} from '../engines/engine.js'
import {type ScopeOf, scopesOf} from '../objects/object-scopes.js'
import {type OpenTemplates, templatesOf} from '../open-templates.js'
import {renderAll} from '../render-all.js'
import {renderedObjects} from '../rendered-objects.js'
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
  const created: ObjectKind[] = []
  const want: FileToWrite[] = []
  const failures: Diagnostic[] = []
  for (const example of examples) {
    try {
      const opened = templatesOf({name, behavior, crds, scope, files}, {capabilities: {}, live: []})
      const objects = await renderExample(example, opened, engine)
      created.push(
        ...objects.map(({apiVersion, kind}) => ({apiVersion: asText(apiVersion), kind: asText(kind)})),
      )
      want.push({path: `${example.test}/want.yaml`, text: writeYaml(objects)})
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      failures.push(notRendered(example, error))
    }
  }
  const named = templateKinds(
    behavior,
    [...files].map(([path, bytes]) => ({path, bytes})),
  ).filter(isLiteral)
  // Without the objects of all examples, only the texts of templates say which kinds are created.
  const kinds = failures.length === 0 ? {created, named} : {created: [...created, ...named], named: []}
  const {dependsOn, notes} = requiredKinds(kinds, crds, read.dependencies)
  const clusterKinds = clusterScoped([...created, ...named], scopesOf(crds))
  return {dependsOn, clusterKinds, want, notes: [...notes, ...failures]}
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
): Promise<readonly JsonObject[]> {
  const {resources} = readCustomResources([{name: `${test}/cr.yaml`, bytes: Buffer.from(resource)}], kinds)
  const rendered = await renderAll(templates, resources, engine)
  const [failure] = rendered.flatMap(({failures}) => failures)
  if (failure !== undefined) throw new CrossplaneError('package-invalid', failure.message)
  return rendered.flatMap(renderedObjects)
}

function notRendered({test}: Example, {message, diagnostics}: CrossplaneError): Diagnostic {
  const cause = diagnostics[0]?.message ?? message
  return {
    severity: 'note',
    rule: 'init-example',
    message: `${test}/cr.yaml cannot be rendered yet, so it has no want.yaml: ${cause}`,
  }
}
