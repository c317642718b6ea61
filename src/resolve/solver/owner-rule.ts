import type {OwnerRule} from '../solver-input.js'

/**
 * Returns the rule that decides about a group, or a pattern of groups: one that names it before one that names its
 * suffix, a longer suffix before a shorter.
 */
export function ownerRuleFor<Rule extends OwnerRule>(
  group: string,
  rules: readonly Rule[],
): Rule | undefined {
  const matching = rules.filter(
    rule => rule.group === group || (rule.group.startsWith('*.') && group.endsWith(rule.group.slice(1))),
  )
  const weight = (rule: OwnerRule) => (rule.group === group ? Infinity : rule.group.length)
  return matching.sort((a, b) => weight(b) - weight(a))[0]
}
