import type {EngineFindings} from '../author/lint/candidate.js'
import type {MatchPattern} from '../crd/checks/value-limits.js'
import type {SchemaRules} from '../crd/schema-rules.js'
import {CrossplaneError} from '../errors.js'
import type {PackageIndex} from '../index/package-index.js'
import type {LocatedPackage, PackagePorts} from '../locate/located-package.js'
import type {Budget} from '../resolve/solver/solver.js'
import type {SurfacePackage} from '../usage/compare-sets.js'
import {shellWord} from '../text.js'
import type {Behavior, PackageCrd, PermissionScope} from '../unpack/package.js'
import type {PackageFile} from '../unpack/package-file.js'

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
  /** Matches values with patterns; loaded for packages with examples. */
  readonly patternMatcher?: () => Promise<MatchPattern>
  /** Limits the search for the packages that a package depends on; without it they are not looked up. */
  readonly budget?: (milliseconds: number) => Budget
  /** Reads the packages of the lock of a folder, without a network; undefined without a lock that can be read. */
  readonly lockedPackages?: (folder: string) => Promise<readonly SurfacePackage[] | undefined>
}

/** What a user asks of lint that not every package has. */
export interface LintOptions {
  /** Patterns of files and folders to leave out of a source folder. */
  readonly ignore?: readonly string[]
  /** Whether only a package with templates is accepted. */
  readonly needsTemplates?: boolean
}

/** The error for `--ignore` with a package that has no source folder to leave files out of. */
export function ignoresNothing(name: string): CrossplaneError {
  const message = `--ignore does not apply to ${name}: it is not a folder with crossplane.yaml`
  return new CrossplaneError('usage', message, {
    suggestions: ['Leave out --ignore: an image and .registry/ have only files of the package.'],
  })
}

/** The error for a package without templates where they are to be checked. */
export function withoutTemplates(name: string): CrossplaneError {
  return new CrossplaneError('usage', `${name} has no templates: it contains no behavior.yaml`, {
    suggestions: [`kubectl crossplane package lint ${shellWord(name)}`],
  })
}
