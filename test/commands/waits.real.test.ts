import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {programCommand} from '../built-program.js'
import {listener} from '../listening.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {runProgram} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

/** Longer than a command may wait without a word. */
const PAUSE = 1400

describeReal('a command that waits for a server', missingTool('git', 'script', 'stty'), () => {
  const listen = listener()
  const temporary = temporaryFolder()
  const {CROSSPLANE_WAIT_NOTICE} = process.env

  beforeAll(() => {
    Reflect.deleteProperty(process.env, 'CROSSPLANE_WAIT_NOTICE')
  })
  afterAll(() => {
    process.env.CROSSPLANE_WAIT_NOTICE = CROSSPLANE_WAIT_NOTICE
  })

  /** Serves on loopback: each response comes late, and is a failure. */
  async function slowServer(): Promise<string> {
    const server = createServer((_request, response) => {
      setTimeout(() => response.writeHead(403).end(), PAUSE)
    })
    return `127.0.0.1:${await listen(server)}`
  }

  function kubeconfig(host: string): string {
    const text = `apiVersion: v1
kind: Config
current-context: slow
contexts: [{name: slow, context: {cluster: slow, user: slow}}]
clusters: [{name: slow, cluster: {server: "http://${host}"}}]
users: [{name: slow, user: {token: t}}]
`
    return join(writeTree(join(temporary, host.replace(':', '-')), {kubeconfig: text}), 'kubeconfig')
  }

  const registry = (host: string) => `Contacting ${host}`
  const cluster = (host: string) => `Contacting the cluster at ${host}`
  it.each([
    {name: 'versions', args: (host: string) => ['package', 'versions', `${host}/x/y`], want: registry},
    {
      name: 'pull',
      args: (host: string) => ['package', 'pull', `${host}/x/y:v1`, '--no-cache'],
      want: registry,
    },
    {
      name: 'index list',
      args: (host: string) => ['registry', 'index', 'list', '--index', `${host}/x`],
      want: registry,
    },
    {
      name: 'list',
      args: (host: string) => ['package', 'list', '--kubeconfig', kubeconfig(host)],
      want: cluster,
    },
    {
      name: 'status',
      args: (host: string) => ['package', 'status', '--kubeconfig', kubeconfig(host)],
      want: cluster,
    },
    {
      name: 'uninstall',
      args: (host: string) => ['package', 'uninstall', 'x', '--kubeconfig', kubeconfig(host)],
      want: cluster,
    },
    {
      name: 'install --git',
      args: (host: string) => ['package', 'install', 'x/y:v1', '--git', `http://${host}/r.git`],
      want: (host: string) => `Opening http://${host}/r.git`,
    },
  ])('says so, once, without a terminal: $name', async ({args, want}) => {
    const host = await slowServer()
    const {status, stdout, stderr} = await runCli(...args(host))
    expect(status).not.toBe(0)
    expect(stdout).toBe('')
    const lines = stderr.split('\n').filter(line => line === want(host))
    expect({lines, stderr}).toEqual({lines: [want(host)], stderr})
    // The failure of the server is reported after it.
    expect(stderr).toMatch(/^Error: /m)
  })

  it.each([['-q'], ['-o', 'json']])('says nothing with %s %s', async (...flags) => {
    const host = await slowServer()
    const {stderr} = await runCli('package', 'versions', `${host}/x/y`, ...flags)
    expect(stderr).not.toContain('Contacting')
  })

  it('shows it on one line of a terminal, which is gone before the failure', async () => {
    const host = await slowServer()
    const words = programCommand('package', 'versions', `${host}/x/y`).flat()
    const command = `stty cols 120; ${words.map(word => `'${word}'`).join(' ')}`
    const {stdout} = await runProgram('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      env: {TERM: 'xterm'},
    })
    expect(stdout).toContain(`Contacting ${host}`)
    // The spinner turns, and its line is erased right before the failure.
    expect(stdout).toContain('⠙')
    expect(stdout).toContain('\u001b[0K\u001b[?25h\u001b[31mError:')
    expect(stdout.slice(0, stdout.indexOf('Error:'))).not.toContain('\n')
    // The program may have to be built first.
  }, 300_000)
})
