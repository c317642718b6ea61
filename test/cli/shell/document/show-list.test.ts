import {describe, expect, it} from '@jest/globals'
import {runCli} from '../../../run-cli.js'
import {temporaryFolder} from '../../../temporary-folder.js'

const empty = ['cache', 'list', '--cache-dir', temporaryFolder()]
const INDEX = ['registry', 'index', 'list', '--packages', 'test/testdata/packages']

describe('the formats of lists', () => {
  it('reports an empty list on standard error, without a header', async () => {
    for (const format of ['text', 'wide', 'name']) {
      expect(await runCli(...empty, '-o', format)).toEqual({
        status: 0,
        stdout: '',
        stderr: 'no packages found\n',
      })
    }
  })

  it.each([
    {format: 'json', want: /"packages": \[\]/},
    {format: 'yaml', want: /^packages: \[\]$/m},
    {format: 'jsonpath={.kind}', want: /^CacheList$/},
  ])('prints an empty list as $format', async ({format, want}) => {
    const {status, stdout, stderr} = await runCli(...empty, '-o', format)
    expect({status, stdout, stderr}).toEqual({status: 0, stdout: expect.stringMatching(want), stderr: ''})
  })

  it.each(['xml', 'jsonpath={.a'])('rejects %s', async format => {
    const {status, stderr} = await runCli(...empty, '-o', format)
    expect({status, stderr}).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^Error: invalid [^\n]+\nTry: /),
    })
  })

  it('prints names that jsonpath prints too', async () => {
    const names = await runCli(...INDEX, '-o', 'name')
    const template = '{range .packages[*]}{.package}:{.tag}{"\\n"}{end}'
    const path = await runCli(...INDEX, '-o', `jsonpath=${template}`)
    expect({status: names.status, stdout: names.stdout}).toEqual({status: 0, stdout: path.stdout})
  })
})
