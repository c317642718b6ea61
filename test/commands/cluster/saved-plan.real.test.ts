import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {type WatchedServer, watchedServer} from '../../cluster/watched-server.js'
import {schemaOf, schemaViolations} from '../../json-schema.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {DATABASE} from '../fixtures.js'
import {killedBefore, ownEntries, runIn} from './installing.js'
import {DemoPackages} from './some-world.js'

const temporary = temporaryFolder()
const CONTROLLER = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {namespace: 'crossplane-system', name: 'demo-app-controller'},
}

describeCluster('current', 'a saved plan', cluster => {
  const packages = new DemoPackages().publish('app', 'v1.0.0').publish('lib', 'v1.0.0')
  const folder = mkdtempSync(join(temporary, 'plans-'))
  const at = (name: string) => join(folder, name)
  const SOURCE = ['--packages', packages.folder]
  const INSTALL = [
    'package',
    'install',
    'demo/app:v1.0.0',
    ...SOURCE,
    '--with-package-api',
    '--create-namespace',
  ]
  const run = (...args: readonly string[]) => runIn(cluster(), ...args)

  /** How many requests of the program change something. */
  async function writes(...args: readonly string[]) {
    const audit = auditOf(cluster())
    const mark = await audit.mark()
    const result = await run(...args)
    return {...result, writes: ownEntries(await audit.since(mark)).filter(isWrite).length}
  }

  let server: WatchedServer | undefined
  afterAll(async () => await server?.close())

  const edited = (name: string, from: string, to: string): string => {
    const text = readFileSync(at('install.json'), 'utf8')
    expect(text).toContain(from)
    writeFileSync(at(name), text.replace(from, to))
    return at(name)
  }

  beforeAll(async () => {
    expect(await writes(...INSTALL, '--plan-out', at('install.json'))).toMatchObject({status: 0, writes: 0})
  })

  it('is a document with the command that created it', () => {
    const saved = JSON.parse(readFileSync(at('install.json'), 'utf8')) as {readonly origin: unknown}
    expect(schemaViolations(schemaOf('plan'), saved)).toEqual([])
    expect(saved.origin).toMatchObject({
      command: 'package install',
      arguments: ['demo/app:v1.0.0', ...SOURCE, '--with-package-api', '--create-namespace'],
    })
  })

  it.each([
    {
      name: 'an operation',
      from: 'the object does not exist',
      to: 'because',
      status: 5,
      code: 'plan-outdated',
    },
    {
      name: 'a content',
      from: 'registry.example.org',
      to: 'evil.example.org',
      status: 5,
      code: 'plan-outdated',
    },
    {name: 'the server', from: '"server": "https:', to: '"server": "http:', status: 5, code: 'plan-outdated'},
    {name: 'the context', from: '"context": "', to: '"context": "other', status: 5, code: 'plan-outdated'},
    {
      name: 'the version',
      from: '"toolVersion": "',
      to: '"toolVersion": "9',
      status: 5,
      code: 'plan-outdated',
    },
    {
      name: 'the namespace of an object',
      from: '"namespace": "crossplane-system"',
      to: '"namespace": "default"',
      status: 5,
      code: 'cluster-refused',
    },
    {
      name: 'a precondition',
      from: '"absent": true',
      to: '"absent": false',
      status: 1,
      code: 'input-invalid',
    },
    {name: 'an argument', from: '"--with-package-api"', to: '"--yes"', status: 1, code: 'input-invalid'},
    {name: 'a flag', from: '"--with-package-api"', to: '"--bare"', status: 1, code: 'input-invalid'},
    {name: 'the command', from: 'package install', to: 'package upgrade', status: 1, code: 'input-invalid'},
  ])('is rejected if $name was edited', async ({from, to, status, code}) => {
    const file = edited('edited.json', from, to)
    const result = await writes('package', 'install', '--plan', file, '-o', 'json')
    expect(result).toMatchObject({status, stdout: '', writes: 0})
    expect(JSON.parse(result.stderr.slice(result.stderr.indexOf('{')))).toMatchObject({code})
  })

  it.each([
    {
      name: 'the deletion of a Namespace',
      in: {action: 'delete', object: {apiVersion: 'v1', kind: 'Namespace', name: 'default'}},
    },
    {
      name: 'the deletion of a Deployment elsewhere',
      in: {
        ...{action: 'delete', object: {apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'b', name: 'x'}},
        precondition: {uid: 'u', sha256: 'a'.repeat(64)},
      },
    },
  ])('is rejected with $name, and names the operation', async ({in: added}) => {
    const plan = JSON.parse(readFileSync(at('install.json'), 'utf8')) as {operations: object[]}
    const last = plan.operations.length
    const precondition = {absent: true}
    plan.operations.push({target: 'cluster', reason: 'because', precondition, ...added})
    writeFileSync(at('added.json'), JSON.stringify(plan))
    const result = await writes('package', 'install', '--plan', at('added.json'), '-o', 'json')
    expect(result).toMatchObject({status: 5, stdout: '', writes: 0})
    expect(JSON.parse(result.stderr.slice(result.stderr.indexOf('{')))).toMatchObject({
      code: 'cluster-refused',
      faults: [{file: at('added.json'), field: `operations[${last}]`}],
    })
  })

  it('is rejected for an output folder, and vice versa', async () => {
    const file = at('folder.json')
    const render = ['package', 'render', '--output-dir', at('deploy')]
    expect(await run(...render, ...DATABASE, '--plan-out', file)).toMatchObject({status: 0})
    const rejected = await writes('package', 'install', '--plan', file)
    expect({...rejected, other: (await run(...render, '--plan', at('install.json'))).status}).toMatchObject({
      ...{status: 1, writes: 0, other: 1},
    })
    expect(rejected.stderr).toContain('the plan is not for a cluster')
  })

  it.each([
    {name: 'a package', in: [...INSTALL, '--plan', 'x'], want: 'demo/app:v1.0.0 and --plan'},
    {
      name: 'a flag that decides',
      in: ['package', 'install', '--with-package-api', '--plan', 'x'],
      want: '--with-package-api and --plan',
    },
    {
      name: '--plan-out',
      in: ['package', 'install', '--plan-out', 'y', '--plan', 'x'],
      want: '--plan and --plan-out',
    },
    {name: 'an install', in: ['package', 'uninstall', 'app', '--plan', 'x'], want: 'app and --plan'},
  ])('and $name are mutually exclusive', async ({in: words, want}) => {
    const {status, stderr} = await run(...words)
    expect({status, line: /^Error: .*$/m.exec(stderr)?.[0]}).toEqual({
      status: 2,
      line: `Error: ${want} are mutually exclusive`,
    })
  })

  it('is carried out without a prompt, has the same result as the command, and can be repeated', async () => {
    const planned = ['package', 'install', '--plan', at('install.json')]
    expect(await writes(...planned, '--dry-run', 'server')).toMatchObject({status: 0, writes: 0})
    const {status, stdout} = await run(...planned, '--no-wait', '-o', 'json')
    expect(status).toBe(0)
    expect(schemaViolations(schemaOf('cluster-change'), JSON.parse(stdout))).toEqual([])
    expect(await writes(...INSTALL)).toMatchObject({status: 0, writes: 0})
    expect(await writes(...planned)).toMatchObject({status: 0, writes: 0})
  })

  it('is rejected once the cluster has changed', async () => {
    packages.publish('app', 'v2.0.0')
    const save = ['package', 'upgrade', 'demo/app:v2.0.0', ...SOURCE, '--plan-out', at('upgrade.json')]
    expect(await run(...save)).toMatchObject({status: 0})
    const {kube} = cluster()
    accepted(await kube.apply({...CONTROLLER, spec: {minReadySeconds: 3}}))
    const result = await writes('package', 'upgrade', '--plan', at('upgrade.json'))
    expect(result).toMatchObject({status: 5, stdout: '', writes: 0})
    expect(result.stderr).toContain('Deployment crossplane-system/demo-app-controller')
    expect(result.stderr).toMatch(/^Try: kubectl crossplane package upgrade demo\/app:v2\.0\.0 .*--plan-out/m)
    expect(await run(...save)).toMatchObject({status: 0})
    expect(await run('package', 'upgrade', '--plan', at('upgrade.json'), '--no-wait')).toMatchObject({
      status: 0,
    })
  })

  it('is completed by the same command after kill -9', async () => {
    packages.publish('app', 'v3.0.0')
    server = await watchedServer(cluster())
    const save = ['package', 'upgrade', 'demo/app:v3.0.0', ...SOURCE, '--plan-out', at('killed.json')]
    expect(await runIn(server, ...save)).toMatchObject({status: 0})
    const planned = ['package', 'upgrade', '--plan', at('killed.json'), '--no-wait']
    const deployment = /^(?:PATCH|PUT) \/apis\/apps\/v1\/.*\/demo-app-controller(?!.*dryRun)/
    expect(await killedBefore(server, deployment, ...planned)).toEqual({signal: 'SIGKILL'})
    expect((await run('package', 'list', '-A')).stdout).toMatch(/ Interrupted +inventory$/m)
    expect(await runIn(server, ...planned)).toMatchObject({status: 0})
    expect((await run('package', 'list', '-A')).stdout).toMatch(
      / demo\/app:v3\.0\.0 .* Complete +inventory$/m,
    )
  }, 180_000)

  it('of an uninstall removes the objects that it names', async () => {
    const save = ['package', 'uninstall', 'crossplane-system/demo-app', '--plan-out', at('uninstall.json')]
    expect(await run(...save)).toMatchObject({status: 0})
    expect(await run('package', 'uninstall', '--plan', at('uninstall.json'))).toMatchObject({status: 0})
    expect((await run('package', 'list', '-A')).stdout).toBe('')
  })
})
