import type {LintRule} from './lint-rule.js'
import {APP_RULES} from './rules/app-rules.js'
import {CRD_RULES} from './rules/crd-rules.js'
import {DEPENDENCY_RULES} from './rules/dependency-rules.js'
import {ENGINE_RULES} from './rules/engine-rules.js'
import {ICON_RULES} from './rules/icon-rules.js'
import {METADATA_RULES} from './rules/metadata-rules.js'
import {MANAGED_RULES} from './rules/managed-rules.js'
import {RUNTIME_RULES} from './rules/runtime-rules.js'
import {SERVICE_RULES} from './rules/service-rules.js'
import {TEMPLATE_RULES} from './rules/template-rules.js'
import {XPKG_OBJECT_RULES} from './rules/xpkg-object-rules.js'
import {XPKG_RULES} from './rules/xpkg-rules.js'
import {YAML_RULES} from './rules/yaml-rules.js'

/** All rules of lint: those of packages with `.registry/`, of packages for a current Crossplane, and of YAML. */
export const LINT_RULES: readonly LintRule[] = [
  ...APP_RULES,
  ...DEPENDENCY_RULES,
  ...RUNTIME_RULES,
  ...TEMPLATE_RULES,
  ...ENGINE_RULES,
  ...CRD_RULES,
  ...MANAGED_RULES,
  ...SERVICE_RULES,
  ...METADATA_RULES,
  ...ICON_RULES,
  ...XPKG_RULES,
  ...XPKG_OBJECT_RULES,
  ...YAML_RULES,
]

const BY_ID: ReadonlyMap<string, LintRule> = new Map(LINT_RULES.map(rule => [rule.id, rule]))

export function lintRule(id: string): LintRule | undefined {
  return BY_ID.get(id)
}
