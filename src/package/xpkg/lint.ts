import type {LintDiagnostic} from '../../author/lint/lint-diagnostic.js'
import {lintXpkg} from '../../author/lint/lint-xpkg.js'
import {neededRules} from '../../author/lint/server/needed-rules.js'
import type {LocatedPackage} from '../../locate/located-package.js'
import {present} from '../../present.js'
import {ignoresNothing, type LintOptions, type LintPorts, withoutTemplates} from '../lint.js'

/** Lints a package for a current Crossplane. Throws `usage` for options that do not apply to it. */
export async function lintRead(
  {name, files, xpkg: {form, baseLayers, examples} = {form: 'image'}}: LocatedPackage,
  {ignore = [], needsTemplates = false}: LintOptions,
  {schemaRules}: LintPorts,
): Promise<readonly LintDiagnostic[]> {
  if (ignore.length > 0 && form !== 'folder') throw ignoresNothing(name)
  if (needsTemplates) throw withoutTemplates(name)
  const rules = await neededRules(files, schemaRules)
  return lintXpkg({files, ...present({baseLayers, examples}), ...rules})
}
