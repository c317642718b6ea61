import {describe, expect, it} from '@jest/globals'
import {celEngine} from '../../../src/adapters/cel/cel-engine.js'
import {RULE_VARIABLES} from '../../../src/inspect/policy/judged-package.js'

const variables = (more: object = {}) =>
  JSON.stringify({pkg: {}, images: [], permissions: [], crds: [], signatures: [], ...more})

describe('the engine of rules', () => {
  it('compiles and evaluates in a worker', async () => {
    const engine = celEngine()
    const rules = [{expression: 'size(crds) == 0'}, {expression: 'false'}]
    expect(await engine.compile(rules, RULE_VARIABLES)).toEqual([{uses: ['crds']}, {uses: []}])
    expect(await engine.evaluate([0, 1], variables())).toEqual([{kind: 'allowed'}, {kind: 'denied'}])
    expect(await engine.evaluate([0], variables({crds: [{}]}))).toEqual([{kind: 'denied'}])
  })

  it('ends a rule that fills the memory', async () => {
    const engine = celEngine()
    const text = 'x'.repeat(1 << 20)
    const expression = 'images.map(i, images.map(j, (i + j).replace("x", "yy"))).size() == 0'
    await engine.compile([{expression}, {expression: 'true'}], RULE_VARIABLES)
    const images = Array.from({length: 40}, (_none, index) => `${text}${String(index)}`)
    expect(await engine.evaluate([0, 1], variables({images}))).toEqual([
      {kind: 'limit', message: expect.any(String)},
    ])
  })
})
