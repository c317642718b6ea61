import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {celValue, type CelValue} from '../../../src/adapters/cel/cel-value.js'
import {ruleCompiler} from '../../../src/adapters/cel/compile-rule.js'
import {RULE_VARIABLES} from '../../../src/inspect/policy/judged-package.js'
import {buildGoCel, type GoCel} from '../../go-cel/go-cel.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {CONDITIONS, VARIABLES} from './conditions.js'

const compile = ruleCompiler(RULE_VARIABLES)

/** True or false, or that there is neither. */
function ours(expression: string): boolean | 'error' {
  const rule = compile({expression})
  if (rule.compiled.faults !== undefined) return 'error'
  const {kind} = rule.evaluate(celValue(VARIABLES) as Readonly<Record<string, CelValue>>)
  if (kind === 'allowed') return true
  return kind === 'denied' ? false : 'error'
}

describeReal('conditions of rules', missingTool('go'), () => {
  let go: GoCel
  beforeAll(async () => {
    go = await buildGoCel()
  }, 300_000)
  afterAll(async () => {
    await go.remove()
  })

  it('are what cel-go says', async () => {
    const results = await go.evaluate(VARIABLES, CONDITIONS)
    const want = CONDITIONS.map((condition, index) => {
      const {value, error} = results[index] ?? {value: null, error: 'compile'}
      return `${condition} is ${String(error === undefined && typeof value === 'boolean' ? value : 'error')}`
    })
    expect(CONDITIONS.map(condition => `${condition} is ${String(ours(condition))}`)).toEqual(want)
  })
})
