import {beforeAll, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {programWords} from '../../built-program.js'
import {runCli} from '../../run-cli.js'
import {runIn} from '../../commands/cluster/installing.js'
import {runBuilt} from '../../run-program.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

const folder = writeTree(temporaryFolder(), {
  config: `current-context: a
contexts: [{name: a, context: {cluster: a, user: a}}]
clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: a, user: {token: x}}]
`,
})

beforeAll(() => {
  programWords()
})

it.each(['install', 'diff', 'upgrade'])(
  'package %s rejects --crossplane-version, and does not list it',
  async verb => {
    expect((await runCli('package', verb, '--help')).stdout).not.toContain('--crossplane-version')
    const words = ['package', verb, 'x/a', '--crossplane-version', 'v0.11']
    const env = {KUBECONFIG: join(folder, 'config')}
    expect(await runBuilt(words, {env})).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--crossplane-version is for rendering without a cluster'),
    })
  },
)

it.each(['install', 'diff'])('package %s without REF names the flag for a declaration', async verb => {
  const {status, stderr} = await runIn({kubeconfig: join(folder, 'config')}, 'package', verb)
  expect({status, stderr}).toEqual({
    status: 2,
    stderr: expect.stringMatching(/^Error: missing argument REF\nTry: .*--declaration FILE.*\n$/m),
  })
  expect(stderr).not.toContain('--filename')
})
