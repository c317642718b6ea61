import {describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {SHELLS} from '../../src/cli/completion/shell-script.js'
import {checkListFormat} from '../../src/cli/shell/flags/list-format.js'
import {flagValueKind} from '../../src/completion/value-kind.js'
import {runCli} from '../run-cli.js'

describe('completion', () => {
  it.each(SHELLS)('prints the script of %s', async shell => {
    const {status, stdout, stderr} = await runCli('completion', shell)
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expect(stdout).toMatch(/^#.+\n/)
    expect(stdout).toContain('kubectl-crossplane __complete')
  })

  it('prints a script that bash can parse', async () => {
    const {stdout} = await runCli('completion', 'bash')
    expect(execFileSync('bash', ['-n'], {input: stdout, encoding: 'utf8'})).toBe('')
  })

  it.each([
    {name: 'no shell', in: []},
    {name: 'another shell', in: ['tcsh']},
  ])('$name is a usage error', async ({in: args}) => {
    expect((await runCli('completion', ...args)).status).toBe(2)
  })

  it.each([
    {valueName: 'FORMAT', others: []},
    {valueName: 'FORMAT|GRAPH', others: ['dot', 'mermaid']},
  ])('knows the formats of lists: $valueName', ({valueName, others}) => {
    const flag = {name: 'output', summary: '', takesValue: true, isRepeatable: false, valueName}
    const kind = flagValueKind(flag)
    const formats = kind.kind === 'choices' ? kind.choices.map(({value}) => value) : []
    const complete = formats.map(format => (format.endsWith('=') ? `${format}{.items}` : format))
    expect(complete.map(format => checkListFormat(format, others))).toEqual(complete)
    expect(formats.length).toBeGreaterThan(5 + others.length)
  })
})
