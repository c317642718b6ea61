import type {Diagnostic} from '../../diagnostic.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {exampleErrors} from '../../xpkg/content/check-examples.js'
import {examineXpkg} from '../../xpkg/content/examine-xpkg.js'
import {baseLayerDiagnostics} from '../../xpkg/image/base-layers.js'
import {present} from '../../present.js'
import type {MatchPattern} from '../../crd/checks/value-limits.js'
import type {SchemaRules} from '../../crd/schema-rules.js'
import type {SurfacePackage} from '../../usage/compare-sets.js'
import {compositionErrors} from './check-compositions.js'
import {invalidExamples} from './check-package-examples.js'
import type {LintDiagnostic} from './lint-diagnostic.js'
import {lintRule} from './lint-rules.js'
import {serverCheck} from './server/server-check.js'

/** The files of a package for a current Crossplane, and the layers of its image that are marked as its own. */
export interface XpkgSubject {
  readonly files: readonly PackageFile[]
  readonly baseLayers?: number
  /** The files in the examples of its folder, which are built into the image. */
  readonly examples?: readonly PackageFile[]
  /** Compiles and evaluates rules in CEL; without it they are left to the server. */
  readonly rules?: SchemaRules
  /** Matches values with patterns; without it, only plain patterns are judged. */
  readonly match?: MatchPattern
  /** What is known of the packages that it depends on. */
  readonly closure?: readonly SurfacePackage[]
}

/** Lints a package for a current Crossplane; diagnostics are in the order of its files and their lines. */
export function lintXpkg({
  files,
  baseLayers,
  examples = [],
  rules,
  match,
  closure = [],
}: XpkgSubject): LintDiagnostic[] {
  const {errors, problems, xpkg} = examineXpkg(files, serverCheck(rules))
  const unreadable = exampleErrors(examples)
  const compositions = errors.length > 0 ? [] : compositionErrors(files, closure)
  const invalid =
    xpkg?.kind !== 'Configuration' || errors.length > 0 || unreadable.length > 0
      ? []
      : invalidExamples({files, examples, closure}, present({rules, match}))
  return [
    ...baseLayerDiagnostics(baseLayers),
    ...errors,
    ...problems,
    ...compositions,
    ...unreadable,
    ...invalid,
  ].map(findingOf)
}

/** Some rules have one severity here and another for packages with `.registry/`: that of the rule is stated. */
function findingOf({rule, message, file = 'package.yaml', line, field}: Diagnostic): LintDiagnostic {
  const {severity = 'error' as const, advice = ''} = lintRule(rule) ?? {}
  return {rule, severity, message, file, line, field, advice}
}
