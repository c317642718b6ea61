import type {LintDiagnostic} from '../../author/lint/lint-diagnostic.js'
import {type LintReport, lintReport} from '../../author/lint/lint-report.js'
import {type GivenPackage, locateGiven, locatePackage} from '../../locate/locate-package.js'
import {readOnce} from '../../locate/read-once.js'
import {formatFor} from '../../package/formats.js'
import type {LintOptions, LintPorts} from '../../package/lint.js'
import {present} from '../../present.js'
import type {PackageReference} from '../../reference/package-reference.js'
import type {LintRule} from '../../author/lint/lint-rule.js'
import {LINT_RULES, lintRule} from '../../author/lint/lint-rules.js'
import {CrossplaneError} from '../../errors.js'
import {isNear, quoted} from '../../text.js'

/** A package to lint. */
export interface LintQuery extends GivenPackage, LintOptions {}

/** Lints a package. Throws if it cannot be read at all, and `usage` for options that do not apply to it. */
export async function lint(query: LintQuery, sources: LintPorts): Promise<LintReport> {
  const ports = readOnce(sources)
  const sourceFolder = {ignore: query.ignore ?? [], examples: true}
  const located = await locateGiven(query, {...ports, sourceFolder})
  const format = await formatFor(located)
  return lintReport(located.name, await format.lint(located, query, ports))
}

/**
 * Lints a package that is about to be published, with the tag that it gets: with all checks of `package lint`, those of the
 * engine of its templates among them. Throws if it cannot be read.
 */
export async function lintToPublish(
  source: Exclude<PackageReference, {readonly kind: 'image'}>,
  tag: string | undefined,
  {sources, platform, checkTemplates, schemaRules, patternMatcher}: Omit<LintPorts, 'remote'>,
): Promise<readonly LintDiagnostic[]> {
  const ports = {sources, remote: {}, ...present({platform, checkTemplates, schemaRules, patternMatcher})}
  const located = await locatePackage(source, ports)
  const format = await formatFor(located)
  return await format.lint({...located, ...present({tag})}, {}, ports)
}

/** Finds a rule of lint by its ID. Throws `usage` with similar IDs for an unknown one. */
export function explainRule(id: string): LintRule {
  const rule = lintRule(id)
  if (rule !== undefined) return rule
  const similar = LINT_RULES.map(other => other.id)
    .filter(text => isNear(text, id) || (id !== '' && text.includes(id)))
    .slice(0, 3)
  throw new CrossplaneError('usage', `unknown lint rule ${quoted(id)}`, {
    suggestions:
      similar.length === 0
        ? ['kubectl crossplane package lint --list-rules']
        : similar.map(text => `kubectl crossplane package lint --explain ${text}`),
  })
}
