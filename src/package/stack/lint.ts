import type {LintSubject} from '../../author/lint/candidate.js'
import type {LintDiagnostic} from '../../author/lint/lint-diagnostic.js'
import {lintPackage} from '../../author/lint/lint-package.js'
import {neededRules} from '../../author/lint/server/needed-rules.js'
import {CrossplaneError} from '../../errors.js'
import {groupOf} from '../../kubernetes/object-key.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {type ReadTemplates, readTemplates} from '../../locate/read-templates.js'
import {present} from '../../present.js'
import {quoted} from '../../text.js'
import {readBehavior} from '../../unpack/behavior.js'
import {fileKinds} from '../../unpack/file-kinds.js'
import {examinePackage} from '../../unpack/read-package.js'
import {isLiteral, type TemplateKind} from '../../unpack/templates/template-kind.js'
import {templateKinds} from '../../unpack/templates/template-kinds.js'
import {readTemplateArchives} from '../../unpack/templates/unpacked-chart.js'
import {ignoresNothing, type LintOptions, type LintPorts, withoutTemplates} from '../lint.js'

/** Lints a package of Crossplane v0.12, and its templates. Throws `usage` for options that do not apply to it. */
export async function lintStack(
  located: LocatedPackage,
  {ignore = [], needsTemplates = false}: LintOptions,
  ports: LintPorts,
): Promise<readonly LintDiagnostic[]> {
  const {name, files, tag, reference} = located
  if (ignore.length > 0) throw ignoresNothing(name)
  if (needsTemplates && fileKinds(files).behaviors.length === 0) throw withoutTemplates(name)
  const templates = await templatesOf(located, ports)
  if (needsTemplates && templates === 'missing') throw withoutFolder(located)
  const checked = templates === 'missing' ? {} : await checkedTemplates(located, templates, ports)
  const rules = await neededRules(files, ports.schemaRules)
  return lintPackage({files, tag, ...present({reference}), ...checked, ...rules})
}

function withoutFolder({name, files}: LocatedPackage): CrossplaneError {
  const path = readBehavior(fileKinds(files).behaviors, {errors: [], warnings: []})?.source.path ?? ''
  return new CrossplaneError('not-found', `cannot lint the templates of ${name}: no folder ${quoted(path)}`, {
    suggestions: ['Create the folder, or correct source.path in behavior.yaml.'],
  })
}

async function checkedTemplates(
  located: LocatedPackage,
  read: ReadTemplates | undefined,
  ports: LintPorts,
): Promise<Omit<LintSubject, 'files' | 'tag' | 'reference'>> {
  if (read === undefined) return {}
  const {files, facts} = read
  const image = await facts?.()
  const examination = examinePackage(located.files)
  const {package: whole, behavior} = examination
  if (behavior === undefined) return {examination, templates: files, ...present({image})}
  const {crds = [], permissionScope: scope = 'Cluster'} = whole ?? {}
  const engine = await ports.checkTemplates?.({located, behavior, crds, scope, files}, ports)
  const {files: templates, unread: unreadArchives} = await readTemplateArchives(behavior, files)
  const kinds = [...templateKinds(behavior, templates), ...(engine?.kinds ?? [])]
  const provided = await providedCrds(kinds, ports)
  return {examination, templates, unreadArchives, ...present({image, engine, provided})}
}

/** Looks up the CRDs of the groups in which templates create objects. */
async function providedCrds(
  kinds: readonly TemplateKind[],
  {index: open}: LintPorts,
): Promise<LintSubject['provided']> {
  const groups = new Set(kinds.filter(isLiteral).map(({apiVersion}) => groupOf(apiVersion)))
  if (open === undefined || groups.size === 0) return undefined
  const index = await open()
  const read = await Promise.all([...groups].map(async group => await index.ofGroup(group)))
  return read.flatMap(({summaries}) => summaries.flatMap(({crds}) => crds))
}

/**
 * Reads the templates of a template stack; `missing` if their folder does not exist, undefined if the package
 * has none, or they are in another image. Errors of the
 * behavior are those of lint.
 */
async function templatesOf(
  located: LocatedPackage,
  ports: PackagePorts,
): Promise<ReadTemplates | 'missing' | undefined> {
  const behavior = readBehavior(fileKinds(located.files).behaviors, {errors: [], warnings: []})
  if (behavior === undefined) return undefined
  try {
    const read = await readTemplates(located, behavior, ports, 'own')
    return read ?? (behavior.source.image === undefined ? 'missing' : undefined)
  } catch (error) {
    // The rules of behavior.yaml report a path outside of the package. The cache has no templates.
    if (error instanceof CrossplaneError && ['source-unsafe', 'offline'].includes(error.code))
      return undefined
    throw error
  }
}
