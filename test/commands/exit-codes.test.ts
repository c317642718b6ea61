import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {generateKeyPairSync} from 'node:crypto'
import {symlinkSync} from 'node:fs'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {EXIT_CODES} from '../../src/cli/shell/exit-code.js'
import type {ErrorCode} from '../../src/errors.js'
import {canary} from '../canary.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {listener} from '../listening.js'
import {present} from '../outcome.js'
import {type CliResult, runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {DATABASE, fixture} from './fixtures.js'

const folder = temporaryFolder()
const request = (namespace: string, spec: string) => `
apiVersion: packages.crossplane.io/v1alpha1
kind: ClusterPackageInstall
metadata: {name: database, namespace: ${namespace}}
spec: {${spec}}
`
const APP = 'title: Test\nversion: 1.0.0\npermissionScope: Cluster\n'
writeTree(folder, {
  'greedy/.registry/app.yaml': `${APP}dependsOn:\n- crd: pods\n`,
  'large/.registry/app.yaml': Buffer.alloc(64 * 1024 * 1024, APP),
  'linked/.registry/readme.txt': '',
  'not-a-tarball': 'text',
  'not-an-object.yaml': 'text\n',
  'layout-to-come/oci-layout': '{"imageLayoutVersion": "2.0.0"}',
  'two-of-one-name.yaml': ['a', 'b']
    .map(namespace => request(namespace, 'package: "example/cli-database:v0.2.0"'))
    .join('---\n'),
  'other-scope.yaml': request('a', 'package: "example/cli-database:v0.2.0"').replace('Cluster', ''),
  'empty.lock': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageLock
formatVersion: 1
renderVersion: 1
requestHash: sha256:${'0'.repeat(64)}
`,
  'policy.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: Policy
sources: [registry.example.org]
`,
  'team.pub': generateKeyPairSync('ec', {namedCurve: 'P-256'}).publicKey.export({
    type: 'spki',
    format: 'pem',
  }),
  'broken.jsonl': '{}\n',
  'edited/namespaces/crossplane-system.yaml': 'mine\n',
})
symlinkSync('/etc/hostname', join(folder, 'linked/.registry/app.yaml'))
const packages = join(folder, 'packages/example')
writeTree(packages, {'.keep': ''})
symlinkSync(fixture('cli-database'), join(packages, 'cli-database@v0.2.0'))
for (const rival of ['one', 'other']) {
  writeTree(join(folder, 'rivals', rival), {'.keep': ''})
  symlinkSync(fixture('cli-database'), join(folder, 'rivals', rival, 'database@v0.2.0'))
}

const at = (path: string) => join(folder, path)
const render = (...args: readonly string[]) => ['package', 'render', ...args]
const inFolder = ['--packages', at('packages')]

interface Case {
  readonly code: ErrorCode
  readonly reason: string
  /** A command line; made when it is run where it names a server of the test. */
  readonly in: readonly string[] | (() => readonly string[])
  /** Where they are kept; nowhere by default. */
  readonly credentials?: string
  /** Only a command whose result is a report prints one besides its error. */
  readonly want: {readonly status: number; readonly cause?: RegExp; readonly report?: RegExp}
}

function expectedReport({report}: Case['want']): unknown {
  return report === undefined ? '' : expect.stringMatching(report)
}

async function run({in: argv, credentials}: Case, ...more: readonly string[]): Promise<CliResult> {
  if (credentials !== undefined) process.env.REGISTRY_AUTH_FILE = credentials
  try {
    return await runCli(...(typeof argv === 'function' ? argv() : argv), ...more)
  } finally {
    delete process.env.REGISTRY_AUTH_FILE
  }
}

const listen = listener()
let locked: RegistryServer | undefined
let unlocked: RegistryServer | undefined
let teapot = 0
beforeAll(async () => {
  unlocked = await startRegistry()
  locked = await startRegistry({demand: {kind: 'basic', username: 'anna', password: canary('basic')}})
  teapot = await listen(createServer((_, response) => response.writeHead(418).end()))
  const built = await runCli(
    'package',
    'build',
    `oci:${at('layout')}:v0.3.0`,
    'test/testdata/packages/image-counter',
  )
  expect(built.status).toBe(0)
})
afterAll(async () => {
  await locked?.close()
  await unlocked?.close()
})

const CASES: readonly Case[] = [
  {code: 'usage', reason: 'no package and no -f', in: render(), want: {status: 2}},
  {
    code: 'scope-mismatch',
    reason: 'a PackageInstall requests a Cluster package',
    in: render('-f', at('other-scope.yaml'), ...inFolder),
    want: {status: 2},
  },
  {
    code: 'reference-invalid',
    reason: 'a repository is in lowercase',
    in: render('Example/Database'),
    want: {status: 2},
  },
  {
    code: 'reference-incomplete',
    reason: "a container runs the package's own image, and a folder has none",
    in: render(fixture('cli-database')),
    want: {status: 2},
  },
  {
    code: 'not-found',
    reason: 'a missing folder',
    in: render(at('nowhere')),
    want: {status: 1, cause: /^ENOENT/},
  },
  {
    code: 'read-failed',
    reason: 'a device is not read',
    in: render('-f', '/dev/zero'),
    want: {status: 1},
  },
  {
    code: 'unsupported',
    reason: 'the layout is of a version to come',
    in: render(`oci:${at('layout-to-come')}`),
    want: {status: 1},
  },
  {
    code: 'source-invalid',
    reason: 'the file is not a tarball',
    in: render(`oci-archive:${at('not-a-tarball')}`),
    want: {status: 1},
  },
  {
    code: 'source-unsafe',
    reason: 'a link out of the package',
    in: render(at('linked')),
    want: {status: 4},
  },
  {
    code: 'limit-exceeded',
    reason: 'a file of 64 MiB in a package',
    in: render(at('large')),
    want: {status: 4},
  },
  {
    code: 'digest-mismatch',
    reason: 'a layout that was to be another image',
    in: () =>
      render(`oci:${at('layout')}:v0.3.0`, '--as-package', `example/counter@sha256:${'0'.repeat(64)}`),
    want: {status: 4},
  },
  {
    code: 'offline',
    reason: 'only the network has it',
    in: render(`example/cli-database@sha256:${'0'.repeat(64)}`, ...inFolder, '--offline'),
    want: {status: 1},
  },
  {
    code: 'registry-unreachable',
    reason: 'the connection is refused',
    in: render('127.0.0.1:1/team/package:v1'),
    want: {status: 1, cause: /ECONNREFUSED/},
  },
  {
    code: 'access-denied',
    reason: 'authentication is required',
    in: () => render(`${present(locked).host}/team/package:v1`),
    want: {status: 1, cause: /401/},
  },
  {
    code: 'registry-failed',
    reason: 'an answer that no registry gives',
    in: () => render(`127.0.0.1:${teapot}/team/package:v1`),
    want: {status: 1, cause: /418/},
  },
  {
    code: 'credentials-failed',
    reason: 'the Docker configuration is not JSON',
    in: ['registry', 'logout', 'registry.example.org'],
    credentials: at('not-a-tarball'),
    want: {status: 1},
  },
  {
    code: 'cache-failed',
    reason: 'a file is not a cache',
    in: ['cache', 'list', '--cache-dir', at('not-a-tarball')],
    want: {status: 1},
  },
  {code: 'package-invalid', reason: 'five faults', in: render(fixture('cli-broken')), want: {status: 1}},
  {
    code: 'index-invalid',
    reason: 'a line of an index is not an entry',
    in: () => ['registry', 'index', 'list', '--index', at('broken.jsonl')],
    want: {status: 1},
  },
  {
    code: 'input-invalid',
    reason: 'a file that holds no object',
    in: render('--filename', at('not-an-object.yaml')),
    want: {status: 1},
  },
  {
    code: 'permissions-refused',
    reason: 'a dependency on pods would grant them',
    in: render(at('greedy'), '--namespace', 'a'),
    want: {status: 4},
  },
  {
    code: 'unresolvable',
    reason: 'no package provides a required kind',
    in: render('example/cli-database:v0.2.0', ...inFolder),
    want: {status: 3},
  },
  {
    code: 'ambiguous-owner',
    reason: 'two packages own the requested CRD',
    in: render('--crd', 'instances.database.example.org', '--packages', at('rivals')),
    want: {status: 3},
  },
  {
    code: 'policy-refused',
    reason: 'the policy allows packages of one registry only',
    in: render('example/cli-database:v0.2.0', ...inFolder, '--policy', at('policy.yaml')),
    want: {status: 4},
  },
  {
    code: 'signature-refused',
    reason: 'nothing has been signed',
    in: () => [
      ...[
        'package',
        'verify',
        `${present(unlocked).host}/team/package@sha256:${'0'.repeat(64)}`,
        '--key',
        at('team.pub'),
      ],
    ],
    want: {status: 4, report: /team\/package@sha256:0{64}/},
  },
  {
    code: 'lock-outdated',
    reason: 'a lock in which nothing is chosen, and that is to hold',
    in: render(
      'crd:none.example.org',
      '--assume',
      'none.example.org',
      '--locked',
      '--lock-file',
      at('empty.lock'),
    ),
    want: {status: 3},
  },
  {
    code: 'conflict',
    reason: 'two installs share the name of a ClusterRoleBinding',
    in: render('--filename', at('two-of-one-name.yaml'), ...inFolder),
    want: {status: 5},
  },
  {
    code: 'output-refused',
    reason: 'an unmanaged file exists',
    in: render(...DATABASE, '--create-namespace', '--output-dir', at('edited')),
    want: {status: 5},
  },
]

describe('the exit status and code of every failure', () => {
  it.each(CASES)('$code: $reason', async each => {
    const {code, want} = each
    const {status, stdout, stderr} = await run(each, '--output', 'json')
    expect({status, stdout, ...(JSON.parse(stderr) as object)}).toEqual({
      status: want.status,
      stdout: expectedReport(want),
      apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
      kind: 'Error',
      code,
      message: expect.stringMatching(/^[^\n]{10,}$/),
      faults: expect.any(Array),
      suggestions: expect.any(Array),
      ...(want.cause === undefined ? {} : {cause: expect.stringMatching(want.cause)}),
    })
  })

  it.each(CASES)('$code as text: $reason', async each => {
    const {want} = each
    const {status, stdout, stderr} = await run(each)
    const [first = '', ...rest] = stderr.split('\n').slice(0, -1)
    expect({status, stdout, first, rest}).toEqual({
      status: want.status,
      stdout: expectedReport(want),
      first: expect.stringMatching(/^(?:Error|Warning): /),
      rest: rest.map(() => expect.stringMatching(/^(?: {2}\S|Error: |Try: )/)),
    })
    expect(stderr).toMatch(/^Error: /m)
  })

  it('every code has a case here or in another named suite', () => {
    // A stdout that cannot be written needs a process of its own: streams.test.ts. Certificates and patience: http/.
    // Signals: cli/shell/process-events.test.ts.
    const elsewhere = ['output-failed', 'timeout', 'tls-refused', 'interrupted', 'terminated']
    // API servers: test/cluster/api, test/adapters/http, test/commands/cluster.
    const ofClusters = [
      'cluster-denied',
      'cluster-failed',
      'cluster-refused',
      'cluster-rejected',
      'cluster-unreachable',
      'conflict-with-manager',
      'declined',
      'inventory-invalid',
      'plan-outdated',
    ]
    // Repositories: test/commands/git.
    const ofGit = ['git-failed', 'git-refused']
    const codes = new Set([...CASES.map(({code}) => code), ...elsewhere, ...ofClusters, ...ofGit])
    expect([...codes].sort()).toEqual(Object.keys(EXIT_CODES).sort())
  })
})
