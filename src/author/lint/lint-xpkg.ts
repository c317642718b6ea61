import type {Diagnostic} from '../../diagnostic.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {examineXpkg} from '../../xpkg/content/examine-xpkg.js'
import {baseLayerDiagnostics} from '../../xpkg/image/base-layers.js'
import type {LintDiagnostic} from './lint-diagnostic.js'
import {lintRule} from './lint-rules.js'

/** The files of a package for a current Crossplane, and the layers of its image that are marked as its own. */
export interface XpkgSubject {
  readonly files: readonly PackageFile[]
  readonly baseLayers?: number
}

/** Lints a package for a current Crossplane; diagnostics are in the order of its files and their lines. */
export function lintXpkg({files, baseLayers}: XpkgSubject): LintDiagnostic[] {
  const {errors, problems} = examineXpkg(files)
  return [...baseLayerDiagnostics(baseLayers), ...errors, ...problems].map(findingOf)
}

/** Some rules have one severity here and another for packages with `.registry/`: that of the rule is stated. */
function findingOf({rule, message, file = 'package.yaml', line, field}: Diagnostic): LintDiagnostic {
  const {severity = 'error' as const, advice = ''} = lintRule(rule) ?? {}
  return {rule, severity, message, file, line, field, advice}
}
