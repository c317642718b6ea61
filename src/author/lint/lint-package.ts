import type {Diagnostic} from '../../diagnostic.js'
import {MAX_LISTED} from '../../unpack/diagnostics.js'
import {inWalkOrder} from '../../unpack/read-package.js'
import {type Candidate, candidateOf, type LintSubject} from './candidate.js'
import {checkAnnotations} from './check-annotations.js'
import {checkApp} from './check-app.js'
import {checkConversion} from './check-conversion.js'
import {checkBehavior} from './check-behavior.js'
import {checkCrds} from './check-crds.js'
import {checkDependencies} from './check-dependencies.js'
import {checkDescriptions} from './check-descriptions.js'
import {checkFiles} from './check-files.js'
import {checkIcons} from './check-icons.js'
import {checkImages} from './check-images.js'
import {checkMetadata} from './check-metadata.js'
import {checkOverlays} from './check-overlays.js'
import {checkPermissions} from './check-permissions.js'
import {checkRuntime} from './check-runtime.js'
import {checkScalars} from './check-scalars.js'
import {checkStackYaml} from './check-stack-yaml.js'
import {checkTemplateImage} from './check-template-image.js'
import {checkTemplates} from './check-templates.js'
import type {LintDiagnostic} from './lint-diagnostic.js'
import {lintRule} from './lint-rules.js'
import {checkServices} from './services/check-services.js'

/** Lints a package; diagnostics are in the order of its files and their lines. Never throws. */
export function lintPackage(subject: LintSubject): LintDiagnostic[] {
  const candidate = candidateOf(subject)
  const {files, errors, warnings} = candidate.examination
  const checked = atMost(
    MAX_LISTED,
    CHECKS.flatMap(check => check(candidate)),
  )
  return inWalkOrder([...errors, ...warnings, ...checked], files.all).map(findingOf)
}

const CHECKS: readonly ((candidate: Candidate) => readonly Diagnostic[])[] = [
  checkFiles,
  checkScalars,
  checkApp,
  checkDependencies,
  checkPermissions,
  checkRuntime,
  checkBehavior,
  checkStackYaml,
  checkOverlays,
  checkTemplates,
  checkTemplateImage,
  ({engine}) => engine?.diagnostics ?? [],
  checkImages,
  checkCrds,
  checkConversion,
  checkAnnotations,
  checkMetadata,
  checkDescriptions,
  checkIcons,
  checkServices,
]

/** A hostile package can have millions. */
function atMost(count: number, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const first = diagnostics[count]
  if (first === undefined) return diagnostics
  const message = `more than ${count} problems were found; the others are not listed`
  return [...diagnostics.slice(0, count), {severity: 'warning', rule: 'too-many', message, file: first.file}]
}

/** Diagnostics about the package as a whole name its folder. */
function findingOf({rule, message, file = '.registry', line, field}: Diagnostic): LintDiagnostic {
  const {severity = 'error' as const, advice = ''} = lintRule(rule) ?? {}
  return {rule, severity, message, file, line, field, advice}
}
