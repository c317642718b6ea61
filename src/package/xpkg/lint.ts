import {hasCompositions} from '../../author/lint/check-compositions.js'
import {canBeConfiguration} from '../../author/lint/check-package-examples.js'
import type {LintDiagnostic} from '../../author/lint/lint-diagnostic.js'
import {lintXpkg, type XpkgSubject} from '../../author/lint/lint-xpkg.js'
import {neededRules} from '../../author/lint/server/needed-rules.js'
import {CrossplaneError} from '../../errors.js'
import type {LocatedPackage} from '../../locate/located-package.js'
import {present} from '../../present.js'
import type {SurfacePackage} from '../../usage/compare-sets.js'
import {ignoresNothing, type LintOptions, type LintPorts, withoutTemplates} from '../lint.js'
import {xpkgClosure} from './closure.js'
import {packageFiles} from './package-files.js'
import {rootOfRead} from './roots.js'
import {surfaceOfXpkg} from './surface.js'

/** Lints a package for a current Crossplane. Throws `usage` for options that do not apply to it. */
export async function lintRead(
  located: LocatedPackage,
  {ignore = [], needsTemplates = false}: LintOptions,
  ports: LintPorts,
): Promise<readonly LintDiagnostic[]> {
  const {name, files, xpkg: {form, baseLayers, examples} = {form: 'image'}} = located
  if (ignore.length > 0 && form !== 'folder') throw ignoresNothing(name)
  if (needsTemplates) throw withoutTemplates(name)
  const rules = await neededRules(files, ports.schemaRules)
  const beside = await closureParts(located, ports)
  return lintXpkg({files, ...present({baseLayers, examples}), ...beside, ...rules})
}

/** Returns what Compositions and the examples of a Configuration are judged by, if the package has some. */
async function closureParts(
  located: LocatedPackage,
  ports: LintPorts,
): Promise<Pick<XpkgSubject, 'closure' | 'match'>> {
  const {files, xpkg} = located
  const hasExamples = (xpkg?.examples ?? []).length > 0 && canBeConfiguration(files)
  if (!hasExamples && !hasCompositions(files)) return {}
  const match = hasExamples ? await ports.patternMatcher?.() : undefined
  return {closure: await knownPackages(located, ports), ...present({match})}
}

/** Milliseconds for the search, without the time for reading packages. */
const TIME_LIMIT = 30_000

/** Returns the packages of the lock that the package is locked in, or those that it depends on and that a source has. */
async function knownPackages(located: LocatedPackage, ports: LintPorts): Promise<readonly SurfacePackage[]> {
  const {folder} = located
  const locked = folder === undefined ? undefined : await ports.lockedPackages?.(folder)
  if (locked !== undefined) return locked
  if (ports.budget === undefined) return []
  try {
    return await dependencies(located, ports.budget(TIME_LIMIT), ports)
  } catch (error) {
    // What cannot be resolved is reported where it is installed.
    if (!(error instanceof CrossplaneError)) throw error
    return []
  }
}

async function dependencies(
  located: LocatedPackage,
  budget: ReturnType<NonNullable<LintPorts['budget']>>,
  ports: LintPorts,
): Promise<readonly SurfacePackage[]> {
  const root = rootOfRead(located, ports)
  const {packages, roots} = await xpkgClosure({roots: [root], budget}, ports)
  const surfaces: SurfacePackage[] = []
  // One after the other: a large package has a thousand CRDs.
  for (const own of packages.filter(({repository}) => repository !== root.repository)) {
    const files = await packageFiles(own, roots, ports)
    const surface = surfaceOfXpkg({name: own.repository, files})
    surfaces.push({package: own.repository, version: own.version, surface})
  }
  return surfaces
}
