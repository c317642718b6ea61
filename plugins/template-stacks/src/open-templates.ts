import {CrossplaneError, type Diagnostic, type JsonObject, type PackagePorts} from 'kubectl-crossplane/plugin'
import type {Files} from './engines/engine.js'
import {templateSets} from './gotemplate/template-sets.js'
import type {Capabilities} from './helm/render-chart.js'
import {scopesOf} from './objects/object-scopes.js'
import type {Templates} from './render-resource.js'
import {readTemplateFiles} from './template-files.js'
import {readTemplatePackage, type TemplatePackage} from './template-package.js'
import {type WatchedKind, watchedKind} from './watched-kind.js'

/** What a user says about templates to render. */
export interface TemplatesQuery {
  readonly reference: string
  readonly asPackage?: string
  readonly capabilities: Capabilities
  /** The objects that exist, for templates that read them. */
  readonly live: readonly JsonObject[]
}

/** The templates of a package, ready to be rendered, and the kinds that they are for. */
export interface OpenTemplates {
  readonly templates: Templates
  readonly kinds: readonly WatchedKind[]
  readonly warnings: readonly Diagnostic[]
  readonly notes: readonly Diagnostic[]
}

/** Reads a package and its templates, from any reference. Throws `package-invalid`, `not-found`, `unsupported`. */
export async function openTemplates(query: TemplatesQuery, ports: PackagePorts): Promise<OpenTemplates> {
  const read = await readTemplatePackage(query.reference, query.asPackage, ports)
  const {files, notes} = await readTemplateFiles(read, ports)
  const opened = templatesOf({...read, name: read.located.name, files}, query)
  return {...opened, warnings: [...read.warnings, ...opened.warnings], notes}
}

/** A package, and the files of its templates folder. */
export interface ReadTemplates extends Omit<TemplatePackage, 'located' | 'warnings'> {
  /** The package in messages. */
  readonly name: string
  readonly files: Files
}

/** Prepares templates that were read. Throws `package-invalid` for a folder whose layout is invalid. */
export function templatesOf(
  {name, behavior, crds, scope, files}: ReadTemplates,
  {capabilities, live}: Pick<TemplatesQuery, 'capabilities' | 'live'>,
): OpenTemplates {
  const isNamed = behavior.engine.type === 'gotemplate'
  const sets = isNamed ? templateSets(files, behavior.source.path) : NO_SETS
  if (sets.errors.length > 0) {
    const message = `cannot read the templates of ${name}: invalid layout`
    throw new CrossplaneError('package-invalid', message, {diagnostics: sets.errors})
  }
  const kinds = (isNamed ? sets.sets : [behavior.crd]).map(each => watchedKind(each, crds))
  return {
    templates: {behavior, files, sets, scope, scopeOf: scopesOf(crds), capabilities, live},
    kinds,
    warnings: kinds.flatMap(missingCrd),
    notes: [],
  }
}

const NO_SETS = {sets: [], partials: [], errors: []}

function missingCrd({kind, apiVersion, scope}: WatchedKind): Diagnostic[] {
  if (scope !== undefined) return []
  const message = `the package has no CRD for ${kind} of ${apiVersion}: its resources are not validated`
  return [{severity: 'warning', rule: 'behavior-crd', message}]
}
