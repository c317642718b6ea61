import {describe, expect, it} from '@jest/globals'
import {celValue, type CelValue} from '../../../src/adapters/cel/cel-value.js'
import {ruleCompiler} from '../../../src/adapters/cel/compile-rule.js'
import {RULE_VARIABLES} from '../../../src/inspect/policy/judged-package.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const compile = ruleCompiler(RULE_VARIABLES)

/** The faults of an expression as `ROW:COLUMN MESSAGE`. */
function faultsOf(expression: string, messageExpression?: string): readonly string[] {
  const texts = {expression, ...(messageExpression === undefined ? {} : {messageExpression})}
  return (compile(texts).compiled.faults ?? []).map(
    ({row, column, message}) => `${String(row)}:${String(column)} ${message}`,
  )
}

const VARIABLES: JsonObject = {
  pkg: {repository: 'docker.io/x/app', tag: 'v1.0.0', requested: true},
  images: [{reference: 'x/app:v1', digest: ''}],
  permissions: [],
  crds: Array.from({length: 3000}, (_none, index) => ({name: `c${String(index)}`, group: 'x.example.org'})),
  signatures: [],
}

const evaluate = (expression: string, messageExpression?: string) =>
  compile({expression, ...(messageExpression === undefined ? {} : {messageExpression})}).evaluate(
    celValue(VARIABLES) as Readonly<Record<string, CelValue>>,
  )

describe('the compiler of rules', () => {
  const FAULTS = [
    {name: 'an unknown variable', in: 'size(image) == 0', want: ['1:6 image is not a variable']},
    {name: 'an unknown field', in: 'pkg.repo == ""', want: ['1:5 pkg has no field repo']},
    {
      name: 'an unknown field of an element',
      in: 'images.all(i,\n  i.digset != "")',
      want: ['2:5 i has no field digset'],
    },
    {
      name: 'a function of Kubernetes',
      in: 'url(pkg.tag).getHost() == ""',
      want: ["url belongs to Kubernetes' own CEL library (URLs)"],
    },
    {name: 'a quantity', in: 'quantity("1Gi").isGreaterThan(quantity("1"))', want: ['(quantities)']},
    {name: 'an unknown function', in: 'frob(1)', want: ['1:1 frob is not a function of CEL']},
    {
      name: 'a function that only the library has',
      in: 'b"a".json() == 1',
      want: ['json is not a function of CEL'],
    },
    {name: 'a type', in: 'pkg.tag.size()', want: ['must be a bool, but is a int']},
    {name: 'an unfinished text', in: 'pkg.tag ==', want: ['1:11 ']},
    {name: 'deep nesting', in: `${'('.repeat(4000)}true${')'.repeat(4000)}`, want: ['']},
    {name: 'deep lists', in: `${'['.repeat(4000)}1${']'.repeat(4000)} == []`, want: ['']},
  ]
  it.each(FAULTS)('reports $name with its place', ({in: text, want}) => {
    const faults = faultsOf(text)
    expect(faults).toHaveLength(want.length)
    want.forEach((part, index) => {
      expect(faults[index]).toContain(part)
    })
  })

  it('checks the expression of the message, too', () => {
    expect(faultsOf('true', '1 + 2')).toEqual([expect.stringContaining('must be a string')])
  })

  it('says which variables a rule uses', () => {
    expect(compile({expression: 'crds.all(c, true) && pkg.requested'}).compiled).toEqual({
      uses: expect.arrayContaining(['crds', 'pkg']),
    })
  })

  it('allows, denies with a message, and fails for what cannot be evaluated', () => {
    expect(evaluate('pkg.requested')).toEqual({kind: 'allowed'})
    expect(evaluate('images.all(i, i.digest != "")', '"bad: " + images[0].reference')).toEqual({
      kind: 'denied',
      message: 'bad: x/app:v1',
    })
    expect(evaluate('false', 'images[7].reference')).toEqual({kind: 'denied'})
    expect(evaluate('images[7].digest == ""')).toMatchObject({kind: 'failed'})
    expect(evaluate('pkg.tag')).toMatchObject({kind: 'failed'})
  })

  it('matches in linear time', () => {
    const text = `"${'a'.repeat(5000)}!"`
    expect(evaluate(`!${text}.matches("^(a+)+$")`)).toEqual({kind: 'allowed'})
    expect(evaluate('"a".matches("(?=a)")')).toMatchObject({kind: 'failed'})
  })

  const text = `"${'y'.repeat(500)}"`
  const large = `${text}.replace("y", ${text}).replace("y", "${'z'.repeat(200)}")`
  it.each([
    {name: 'texts', in: `[${large}].map(s, [1, 2].map(i, s + s)).size() == 9`},
    {name: 'bytes', in: `[${large}].map(s, [1, 2, 3].map(i, bytes(s))).size() == 9`},
    {name: 'joined bytes', in: `[bytes(${large})].map(b, [1, 2].map(i, b + b)).size() == 9`},
    {name: 'lists', in: `[${large}].map(s, s.split("")).size() == 9`},
    {name: 'texts, where the error is hidden', in: `${large} + ${large} == "" || true`},
  ])('ends what makes large values: $name', ({in: expression}) => {
    const before = process.memoryUsage().external
    expect(evaluate(expression)).toEqual({kind: 'limit', message: 'it makes more than 32 MiB of values'})
    expect(process.memoryUsage().external - before).toBeLessThan(160 << 20)
  })

  it('does not end what reads a value often', () => {
    const numbers = `[${Array.from({length: 900}, (_none, index) => index).join(', ')}]`
    expect(evaluate(`${numbers}.filter(i, ${text}.size() == 500 && i >= 0).size() == 900`)).toEqual({
      kind: 'allowed',
    })
  })

  it('ends what loops over lists of lists', () => {
    const loops = 'crds.all(a, crds.all(b, crds.all(c, a.name != "" || b.name != c.name)))'
    expect(evaluate(loops)).toMatchObject({kind: 'limit'})
    expect(evaluate(`${loops} || true`)).toMatchObject({kind: 'limit'})
  })
})
