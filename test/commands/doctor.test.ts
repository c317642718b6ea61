import {describe, expect, it} from '@jest/globals'
import {chmodSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {cacheFolder} from '../../src/adapters/cache-folder.js'
import {packageCache} from '../../src/cache/package-cache.js'
import {somePackage, TEAM} from '../cache/some-packages.js'
import {startRegistry} from '../fakes/registry-server.js'
import {answeringServer} from '../fakes/answering-server.js'
import {givenProgram} from '../built-program.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {ABSENT, doctor, doctorIn, kubeconfigFor, programs} from './run-doctor.js'

const all = temporaryFolder()
/** Runs a function as if Node.js had been started with a file. */
async function asProgram<T>(file: string, work: () => Promise<T>): Promise<T> {
  const [node = '', started = '', ...args] = process.argv
  process.argv = [node, file, ...args]
  try {
    return await work()
  } finally {
    process.argv = [node, started, ...args]
  }
}

const KUBECTL = `#!/bin/sh
[ "$*" = 'version --client --output=json' ] && echo '{"clientVersion": {"gitVersion": "v1.36.1"}}'
`

describe('doctor', () => {
  it('prints an aligned table, and the suggestion below a check', async () => {
    const {status, stdout, stderr} = await runCli('doctor', '--offline', '--kubeconfig', ABSENT)
    expect({status, stderr}).toEqual({status: 1, stderr: ''})
    expect(stdout).toMatch(/^CHECK {4,}STATE {4,}RESULT\n/)
    expect(stdout).toMatch(
      /^context {3,}Broken {4}cannot read the kubeconfig .*: no such file or directory\n {2}Try: Pass --kubeconfig /m,
    )
    expect(stdout).toMatch(/^server {3,}Skipped {3}no cluster$/m)
    expect(stdout).toMatch(/^registry {3,}Skipped {3}offline$/m)
  })

  it.each([['--yes'], ['--dry-run'], ['--timeout=3s'], ['--no-wait']])(
    'requires --repair for %s',
    async word => {
      const {status, stderr} = await runCli('doctor', '--offline', '--kubeconfig', ABSENT, word)
      const [flag = ''] = word.split('=')
      const want = `Error: ${flag} requires --repair\nTry: kubectl crossplane doctor --help\n`
      expect({status, stderr}).toEqual({status: 2, stderr: want})
    },
  )

  it('has colors only where they are requested or on a terminal', async () => {
    const colored = await runCli('doctor', '--offline', '--context', 'absent', '--color', 'always')
    expect(colored.stdout).toContain('\u001b[31mBroken\u001b[39m')
  })

  it('finds programs in the folders of PATH, in their order', async () => {
    const first = programs({kubectl: KUBECTL, 'kubectl-crossplane-package-install': 'x'})
    const second = programs({'kubectl-crossplane': 'x', 'kubectl-crossplane-hello': 'x'})
    writeFileSync(join(second, 'kubectl-crossplane-package'), 'not executable', {mode: 0o644})
    // The program that runs is the file that Node.js was started with, which is a worker of jest here, or the given one.
    const self = givenProgram() ?? join(programs({'run.js': 'x'}), 'run.js')
    symlinkSync(self, join(first, 'kubectl-crossplane'))
    const {status, of} = await asProgram(self, () =>
      doctor({PATH: `${first}:relative:${second}:/absent`}, '--offline'),
    )
    expect(status).toBe(1)
    expect(of('kubectl')).toEqual([{check: 'kubectl', state: 'OK', message: 'v1.36.1'}])
    expect(of('plugin').map(({state, message}) => `${state}: ${message}`)).toEqual([
      `OK: ${first}/kubectl-crossplane`,
      `Warning: another kubectl-crossplane is later on PATH: ${second}/kubectl-crossplane`,
      `Broken: instead of package install, kubectl runs ${first}/kubectl-crossplane-package-install`,
      `OK: ${second}/kubectl-crossplane-hello adds the command hello`,
    ])
  })

  it.each([
    {name: 'is missing', script: undefined, want: 'not found on PATH'},
    {name: 'fails', script: 'exit 3', want: 'cannot run kubectl: it exited with 3'},
    {name: 'is killed', script: 'kill -9 $$', want: 'cannot run kubectl: it failed'},
  ])('does not fail where kubectl $name', async ({script, want}) => {
    const files: Record<string, string> = script === undefined ? {} : {kubectl: `#!/bin/sh\n${script}\n`}
    const {status, of} = await doctor({PATH: programs(files)}, '--offline')
    expect(status).toBe(0)
    expect(of('kubectl')).toEqual([expect.objectContaining({state: 'Warning', message: want})])
  })

  it('skips the checks of a cluster without one', async () => {
    const {status, of} = await doctor({}, '--offline')
    expect(status).toBe(0)
    for (const check of ['context', 'server', 'permissions', 'package-api', 'manager', 'lease', 'install'])
      expect(of(check)).toEqual([expect.objectContaining({state: 'Skipped'})])
  })
})

describe('doctor and registries', () => {
  it('reports a dead registry, and an index that does not exist', async () => {
    const [dead, registry] = [await startRegistry(), await startRegistry()]
    await dead.close()
    const index = ['--index', `${registry.host}/index`, '--index', './absent.jsonl']
    const {status, of} = await doctor({}, '--default-source', dead.host, ...index)
    await registry.close()
    expect(status).toBe(1)
    expect(of('registry')).toEqual([expect.objectContaining({state: 'Broken'})])
    expect(of('index').map(({state, message}) => `${state}: ${message}`)).toEqual([
      `Broken: package index ${registry.host}/index not found`,
      expect.stringMatching(/^Broken: .*absent\.jsonl/),
    ])
  })

  it('sends no request again to a registry, an index or a cluster that fails', async () => {
    const server = await answeringServer(503)
    const kubeconfig = join(mkdtempSync(join(all, 'failing-')), 'config')
    writeFileSync(kubeconfig, kubeconfigFor(`http://${server.host}`))
    const place = ['--default-source', server.host, '--index', `${server.host}/index`]
    const {status, of} = await doctor({}, ...place, '--kubeconfig', kubeconfig)
    await server.close()
    expect(status).toBe(1)
    expect(of('server')).toEqual([expect.objectContaining({state: 'Broken'})])
    for (const check of ['registry', 'index']) {
      expect(of(check)).toEqual([
        expect.objectContaining({state: 'Broken', message: expect.stringContaining(server.host)}),
      ])
    }
    const paths = server.seen.map(({url}) => url)
    expect(paths.filter(path => path.startsWith('/version'))).toHaveLength(1)
    expect(paths.filter(path => path.startsWith('/v2/index/'))).toHaveLength(1)
  })

  it('reads an index in a file', async () => {
    const file = join(all, 'index.jsonl')
    writeFileSync(file, '{"apiVersion":"packages.kubectl-crossplane.dev/v1alpha1","kind":"PackageIndex"}\n')
    const {of} = await doctor({}, '--index', file, '--default-source', 'localhost:1')
    expect(of('index')).toEqual([{check: 'index', state: 'OK', message: `${file} can be read`}])
  })
})

describe('doctor and the declaration of the working folder', () => {
  const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
  const declared = (text: string) =>
    writeTree(mkdtempSync(join(all, 'declared-')), {'crossplane-packages.yaml': text})

  it('uses its default source, mirrors and indexes as other commands do', async () => {
    const [source, mirror] = [await startRegistry(), await startRegistry()]
    const folder = declared(
      `${HEAD}defaultSource: ${source.host}/team\nregistries:\n  ${source.host}: ${mirror.host}\n` +
        'indexes: [./own.jsonl, example/index]\npackages:\n- package: x/a\n',
    )
    writeFileSync(
      join(folder, 'own.jsonl'),
      '{"apiVersion":"packages.kubectl-crossplane.dev/v1alpha1","kind":"PackageIndex"}\n',
    )
    const {status, of} = await doctorIn(folder, {}, '--index', './absent.jsonl')
    await Promise.all([source.close(), mirror.close()])
    expect(status).toBe(1)
    expect(of('declaration')).toEqual([
      {check: 'declaration', state: 'OK', message: 'crossplane-packages.yaml requests 1 package'},
    ])
    expect(of('registry').map(({message}) => message)).toEqual([
      `${mirror.host} accepts requests without credentials`,
    ])
    expect(of('index').map(({state, message}) => `${state}: ${message}`)).toEqual([
      expect.stringMatching(/^Broken: .*absent\.jsonl/),
      'OK: ./own.jsonl can be read',
      expect.stringMatching(/^Broken: package index .*example\/index not found$/),
    ])
    expect(source.seen).toEqual([])
  })

  it('reports one that is invalid, and the command that explains it', async () => {
    const {status, of} = await doctorIn(declared(`${HEAD}packages: 1\n`), {}, '--offline')
    expect({status, found: of('declaration')}).toEqual({
      status: 1,
      found: [
        {
          check: 'declaration',
          state: 'Broken',
          message: expect.stringContaining('crossplane-packages.yaml'),
          suggestion: 'kubectl crossplane package lock --dry-run',
        },
      ],
    })
  })
})

describe('doctor and the cache', () => {
  async function cacheOf(name: string): Promise<string> {
    const root = join(mkdtempSync(join(all, name)), 'cache')
    const cache = packageCache(cacheFolder(root), {clock: {now: () => Date.now()}, warn: () => undefined})
    await cache.keep(somePackage('a'))
    await cache.keep(somePackage('b'))
    await cache.rememberTag(TEAM, 'v1', somePackage('a').digest)
    return root
  }

  /** Paths and contents of the files below a folder. */
  function contentOf(folder: string): Record<string, string> {
    const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter(each => each.isFile())
    return Object.fromEntries(
      files.map(({parentPath, name}) => [
        join(parentPath, name),
        readFileSync(join(parentPath, name), 'hex'),
      ]),
    )
  }

  it('finds damaged files and documents, changes none, and names the command that helps', async () => {
    const root = await cacheOf('damaged-')
    const intact = await doctor({CROSSPLANE_CACHE_DIR: root}, '--offline')
    expect(intact.of('cache')).toEqual([{check: 'cache', state: 'OK', message: `2 packages in ${root}`}])

    for (const path of Object.keys(contentOf(root))) {
      if (path.includes('/tags/')) writeFileSync(path, '{')
      if (path.includes('/files/')) writeFileSync(path, 'x')
    }
    const before = contentOf(root)
    const {status, of} = await doctor({CROSSPLANE_CACHE_DIR: root}, '--offline')
    expect({status, before: contentOf(root)}).toEqual({status: 1, before})
    const [found] = of('cache')
    expect(found).toEqual({
      check: 'cache',
      state: 'Broken',
      message: `3 entries in ${root} are damaged`,
      suggestion: `kubectl crossplane cache clear --cache-dir ${root}`,
    })
    await runCli(...(found?.suggestion ?? '').split(' ').slice(2))
    expect((await doctor({CROSSPLANE_CACHE_DIR: root}, '--offline')).status).toBe(0)
  })

  it('reports a cache that other users can write to', async () => {
    const root = await cacheOf('open-')
    chmodSync(root, 0o777)
    const {status, of} = await doctor({CROSSPLANE_CACHE_DIR: root}, '--offline')
    expect({status, cache: of('cache')}).toEqual({
      status: 1,
      cache: [
        expect.objectContaining({state: 'Broken', message: expect.stringContaining('other users can write')}),
      ],
    })
  })
})
