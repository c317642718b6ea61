import {beforeAll, describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {readFileSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join, sep} from 'node:path'
import {pathToFileURL} from 'node:url'
import {builtProgram} from '../built-program.js'
import {runProgram} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {BLOG, DATABASE, fixture} from './fixtures.js'

const temporary = temporaryFolder()
const RECORDER = pathToFileURL(join(import.meta.dirname, 'module-recorder/recorder.mjs')).href

let program = ''
beforeAll(() => {
  program = builtProgram()
})

interface Loaded {
  /** Packages of others, by name. */
  readonly packages: readonly string[]
  /** Modules of semver; a command loads few of them. */
  readonly semver: readonly string[]
  /** Our own modules, by their path in dist/. */
  readonly own: readonly string[]
}

/** A program of JavaScript that prints a credential. */
const EXEC_CREDENTIAL =
  "JSON.stringify({kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status: {token: 'a'}})"

let runs = 0
async function modulesOf(argv: readonly string[]): Promise<Loaded> {
  return await modulesOfNode([program, ...argv])
}

async function modulesOfNode(given: readonly string[]): Promise<Loaded> {
  const list = join(temporary, `${(runs += 1)}`)
  const args = ['--import', RECORDER, ...given]
  const {status, stderr} = await runProgram(process.execPath, args, {env: {MODULE_LIST: list}})
  expect({status, stderr}).toEqual({status: 0, stderr: ''})
  const paths = [...new Set(readFileSync(list, 'utf8').trim().split('\n'))].map(path =>
    path.split(sep).join('/'),
  )
  const dist = realpathSync(join(dirname(program), '../dist'))
  const foreign = paths.flatMap(path => {
    const [, name, module] = /.*\/node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\/(.*)/.exec(path) ?? []
    return name === undefined || module === undefined ? [] : [{name, module}]
  })
  return {
    packages: [...new Set(foreign.map(({name}) => name))].sort(),
    semver: foreign.filter(({name}) => name === 'semver').map(({module}) => module),
    own: paths.flatMap(path => (path.startsWith(`${dist}/`) ? [path.slice(dist.length + 1)] : [])).sort(),
  }
}

const XPKGS_ONLY = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
defaultSource: registry.example.org
packages:
- package: example/configuration-network
`

/** Packages that cost more than a whole command (a Kubernetes client most of a second), or belong to tests and builds. */
const FORBIDDEN =
  /^(?:@kubernetes\/|simple-git$|ora$|undici$|openid-client$|prom-client$|@sigstore\/|jest|@jest\/|@swc\/|typescript$|ts-node$|tsx$|fast-check$|oclif$|yaml$|markdown-it$|@dagrejs\/)/

const folders = (own: readonly string[]) => [...new Set(own.map(path => path.split('/')[0]))].sort()
const adapters = (own: readonly string[]) => own.filter(path => path.startsWith('adapters/'))

describe('the modules that a command loads', () => {
  it.each([
    {name: 'version', in: ['version'], adapters: []},
    {name: '--help', in: ['--help'], adapters: []},
    {name: 'help of a command', in: ['package', 'render', '--help'], adapters: []},
    {name: 'generate-install', in: ['package', 'generate-install', 'a/b'], adapters: []},
    {
      name: 'render of a folder',
      in: ['package', 'render', ...DATABASE],
      adapters: [
        'adapters/cannot-read.js',
        'adapters/file-system.js',
        'adapters/local-package.js',
        'adapters/read-fully.js',
      ],
    },
  ])(
    '$name: no client, no spinner, no test tool, and only the required adapters',
    async ({in: argv, adapters: want}) => {
      const {packages, own} = await modulesOf(argv)
      expect(packages).toContain('@oclif/core')
      expect(own).toContain('cli/shell/main.js')
      expect({heavy: packages.filter(name => FORBIDDEN.test(name)), adapters: adapters(own)}).toEqual({
        heavy: [],
        adapters: want,
      })
    },
  )

  it('completion of flags: no oclif, and nothing but completion', async () => {
    const {packages, own} = await modulesOf(['__complete', 'package', 'render', '--'])
    expect({packages, folders: folders(own)}).toEqual({
      packages: [],
      folders: ['cli', 'completion', 'completion-model.js', 'present.js'],
    })
  })

  it('completion of packages: no oclif, and nothing that uses the network', async () => {
    const {packages, own} = await modulesOf(['__complete', 'package', 'render', ''])
    const online = /^(?:adapters\/(?:http|git|kubernetes)|registry|cluster|commands|resolve)\b/
    expect({packages, online: own.filter(path => online.test(path))}).toEqual({
      packages: ['js-yaml', 'semver'],
      online: [],
    })
  })

  it.each([
    {
      name: 'contexts',
      argv: ['package', 'list', '--context', ''],
      heavy: ['js-yaml'],
      want: 'cluster/kubeconfig/read-kubeconfig.js',
    },
    {
      name: 'registries',
      argv: ['registry', 'logout', ''],
      heavy: [],
      want: 'registry/credentials/docker-config.js',
    },
  ])(
    'completion of $name: no oclif, no client and nothing that starts programs',
    async ({argv, heavy, want}) => {
      const {packages, own} = await modulesOf(['__complete', ...argv])
      const others =
        /^(?:adapters\/(?!cannot-read|file-system|read-fully|read-named-file)|commands|resolve|pipeline)\b/
      expect({packages, others: own.filter(path => others.test(path))}).toEqual({packages: heavy, others: []})
      expect(own).toContain(want)
    },
  )

  it('version: no module of the pipeline', async () => {
    const {own, semver} = await modulesOf(['version'])
    // The summary of a flag is no reason to load the parser of references.
    expect({folders: folders(own), semver}).toEqual({
      folders: [
        'api-version.js',
        'cli',
        'command-map.js',
        'commands',
        'diagnostic.js',
        'errors.js',
        'text.js',
        'without-credentials.js',
        'yaml',
      ],
      semver: [],
    })
  })

  it('render of a request for a package: no module of the solver', async () => {
    const metadata = '{name: db, namespace: infra}'
    const asked = `apiVersion: packages.crossplane.io/v1alpha1\nkind: ClusterPackageInstall\nmetadata: ${metadata}\nspec: {package: example/db}\n`
    const folder = writeTree(join(temporary, 'asked'), {'a.yaml': asked, 'packages/example/.keep': ''})
    symlinkSync(fixture('cli-database'), join(folder, 'packages/example/db@v0.2.0'))
    const file = ['-f', join(folder, 'a.yaml'), '--packages', join(folder, 'packages')]
    for (const args of [DATABASE, file]) {
      const {own} = await modulesOf(['package', 'render', ...args])
      expect(own).toContain('package/stack/render.js')
      expect(own.filter(path => /^(?:resolve|index)\//.test(path))).toEqual([])
    }
  })

  it.each(['tree', 'why'])('%s without --installed: no module of clusters', async command => {
    const packages = [
      '--packages',
      join(import.meta.dirname, '../../examples/packages'),
      '--namespace',
      'a',
      '--quiet',
    ]
    const argv = {
      tree: ['example/app-guestbook:v0.1.0'],
      why: ['example/provider-sql', 'example/app-guestbook:v0.1.0'],
    }[command]
    const {own} = await modulesOf(['package', command, ...(argv ?? []), ...packages])
    expect(own).toContain(`commands/package/${command}.js`)
    const ofClusters = own.filter(path => /(?:^|\/)(?:cluster|apply|observe|health)\//.test(path))
    expect(ofClusters.filter(path => path !== 'cli/cluster/cluster-flags.js')).toEqual([])
  })

  it('install --git without --context: nothing that connects to a cluster', async () => {
    const repository = join(temporary, 'repository')
    execFileSync('git', ['init', '--quiet', repository])
    const packages = ['--packages', join(import.meta.dirname, '../../examples/packages')]
    const at = ['--git', repository, '--namespace', 'demo', ...packages, '--dry-run', 'client', '--quiet']
    const {packages: loaded, own} = await modulesOf([
      'package',
      'install',
      'example/app-guestbook:v0.1.0',
      ...at,
    ])
    expect(own).toContain('adapters/git/git-program.js')
    expect(loaded.filter(name => name.startsWith('@kubernetes/'))).toEqual([])
    const client =
      /^(?:adapters\/(?:http\/|kubernetes-client|exec-plugins)|cluster\/(?:api\/open-cluster-api|kubeconfig\/connect)|pipeline\/git\/judge-in-cluster)/
    expect(own.filter(path => client.test(path))).toEqual([])
  })

  it('render of a folder: nothing that writes files, and no xpkg', async () => {
    const {own} = await modulesOf(['package', 'render', ...DATABASE])
    expect(own.filter(path => /^(?:commit|plan\/layout|package\/xpkg|resolve)\//.test(path))).toEqual([])
    expect(own.length).toBeLessThan(379)
  })

  it('compare alone loads what compares what users depend on', async () => {
    const packages = join(import.meta.dirname, '../../examples/xpkg/packages')
    const both = ['example/provider-sql:v1.6.0', 'example/provider-sql:v2.0.0']
    const usage = async (...argv: readonly string[]) => {
      const {own} = await modulesOf(['package', ...argv, '--packages', packages])
      return own.filter(path => /^(?:usage|crd\/changes)\//.test(path))
    }
    expect(await usage('compare', ...both)).toContain('usage/compare-sets.js')
    expect(await usage('inspect', both[0] ?? '')).toEqual([])
    expect(await usage('versions', 'example/provider-sql')).toEqual([])
  })

  it('lock of xpkgs only: nothing of what resolves packages of v0.12', async () => {
    const declaration = join(
      writeTree(join(temporary, 'xpkgs'), {
        'crossplane-packages.yaml': XPKGS_ONLY,
      }),
      'crossplane-packages.yaml',
    )
    const packages = join(import.meta.dirname, '../../examples/xpkg/packages')
    const argv = ['lock', '--declaration', declaration, '--packages', packages, '--quiet']
    const {own} = await modulesOf(['package', ...argv])
    expect(own).toContain('package/xpkg/lock.js')
    expect(
      own.filter(path => /^(?:package\/stack|resolve\/(?:catalog|packages|requested))\//.test(path)),
    ).toEqual(['resolve/packages/source-policy.js'])
  })

  it('render: only the parser and comparison of semver', async () => {
    const {semver} = await modulesOf(['package', 'render', ...BLOG])
    expect(
      semver.filter(
        path => !/^(?:functions\/(?:parse|compare)|classes\/semver|internal\/[a-z-]+)\.js$/.test(path),
      ),
    ).toEqual([])
    expect(semver).toContain('functions/parse.js')
  })
})

describe('the modules that a connection to a cluster loads', () => {
  /** Connects as a command does, and sends a request that no server answers. */
  async function modulesOfConnection(cluster: object, user: object): Promise<Loaded> {
    const config = join(temporary, `config-${runs}`)
    const contexts = [{name: 'here', context: {cluster: 'one', user: 'me'}}]
    const clusters = [{name: 'one', cluster: {server: 'https://127.0.0.1:9', ...cluster}}]
    const document = {'current-context': 'here', contexts, clusters, users: [{name: 'me', user}]}
    writeFileSync(config, JSON.stringify(document))
    const ports = pathToFileURL(join(dirname(program), '../dist/cli/cluster/cluster-connection.js')).href
    const script = `import {clusterConnection} from ${JSON.stringify(ports)}
      const {http, headers, server} = await clusterConnection({kubeconfig: ${JSON.stringify(config)}})
      const failure = await headers(false)
        .then(sent => http.send({method: 'GET', url: server, headers: sent}))
        .catch(error => error)
      if (!/^c(luster|redentials)-/.test(failure.code)) throw failure`
    return await modulesOfNode(['--input-type=module', '-e', script])
  }

  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: ['-p', EXEC_CREDENTIAL],
    interactiveMode: 'Never',
  }
  it.each([
    {name: 'a token', user: {token: 'a'}},
    {name: 'an exec plugin', user: {exec}},
    {name: 'a proxy', user: {}, cluster: {'proxy-url': 'http://127.0.0.1:9'}, want: ['hpagent']},
  ])('$name: no client, and no command line', async ({user, cluster = {}, want = []}) => {
    const {packages, own} = await modulesOfConnection(cluster, user)
    expect(own).toContain('adapters/http/api-server-http.js')
    expect(packages.filter(name => name !== 'js-yaml')).toEqual(want)
  })

  const issuer = {
    'idp-issuer-url': 'https://127.0.0.1:9',
    'client-id': 'a',
    'id-token': 'a',
    'refresh-token': 'b',
  }
  it.each([
    {name: 'a SOCKS proxy', user: {}, cluster: {'proxy-url': 'socks5://127.0.0.1:9'}},
    {name: 'a token to renew', user: {'auth-provider': {name: 'oidc', config: issuer}}},
  ])('$name: the client', async ({user, cluster = {}}) => {
    const {packages, own} = await modulesOfConnection(cluster, user)
    expect(own).toContain('adapters/kubernetes-client.js')
    expect(packages).toContain('@kubernetes/client-node')
  })
})
