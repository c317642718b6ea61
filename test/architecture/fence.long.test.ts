import {describe, expect, it} from '@jest/globals'
import {cruise, type IConfiguration, type ICruiseResult, type IViolation} from 'dependency-cruiser'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'

const fixtures = join(import.meta.dirname, 'fixtures')
const require = createRequire(import.meta.url)
const {forbidden = [], options = {}} = require('../../.dependency-cruiser.cjs') as IConfiguration
const {tsConfig: _tsConfig, ...cruiseOptions} = options

async function violationsIn(directory: string): Promise<readonly IViolation[]> {
  const parts = ['src', 'bin', 'scripts', 'plugins'].filter(part => existsSync(join(directory, part)))
  const {output} = await cruise(parts, {
    ...cruiseOptions,
    baseDir: directory,
    validate: true,
    ruleSet: {forbidden},
  })
  return (output as ICruiseResult).summary.violations
}

/** A cycle is reported once, by any of its modules. */
function offendersOf({from, cycle}: IViolation): readonly string[] {
  return cycle === undefined ? [from] : cycle.map(module => module.name)
}

/** Offenders of a tree name what they export so. */
function declaredOffenders(directory: string): readonly string[] {
  return readdirSync(directory, {recursive: true, encoding: 'utf8'})
    .filter(
      path =>
        path.endsWith('.ts') && /export \w+ offender/i.test(readFileSync(join(directory, path), 'utf8')),
    )
    .sort()
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort()
}

describe('the architecture rules', () => {
  const rules = distinct(forbidden.map(rule => String(rule.name)))

  it('have a fixture for each rule, and a rule for each fixture', () => {
    expect(readdirSync(fixtures).sort()).toEqual([...rules, 'allowed'].sort())
  })

  it.each(rules)('%s rejects exactly its violations', async rule => {
    const directory = join(fixtures, rule)
    const found = await violationsIn(directory)
    expect({
      rules: distinct(found.map(violation => violation.rule.name)),
      offenders: distinct(found.flatMap(offendersOf)),
    }).toEqual({rules: [rule], offenders: declaredOffenders(directory)})
  })

  // `npm run depcruise` holds this project to them.
  it('allow what they allow: a fence that stops everything holds nothing', async () => {
    const found = await violationsIn(join(fixtures, 'allowed'))
    expect(found.map(({rule, from, to}) => `${rule.name}: ${from} → ${to}`)).toEqual([])
  })
})
