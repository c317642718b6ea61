import {beforeAll, expect, it} from '@jest/globals'
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {CORPUS_ROOT} from '../../corpus.js'
import {schemaOf, schemaViolations} from '../../json-schema.js'
import {listener} from '../../listening.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {takenOver} from '../locked-world.js'
import {ownEntries, runIn} from './installing.js'
import {gated, interrupted, type RunGated} from './interrupted-run.js'
import {DemoPackages} from './some-world.js'

const temporary = temporaryFolder()

/** A declaration whose every byte counts: a comment, quotes, flow style and line breaks of Windows. */
const declarationWith = (app: string) =>
  `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
owners: {demo.example.org: demo/sql}
packages:
- {package: "demo/app:${app}"}   # was demo/app:v0.9.0
`.replaceAll('\n', '\r\n')

describeCluster('current', 'package upgrade --declaration', cluster => {
  const listen = listener()
  const world = new DemoPackages()
  const folder = mkdtempSync(join(temporary, 'declared-'))
  const at = (name: string) => join(folder, name)
  const SOURCE = ['--packages', world.folder]
  const DECLARATION = ['--declaration', at('platform.yaml')]
  const run = (...args: readonly string[]) => runIn(cluster(), ...args)
  const upgrade = (...args: readonly string[]) => run('package', 'upgrade', ...args)
  const from = [...DECLARATION, ...SOURCE]
  const now = [...from, '--no-wait', '--yes']
  const files = () => [readFileSync(at('platform.yaml'), 'utf8'), lockText()]
  let gate: RunGated
  const lockText = () => readFileSync(at('platform.lock'), 'utf8')
  const installed = async () =>
    [...(await run('package', 'list', '-A')).stdout.matchAll(/(demo\/\w+:v\S+) .* (\w+) +inventory$/gm)].map(
      ([, name = '', state = '']) => `${name} ${state}`,
    )

  /** How many requests of the program change something. */
  async function writes(...args: readonly string[]) {
    const audit = auditOf(cluster())
    const mark = await audit.mark()
    const result = await upgrade(...args)
    return {...result, writes: ownEntries(await audit.since(mark)).filter(isWrite).length}
  }

  beforeAll(async () => {
    gate = await gated(cluster(), listen)
    world.publish('sql', 'v1.0.0').publish('app', 'v1.0.0', 'sqls')
    writeFileSync(at('platform.yaml'), declarationWith('v1.0.0'))
    expect(await run('package', 'lock', ...from)).toMatchObject({status: 0})
    const install = ['package', 'install', ...now, '--with-package-api', '--create-namespace']
    expect(await run(...install)).toMatchObject({status: 0})
    world.publish('sql', 'v2.0.0').publish('app', 'v2.0.0', 'sqls').publish('app', 'v3.0.0', 'sqls')
    // The program may have to be built first.
  }, 300_000)

  it('shows the edits as a part of the plan, and writes nothing in a dry run', async () => {
    const before = files()
    const shown = await writes('demo/app:v2.0.0', ...from, '--dry-run', 'client', '--show-files')
    expect(shown).toMatchObject({status: 0, writes: 0})
    expect(shown.stdout).toMatch(/^PACKAGE +demo\/app:v1.0.0 -> v2.0.0/m)
    expect(shown.stdout).toMatch(
      /^update +1 +file +platform.yaml\s+the pin moves: demo\/app:v1.0.0 -> demo\/app:v2.0.0$/m,
    )
    expect(shown.stdout).toMatch(/^update +1 +file +platform.lock$/m)
    // The diffs of both files, as package lock --dry-run shows them.
    expect(shown.stdout).toContain('\n--- a/platform.yaml\n+++ b/platform.yaml\n@@ ')
    expect(shown.stdout).toMatch(
      /^-- \{package: "demo\/app:v1.0.0"\}.*\n\+- \{package: "demo\/app:v2.0.0"\}/m,
    )
    expect(shown.stdout).toContain('\n--- a/platform.lock\n+++ b/platform.lock\n@@ ')
    expect(shown.stdout).toMatch(/^- {4}tag: v1.0.0$/m)
    const document = await upgrade('demo/app:v2.0.0', ...from, '--dry-run', 'server', '-o', 'json')
    expect(document).toMatchObject({status: 0})
    const plan = JSON.parse(document.stdout) as {readonly operations: readonly object[]}
    expect(schemaViolations(schemaOf('plan'), plan)).toEqual([])
    expect(plan.operations.slice(0, 2)).toMatchObject([
      {target: 'declaration', path: 'platform.yaml', content: declarationWith('v2.0.0')},
      {target: 'lock-file', path: 'platform.lock'},
    ])
    expect(files()).toEqual(before)
  })

  it.each([
    {
      name: 'a tag that does not exist',
      in: ['demo/app:v9.0.0', '--offline'],
      status: 1,
      want: 'demo/app:v9.0.0',
    },
    {name: 'a package of neither file', in: ['demo/other'], status: 1, want: 'not found in the declaration'},
    {
      name: 'the pin of a dependency',
      in: ['demo/sql:v2.0.0'],
      status: 1,
      want: 'not found in packages of the declaration',
    },
    {name: 'a package twice', in: ['demo/app', 'demo/app:v2.0.0'], status: 2, want: 'is named twice'},
  ])('rejects $name, and writes nothing', async ({in: names, status, want}) => {
    const before = files()
    const result = await writes(...names, ...now)
    expect(result).toMatchObject({status, writes: 0})
    expect(result.stderr).toContain(want)
    expect(files()).toEqual(before)
  })

  it('requires a file', async () => {
    expect(await upgrade('--declaration', '-', ...SOURCE, '--yes')).toMatchObject({status: 2})
  })

  it('upgrades a dependency in the lock file, and leaves the pin, with a note', async () => {
    const {status, stderr} = await upgrade(...now)
    expect({status, stderr}).toMatchObject({status: 0})
    expect(stderr).toMatch(/^Note: pinned packages stay.*demo\/app \(v1.0.0\)/m)
    expect(await installed()).toEqual(['demo/app:v1.0.0 Complete', 'demo/sql:v2.0.0 Complete'])
    expect(files()).toEqual([declarationWith('v1.0.0'), expect.stringContaining('tag: v2.0.0')])
    expect(await writes(...now)).toMatchObject({status: 0, writes: 0})
  })

  it('converges after kill -9 between the files and the cluster', async () => {
    const moving = ['demo/app:v2.0.0', ...now]
    const atFirstWrite = {signal: 'SIGKILL', at: () => true, isAnswered: false} as const
    expect(await interrupted(gate, ['package', 'upgrade', ...moving], atFirstWrite)).toMatchObject({
      ...{signal: 'SIGKILL', isInterrupted: true},
    })
    expect(files()[0]).toBe(declarationWith('v2.0.0'))
    expect(await installed()).toEqual(['demo/app:v1.0.0 Complete', 'demo/sql:v2.0.0 Complete'])
    expect(await upgrade(...moving)).toMatchObject({status: 0})
    expect(await installed()).toEqual(['demo/app:v2.0.0 Complete', 'demo/sql:v2.0.0 Complete'])
    expect(files()).toEqual([
      declarationWith('v2.0.0'),
      expect.stringMatching(/demo\/app:(.|\n)*tag: v2.0.0(.|\n)*demo\/sql:/),
    ])
    expect(await run('package', 'lock', ...from, '--dry-run')).toMatchObject({
      stdout: expect.stringContaining('1 unchanged') as unknown,
    })
    expect(await writes(...moving)).toMatchObject({status: 0, writes: 0})
  })

  it('saves the edits in a plan, which is rejected if a file has changed since', async () => {
    const plan = at('plan.json')
    const save = ['demo/app:v3.0.0', ...from, '--plan-out', plan]
    expect(await writes(...save)).toMatchObject({status: 0, writes: 0})
    expect(files()[0]).toBe(declarationWith('v2.0.0'))
    writeFileSync(at('platform.yaml'), `# edited\r\n${declarationWith('v2.0.0')}`)
    const rejected = await writes('--plan', plan, '--no-wait')
    expect(rejected).toMatchObject({status: 5, writes: 0})
    expect(rejected.stderr).toContain('platform.yaml')
    writeFileSync(at('platform.yaml'), declarationWith('v2.0.0'))
    // As after an interruption between the two files.
    writeFileSync(at('platform.yaml'), declarationWith('v3.0.0'))
    expect(await upgrade('--plan', plan, '--no-wait')).toMatchObject({status: 0})
    expect(await installed()).toEqual(['demo/app:v3.0.0 Complete', 'demo/sql:v2.0.0 Complete'])
    expect(files()[0]).toBe(declarationWith('v3.0.0'))
  })

  it('writes only the files if the cluster has the version already', async () => {
    writeFileSync(at('platform.yaml'), declarationWith('v2.0.0'))
    const {status, stderr, writes: number} = await writes('demo/app:v3.0.0', ...now)
    expect({status, stderr, number}).toMatchObject({status: 0, number: 0})
    expect(stderr).toMatch(/platform\.yaml configured$/m)
    expect(files()[0]).toBe(declarationWith('v3.0.0'))
  })

  it('does not confirm an owner with --yes by the lock that it writes', async () => {
    world.publish('app', 'v4.0.0', 'sqls', 'logs').publish('log', 'v1.0.0')
    const text = declarationWith('v3.0.0').replace(/owners: .*\r\n/, '')
    writeFileSync(at('platform.yaml'), text)
    const before = files()
    const result = await writes('demo/app:v4.0.0', ...now)
    expect({...result, stdout: ''}).toMatchObject({status: 5, writes: 0})
    expect(result.stderr).toContain('demo/log of demo.example.org')
    expect(files()).toEqual(before)
  })

  it('creates no lock file', async () => {
    rmSync(at('platform.lock'))
    writeFileSync(at('platform.yaml'), declarationWith('v3.0.0'))
    world.publish('sql', 'v3.0.0')
    expect(await upgrade('demo/other', ...now)).toMatchObject({status: 1})
    expect(await upgrade(...now)).toMatchObject({status: 0})
    expect(await installed()).toEqual(['demo/app:v3.0.0 Complete', 'demo/sql:v3.0.0 Complete'])
    expect(lockText).toThrow()
  })

  it('shows the first use of an owner as JSON, and lets no package take its group over', async () => {
    const packages = writeTree(mkdtempSync(join(temporary, 'taken-')), takenOver('v1.0.0'))
    const source = ['--packages', packages]
    const plan = at('user.json')
    expect(
      await run('package', 'install', 'x/user', '--no-pin-image', ...source, '--plan-out', plan),
    ).toMatchObject({status: 0})
    const {status, stdout} = await run('package', 'install', '--plan', plan, '--no-wait', '-o', 'json')
    expect({status, ...(JSON.parse(stdout) as object)}).toMatchObject({
      status: 0,
      owners: [{group: 'x.example.org', after: 'x/is', isAssigned: false}],
    })
    expect(schemaViolations(schemaOf('cluster-change'), JSON.parse(stdout))).toEqual([])
    writeTree(packages, takenOver('v1.1.0'))
    const rejected = await run('package', 'install', 'x/hs:v1.1.0', ...source, '--no-wait', '--yes')
    expect({...rejected, stderr: ''}).toMatchObject({status: 3})
    expect(rejected.stderr).toContain('x/hs:v1.1.0 and x/is:v1.0.0 both own is.x.example.org')
  })

  it('moves the pin of a package of the corpus', async () => {
    for (const tag of ['v0.3.0', 'v0.7.0']) {
      const source = join(CORPUS_ROOT, 'corpus', `provider-rook@${tag}`)
      cpSync(source, join(world.folder, 'demo', `rook@${tag}`), {recursive: true})
    }
    const text = readFileSync(at('platform.yaml'), 'utf8')
    const rook = (tag: string) => text.replace(/- .*/, `- package: 'demo/rook:${tag}'`)
    writeFileSync(at('rook.yaml'), rook('v0.3.0'))
    const groups = ['cache', 'compute', 'database', 'kubernetes', 'storage', 'workload']
    const assumed = groups.flatMap(group => ['--assume', `things.${group}.crossplane.io/v1alpha1`])
    const declared = ['--declaration', at('rook.yaml'), ...SOURCE, ...assumed, '--no-wait', '--yes']
    expect(await run('package', 'install', ...declared)).toMatchObject({status: 0})
    expect(await upgrade('demo/rook:v0.7.0', ...declared)).toMatchObject({status: 0})
    expect(await installed()).toContain('demo/rook:v0.7.0 Complete')
    expect(readFileSync(at('rook.yaml'), 'utf8')).toBe(rook('v0.7.0'))
  })
})
