import type {LintRule} from '../author/lint/lint-rule.js'
import {LINT_RULES, lintRule} from '../author/lint/lint-rules.js'
import {CrossplaneError} from '../errors.js'
import {isNear, quoted} from '../text.js'

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
