import type {Diagnostic} from '../../diagnostic.js'
import {builtinOfKind} from '../../kubernetes/builtin-kinds.js'
import {groupOf, versionOf} from '../../kubernetes/object-key.js'
import {present} from '../../present.js'
import {listSome} from '../../text.js'
import {coverageOf, type PermissionSources, requirementText} from '../../unpack/templates/covered-kinds.js'
import {isLiteral, type TemplateKind} from '../../unpack/templates/template-kind.js'
import {templateKinds} from '../../unpack/templates/template-kinds.js'
import type {Candidate} from './candidate.js'
import {knownKinds} from './known-kinds.js'
import {type LintedTemplates, templateDiagnostic} from './linted-templates.js'

/** A kind that templates create, with the place of one of them. */
interface CreatedKind extends TemplateKind {
  readonly apiVersion: string
  readonly kind: string
  /** Whether it may never be created: no test has it, or without tests, a condition in the templates may exclude it. */
  readonly isOptional: boolean
}

/** Checks that the controller may create the kinds of the templates, and that the packages it depends on serve them. */
export function checkCreatedKinds(candidate: Candidate, templates: LintedTemplates): Diagnostic[] {
  const {app, crds, provided} = candidate
  if (app === undefined) return []
  const definitions = crds.map(({definition}) => definition)
  const sources = {crds: definitions, dependencies: app.value.dependencies, ...present({provided})}
  const isNamespaced = app.value.permissionScope === 'Namespaced'
  return createdKinds(candidate, templates).flatMap(created =>
    [
      permissionProblem(created, sources),
      scopeProblem(candidate, created, isNamespaced),
      providerProblem(candidate, created),
    ].flatMap(problem =>
      problem === undefined ? [] : [templateDiagnostic(templates, problem.rule, created, problem.message)],
    ),
  )
}

/** Those that the text of templates names, and those that only rendering shows. */
function createdKinds({engine}: Candidate, {behavior, files}: LintedTemplates): readonly CreatedKind[] {
  const rendered = (engine?.kinds ?? []).filter(isLiteral)
  const tested = new Set(rendered.map(kindKey))
  const literal = templateKinds(behavior, files).filter(isLiteral)
  const certain = new Set(
    [...rendered, ...literal.filter(({computed}) => computed === undefined)].map(groupKind),
  )
  // An expression may print a version other than the first one in its text.
  const named = literal
    .filter(created => created.computed === undefined || !certain.has(groupKind(created)))
    .map(created => ({
      ...created,
      isOptional:
        created.computed !== undefined ||
        (tested.size === 0 ? created.isConditional === true : !tested.has(kindKey(created))),
    }))
  const keys = new Set(named.map(kindKey))
  const others = rendered.filter(kind => !keys.has(kindKey(kind)))
  return [...named, ...others.map(created => ({...created, isOptional: false}))]
}

function kindKey({apiVersion, kind}: Pick<CreatedKind, 'apiVersion' | 'kind'>): string {
  return `${apiVersion} ${kind}`
}

function groupKind({apiVersion, kind}: Pick<CreatedKind, 'apiVersion' | 'kind'>): string {
  return `${groupOf(apiVersion)} ${kind}`
}

interface Problem {
  readonly rule: string
  readonly message: string
}

function whatOf({apiVersion, kind}: CreatedKind): string {
  return `${kind} of ${apiVersion}`
}

function permissionProblem(created: CreatedKind, sources: PermissionSources): Problem | undefined {
  switch (coverageOf(created, sources)) {
    case 'uncovered': {
      const missing = `dependsOn does not have ${requirementText(created, sources.provided)}`
      return {
        rule: created.isOptional ? 'template-permission-optional' : 'template-permission',
        message: `the controller has no permissions on ${whatOf(created)}: ${missing}`,
      }
    }
    case 'other-version': {
      if (created.computed !== undefined) return undefined
      const message = `the template creates a ${whatOf(created)}, but dependsOn names only another version of it`
      return {rule: 'template-version', message}
    }
    case 'covered':
      return undefined
  }
}

function scopeProblem(
  candidate: Candidate,
  created: CreatedKind,
  isNamespaced: boolean,
): Problem | undefined {
  if (!isNamespaced || !isClusterScoped(candidate, created)) return undefined
  const message = `${whatOf(created)} is cluster-scoped, but the permissions of a Namespaced package hold only in its namespace`
  return {rule: 'template-scope', message}
}

function isClusterScoped(candidate: Candidate, {apiVersion, kind}: CreatedKind): boolean {
  const group = groupOf(apiVersion)
  const definition =
    builtinOfKind(group, kind) ??
    knownKinds(candidate)
      .ofGroup(group)
      .find(own => own.kind === kind) ??
    candidate.provided?.find(crd => crd.group === group && crd.kind === kind)
  return definition?.scope === 'Cluster'
}

/** Ignores groups that no package in the indexes has. */
function providerProblem({crds, provided = []}: Candidate, created: CreatedKind): Problem | undefined {
  if (created.computed !== undefined) return undefined
  const group = groupOf(created.apiVersion)
  const ofGroup = provided.filter(crd => crd.group === group)
  const isOwn = crds.some(({definition}) => definition.group === group && definition.kind === created.kind)
  if (isOwn || ofGroup.length === 0) return undefined
  const providers = ofGroup.filter(({kind}) => kind === created.kind)
  const served = [...new Set(providers.flatMap(crd => crd.served))]
  if (served.includes(versionOf(created.apiVersion))) return undefined
  const why =
    providers.length === 0 ? `its group has no such kind` : `its packages serve only ${listSome(served)}`
  return {rule: 'template-dependency', message: `no package serves ${whatOf(created)}: ${why}`}
}
