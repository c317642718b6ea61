import {describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {cpSync, existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {type CliResult, runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {BLOG, DATABASE} from './fixtures.js'
import {contentOf, treeOf} from './folder-content.js'

const OWN = 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: own\n'
const temporary = temporaryFolder()
let folders = 0
const fresh = () => join(temporary, `${(folders += 1)}`)

const render = (folder: string, ...args: readonly string[]): Promise<CliResult> =>
  runCli('package', 'render', ...args, '--output-dir', folder)

interface Document {
  readonly kind: string
  readonly operations: {action: string; path: string; content?: string; risks?: {rule: string}[]}[]
  readonly rejections: {rule: string; file: string}[]
  readonly unchanged: number
}

/** A folder that holds one set, in which another one replaces, creates and deletes files. */
async function folderWith(...args: readonly string[]): Promise<string> {
  const folder = writeTree(fresh(), {'README.md': 'mine\n'})
  expect(await render(folder, ...args)).toMatchObject({status: 0})
  return folder
}

const OTHER = [...DATABASE, '--api', 'stacks', '--include-request']

describe('render --output-dir --dry-run', () => {
  it.each([
    {name: 'as text', flags: []},
    {name: 'as JSON', flags: ['-o', 'json']},
  ])('changes nothing: $name', async ({flags}) => {
    const folder = await folderWith(...DATABASE)
    const before = treeOf(folder)
    const {status, stdout} = await render(folder, ...OTHER, '--dry-run', ...flags)
    expect({status, tree: treeOf(folder)}).toEqual({status: 0, tree: before})
    expect(stdout).toContain('installs/crossplane-system.example-cli-database')
  })

  it('creates no folder', async () => {
    const folder = fresh()
    expect(await render(folder, ...DATABASE, '--dry-run')).toMatchObject({status: 0})
    expect(existsSync(folder)).toBe(false)
  })

  it('prints the same bytes every time, for any name of the folder', async () => {
    const [one, other] = [await folderWith(...DATABASE), await folderWith(...DATABASE)]
    const [first, second] = [
      await render(one, ...OTHER, '--dry-run', '-o', 'json'),
      await render(other, ...OTHER, '--dry-run', '-o', 'json'),
    ]
    expect(first.stdout).toBe(second.stdout)
    expect((JSON.parse(first.stdout) as Document).kind).toBe('Plan')
  })

  it('names the CRDs whose files are deleted, and so does the write', async () => {
    const folder = await folderWith(...DATABASE)
    const {stdout} = await render(folder, ...BLOG, '--dry-run')
    const names = ['instances.database.example.org', 'users.database.example.org']
    for (const name of names) {
      expect(stdout).toContain(`Try: kubectl get ${name} --all-namespaces`)
    }
    const {stderr} = await render(folder, ...BLOG)
    for (const name of names)
      expect(stderr).toContain(`Warning: the file of CustomResourceDefinition ${name}`)
  })

  it('shows rejections and exits with 5', async () => {
    const folder = writeTree(fresh(), {'kustomization.yaml': 'mine\n'})
    const {status, stdout} = await render(folder, ...DATABASE, '--dry-run', '-o', 'json')
    const {rejections, operations} = JSON.parse(stdout) as Document
    expect({status, rejections}).toMatchObject({status: 5, rejections: [{rule: 'foreign-file'}]})
    expect(operations.map(({path}) => path)).not.toContain('kustomization.yaml')
  })
})

describeReal('the diffs of a plan', missingTool('git'), () => {
  it('give the same as the write when git applies them', async () => {
    const folder = await folderWith(...DATABASE)
    const copy = fresh()
    cpSync(folder, copy, {recursive: true})
    const {stdout} = await render(folder, ...OTHER, '--dry-run')
    writeFileSync(join(copy, 'diff'), stdout)
    execFileSync('git', ['apply', 'diff'], {cwd: copy, stdio: 'pipe'})
    rmSync(join(copy, 'diff'))
    await render(folder, ...OTHER)
    expect(contentOf(copy)).toEqual(contentOf(folder))
  })
})

describe('render --plan', () => {
  /** A folder, a copy of it, and the saved plan of an upgrade of either. */
  async function planned() {
    const folder = await folderWith(...DATABASE)
    const plan = `${fresh()}.json`
    const {status} = await render(folder, ...OTHER, '--plan-out', plan)
    expect(status).toBe(0)
    return {folder, plan}
  }

  it('writes the bytes that the plan prints and that a write without a plan makes', async () => {
    const {folder, plan} = await planned()
    const direct = fresh()
    cpSync(folder, direct, {recursive: true})
    const printed = await render(folder, ...OTHER, '--dry-run', '-o', 'json')
    expect(readFileSync(plan, 'utf8')).toBe(printed.stdout)
    expect(await render(direct, ...OTHER)).toMatchObject({status: 0})
    expect(await render(folder, '--plan', plan)).toMatchObject({status: 0})
    expect(contentOf(folder)).toEqual(contentOf(direct))
    const {operations} = JSON.parse(printed.stdout) as Document
    const contents = operations.flatMap(({path, content}) =>
      content === undefined ? [] : [[path, content] as const],
    )
    expect(contentOf(folder)).toMatchObject(Object.fromEntries<string>(contents))
  })

  it('changes nothing the second time, and does not read the package', async () => {
    const {folder, plan} = await planned()
    await render(folder, '--plan', plan)
    const before = contentOf(folder)
    const {status, stderr} = await render(folder, '--plan', plan)
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining(' 0 written, 0 deleted')})
    expect(contentOf(folder)).toEqual(before)
  })

  it('prints the operations with --dry-run', async () => {
    const {folder, plan} = await planned()
    const before = treeOf(folder)
    const {status, stdout} = await render(folder, '--plan', plan, '--dry-run')
    expect({status, stdout, tree: treeOf(folder)}).toEqual({
      ...{status: 0, tree: before},
      stdout: (await render(folder, ...OTHER, '--dry-run')).stdout,
    })
  })

  it.each(['edited', 'deleted', 'created'])('stops when a file was %s since', async how => {
    const {folder, plan} = await planned()
    const {operations} = JSON.parse(readFileSync(plan, 'utf8')) as Document
    const action = how === 'created' ? 'create-only' : 'replace'
    const path = join(folder, operations.find(each => each.action === action)?.path ?? '')
    if (how === 'deleted') rmSync(path)
    else writeTree(folder, {[path.slice(folder.length + 1)]: 'mine\n'})
    const before = treeOf(folder)
    for (const flags of [[], ['--dry-run']]) {
      const {status, stderr} = await render(folder, '--plan', plan, ...flags)
      expect({status, tree: treeOf(folder)}).toEqual({status: 5, tree: before})
      expect(stderr).toContain('changed-meanwhile')
    }
  })

  it.each([
    {
      name: 'replaces an unmanaged file, although it knows its hash',
      edit: (operations: object[]) => [
        ...operations.filter(each => !('path' in each && String(each.path).endsWith('.sha256'))),
        {
          ...{target: 'folder', action: 'replace', path: 'own.yaml', reason: 'because'},
          ...{
            content: OWN.replace('own', 'evil'),
            object: {apiVersion: 'v1', kind: 'ServiceAccount', name: 'own'},
          },
          precondition: {sha256: createHash('sha256').update(OWN).digest('hex')},
        },
      ],
      status: 5,
    },
    {
      name: 'has an operation without a precondition',
      edit: (operations: object[]) => operations.map(each => ({...each, precondition: undefined})),
      status: 1,
    },
  ])('stops when the plan $name', async ({edit, status}) => {
    const {folder, plan} = await planned()
    writeFileSync(join(folder, 'own.yaml'), OWN)
    const saved = JSON.parse(readFileSync(plan, 'utf8')) as {operations: object[]}
    writeFileSync(plan, JSON.stringify({...saved, operations: edit(saved.operations)}))
    const before = treeOf(folder)
    const result = await render(folder, '--plan', plan)
    expect({status: result.status, tree: treeOf(folder)}).toEqual({status, tree: before})
    expect(result.stderr).not.toContain('bug')
    expect(result.stderr).toMatch(/operations\[\d+\]|own\.yaml/)
  })

  it('rejects a package argument, and a missing folder', async () => {
    const {folder, plan} = await planned()
    const [ref = ''] = DATABASE
    expect(await render(folder, ref, '--plan', plan)).toMatchObject({status: 2})
    expect(await render(folder, '--with-package-api', '--plan', plan)).toMatchObject({status: 2})
    expect(await runCli('package', 'render', '--plan', plan)).toMatchObject({status: 2})
    expect(await runCli('package', 'render', ...DATABASE, '--dry-run')).toMatchObject({status: 2})
  })

  it('are not saved if they contain rejections', async () => {
    const folder = writeTree(fresh(), {'kustomization.yaml': 'mine\n'})
    const plan = `${fresh()}.json`
    expect(await render(folder, ...DATABASE, '--plan-out', plan)).toMatchObject({status: 5})
    expect(existsSync(plan)).toBe(false)
  })
})

describe('--plan of a cluster', () => {
  it.each(['install', 'upgrade', 'uninstall', 'rollback', 'migrate'])(
    'is read before package %s looks for a cluster',
    async command => {
      const kubeconfig = join(fresh(), 'absent')
      const result = await runCli('package', command, '--plan', 'absent.json', '--kubeconfig', kubeconfig)
      expect(result).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('absent.json: no such file') as unknown,
      })
    },
  )
})
