import type {CompiledRule, RuleEngine, RuleVerdict} from '../../inspect/policy/rule-engine.js'
import {RULE_LIMITS as LIMITS, RuleThread} from './rule-thread.js'

/** Creates an engine whose worker starts when it is needed. */
export function celEngine(): RuleEngine {
  const thread = new RuleThread()
  let left: number = LIMITS.allMs
  return {
    compile: async (rules, of) => {
      const compiled = await thread.start({rules, of})
      if (!isLimit(compiled)) return compiled as readonly CompiledRule[]
      const {message} = compiled
      return rules.map(() => ({faults: [{in: 'expression', row: 1, column: 1, message}]}))
    },
    evaluate: async (rules, variables) => {
      const verdicts: RuleVerdict[] = []
      const taken = await thread.ask({variables}, LIMITS.startMs)
      if (isLimit(taken)) return [taken]
      for (const evaluate of rules) {
        const start = performance.now()
        const verdict = await thread.ask({evaluate}, Math.min(LIMITS.ruleMs, left))
        left = Math.max(0, left - (performance.now() - start))
        verdicts.push(verdict as RuleVerdict)
        if (isLimit(verdict)) break
      }
      return verdicts
    },
  }
}

function isLimit(answer: unknown): answer is Extract<RuleVerdict, {readonly kind: 'limit'}> {
  return (answer as {readonly kind?: unknown} | undefined)?.kind === 'limit'
}
