import type {EngineFindings} from '../author/lint/candidate.js'
import {lintPackage} from '../author/lint/lint-package.js'
import {lintXpkg} from '../author/lint/lint-xpkg.js'
import {neededRules} from '../author/lint/server/needed-rules.js'
import type {SchemaRules} from '../crd/schema-rules.js'
import type {LintDiagnostic} from '../author/lint/lint-diagnostic.js'
import {type LintReport, lintReport} from '../author/lint/lint-report.js'
import {present} from '../present.js'
import type {PackageReference} from '../reference/package-reference.js'
import {type GivenPackage, locateGiven, locatePackage} from '../locate/locate-package.js'
import type {LocatedPackage, PackagePorts} from '../locate/located-package.js'
import type {XpkgSource} from '../locate/xpkg-source.js'
import {readOnce} from '../locate/read-once.js'
import {type ReadTemplates, readTemplates} from '../locate/read-templates.js'
import type {PackageIndex} from '../index/package-index.js'
import {groupOf} from '../kubernetes/object-key.js'
import {CrossplaneError} from '../errors.js'
import {quoted, shellWord} from '../text.js'
import {isLiteral, type TemplateKind} from '../unpack/templates/template-kind.js'
import {templateKinds} from '../unpack/templates/template-kinds.js'
import {readTemplateArchives} from '../unpack/templates/unpacked-chart.js'
import type {Behavior, PackageCrd, PermissionScope} from '../unpack/package.js'
import {examinePackage} from '../unpack/read-package.js'
import type {LintSubject} from '../author/lint/candidate.js'
import {readBehavior} from '../unpack/behavior.js'
import {fileKinds} from '../unpack/file-kinds.js'
import type {PackageFile} from '../unpack/package-file.js'

/** A package to lint. */
export interface LintQuery extends GivenPackage {
  /** Patterns of files and folders to leave out of the folder of a package for a current Crossplane. */
  readonly ignore?: readonly string[]
  /** Whether only a package with templates is accepted. */
  readonly needsTemplates?: boolean
}

/** A package whose templates are checked by their engine. */
export interface TemplatesToCheck {
  readonly located: LocatedPackage
  readonly behavior: Behavior
  /** Empty if the package cannot be read as a whole. */
  readonly crds: readonly PackageCrd[]
  readonly scope: PermissionScope
  /** By paths in the folder of the behavior. */
  readonly files: readonly PackageFile[]
}

/** Checks the templates of a package with their engine. */
export type TemplateChecks = (templates: TemplatesToCheck, ports: PackagePorts) => Promise<EngineFindings>

/** The sources of packages, and what only packages with templates need. */
export interface LintPorts extends PackagePorts {
  readonly checkTemplates?: TemplateChecks
  /** The packages in which the kinds of objects are looked up. */
  readonly index?: () => Promise<PackageIndex>
  /** Compiles rules in CEL; loaded for packages that have some. */
  readonly schemaRules?: () => Promise<SchemaRules>
}

/** Lints a package. Throws if it cannot be read at all, and `usage` if it must have templates and has none. */
export async function lint(
  {ignore = [], needsTemplates = false, ...query}: LintQuery,
  sources: LintPorts,
): Promise<LintReport> {
  const ports = readOnce(sources)
  const located = await locatedToLint(query, ignore, ports)
  return lintReport(located.name, await lintLocated(located, ports, needsTemplates))
}

async function locatedToLint(
  query: GivenPackage,
  ignore: readonly string[],
  ports: PackagePorts,
): Promise<LocatedPackage> {
  const located = await locateGiven(query, {...ports, sourceFolder: {ignore, examples: true}})
  if (ignore.length > 0 && located.xpkg?.form !== 'folder') throw ignoresNothing(located.name)
  return located
}

async function lintFiles(
  {files}: LocatedPackage,
  {baseLayers, examples}: XpkgSource,
  {schemaRules}: LintPorts,
): Promise<readonly LintDiagnostic[]> {
  const rules = await neededRules(files, schemaRules)
  return lintXpkg({files, ...present({baseLayers, examples}), ...rules})
}

/**
 * Lints a package that is about to be published, with the tag that it gets: with all checks of `package lint`, those of the
 * engine of its templates among them. Throws if it cannot be read.
 */
export async function lintToPublish(
  source: Exclude<PackageReference, {readonly kind: 'image'}>,
  tag: string | undefined,
  {sources, platform, checkTemplates, schemaRules}: Omit<LintPorts, 'remote'>,
): Promise<readonly LintDiagnostic[]> {
  const ports = readOnce({sources, schemaRules, remote: {}, ...present({platform, checkTemplates})})
  const located = await locatePackage(source, ports)
  return await lintLocated({...located, ...present({tag})}, ports)
}

function ignoresNothing(name: string): CrossplaneError {
  const message = `--ignore does not apply to ${name}: it is not a folder with crossplane.yaml`
  return new CrossplaneError('usage', message, {
    suggestions: ['Leave out --ignore: an image and .registry/ have only files of the package.'],
  })
}

async function lintLocated(
  located: LocatedPackage,
  ports: LintPorts,
  needsTemplates = false,
): Promise<readonly LintDiagnostic[]> {
  const {name, files, xpkg, tag, reference} = located
  if (needsTemplates && !hasTemplates(located)) throw withoutTemplates(name)
  if (xpkg !== undefined) return await lintFiles(located, xpkg, ports)
  const templates = await templatesOf(located, ports)
  if (needsTemplates && templates === 'missing') throw withoutFolder(located)
  const checked = templates === 'missing' ? {} : await checkedTemplates(located, templates, ports)
  const rules = await neededRules(files, ports.schemaRules)
  return lintPackage({files, tag, ...present({reference}), ...checked, ...rules})
}

function hasTemplates({files, xpkg}: LocatedPackage): boolean {
  return xpkg === undefined && fileKinds(files).behaviors.length > 0
}

function withoutTemplates(name: string): CrossplaneError {
  return new CrossplaneError('usage', `${name} has no templates: it contains no behavior.yaml`, {
    suggestions: [`kubectl crossplane package lint ${shellWord(name)}`],
  })
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
