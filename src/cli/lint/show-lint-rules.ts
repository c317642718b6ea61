import {LINT_RULES} from '../../author/lint/lint-rules.js'
import type {LintFormat} from './show-lint.js'
import {formatDocument} from '../shell/document/show.js'
import {formatList} from '../shell/text/table.js'

/** Formats the list of all rules, as a table unless a document is requested. */
export function formatLintRules(format: LintFormat): string {
  const rules = LINT_RULES.map(({id, severity, title}) => ({id, severity, title}))
  if (format === 'json' || format === 'yaml') return formatDocument({kind: 'LintRuleList', rules}, format)
  const rows = rules.map(({id, severity, title}) => [id, severity, title])
  return formatList(['RULE', 'SEVERITY', 'TITLE'], rows, (_style, text) => text)
}
