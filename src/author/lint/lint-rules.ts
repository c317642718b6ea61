import type {LintRule} from './lint-rule.js'
import {APP_RULES} from './rules/app-rules.js'
import {CRD_RULES} from './rules/crd-rules.js'
import {DEPENDENCY_RULES} from './rules/dependency-rules.js'
import {ICON_RULES} from './rules/icon-rules.js'
import {METADATA_RULES} from './rules/metadata-rules.js'
import {RUNTIME_RULES} from './rules/runtime-rules.js'
import {YAML_RULES} from './rules/yaml-rules.js'

/** All rules of lint, general ones first. */
export const LINT_RULES: readonly LintRule[] = [
  ...APP_RULES,
  ...DEPENDENCY_RULES,
  ...RUNTIME_RULES,
  ...CRD_RULES,
  ...METADATA_RULES,
  ...ICON_RULES,
  ...YAML_RULES,
]

const BY_ID: ReadonlyMap<string, LintRule> = new Map(LINT_RULES.map(rule => [rule.id, rule]))

export function lintRule(id: string): LintRule | undefined {
  return BY_ID.get(id)
}
