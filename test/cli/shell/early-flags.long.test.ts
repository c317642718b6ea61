import {describe, expect, it} from '@jest/globals'
import {runCli} from '../../run-cli.js'

const VERSION = await runCli('version')
const PROGRAM_VERSION = await runCli('--version')
const HELP = await runCli('version', '--help')

describe('flags that are read before a command', () => {
  it.each([
    {name: '--help=true', in: ['version', '--help=true'], want: HELP},
    {name: '--help=false', in: ['version', '--help=false'], want: VERSION},
    {name: '-h=0', in: ['version', '-h=0'], want: VERSION},
    {name: '--help and --help=false', in: ['version', '--help', '--help=false'], want: VERSION},
    {name: '--version=true', in: ['--version=true'], want: PROGRAM_VERSION},
    {name: '--help=false after --', in: ['help', 'version', '--', '--help=x'], want: HELP},
  ])('reads $name', async ({in: argv, want}) => {
    expect(await runCli(...argv)).toEqual(want)
  })

  it.each([['version', '--help=x'], ['--version=x'], ['package', 'lint', './x', '-h=x']])(
    'rejects %s %s',
    async (...argv) => {
      const {status, stdout, stderr} = await runCli(...argv)
      expect({status, stdout, stderr}).toEqual({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(/^Error: invalid --\w+ "x": must be true or false\nTry: Write --/),
      })
    },
  )

  it('decides about stack traces by the last --debug', async () => {
    const stacks = async (...flags: readonly string[]) =>
      (await runCli('package', 'lint', './nowhere', ...flags)).stderr.includes('    at ')
    expect([await stacks('--debug=true'), await stacks('--debug', '--debug=false')]).toEqual([true, false])
  })
})
