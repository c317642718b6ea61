import {describe, expect, it} from '@jest/globals'
import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type CliResult, runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {BLOG, DATABASE, TEMPLATE} from './fixtures.js'
import {contentOf, treeOf, visibleIn} from './folder-content.js'
import {OWNED_FILES} from '../../src/plan/folder/owned-files.js'
import {identityOf, objectsIn} from './printed-objects.js'
import {rendered} from './rendered.js'

const temporary = temporaryFolder()
let folders = 0
const newFolder = () => join(temporary, `${(folders += 1)}`)

const write = (folder: string, ...args: readonly string[]): Promise<CliResult> =>
  runCli('package', 'render', ...args, '--output-dir', folder)

/** The result of a run with these counts. */
const report = (folder: string, written: number, deleted: number, unchanged: number): CliResult => ({
  status: 0,
  stdout: '',
  stderr: `${folder}: ${written} written, ${deleted} deleted, ${unchanged} unchanged\n`,
})

const INSTALL = 'installs/crossplane-system.example-cli-database'
const DATABASE_FILES = [
  '.gitattributes',
  'crds/instances.database.example.org.yaml',
  'crds/kustomization.yaml',
  'crds/users.database.example.org.yaml',
  `${INSTALL}/clusterrole-admin.yaml`,
  `${INSTALL}/clusterrole-edit.yaml`,
  `${INSTALL}/clusterrole-system.yaml`,
  `${INSTALL}/clusterrole-view.yaml`,
  `${INSTALL}/clusterrolebinding-example-cli-database.yaml`,
  `${INSTALL}/deployment-example-cli-database-controller.yaml`,
  `${INSTALL}/kustomization.yaml`,
  `${INSTALL}/package-example-cli-database.yaml`,
  `${INSTALL}/serviceaccount-example-cli-database.yaml`,
  'installs/kustomization.yaml',
  'kustomization.yaml',
]

describe('--output-dir', () => {
  it('writes one file for each object, named without a version, and a kustomization in every folder', async () => {
    const folder = newFolder()
    expect(await write(folder, ...DATABASE)).toEqual(report(folder, DATABASE_FILES.length, 0, 0))
    const hidden = [OWNED_FILES, '.kubectl-crossplane/tree.settings']
    expect(Object.keys(contentOf(folder)).filter(path => !hidden.includes(path))).toEqual(DATABASE_FILES)
  })

  it.each([
    {
      name: 'a Cluster package',
      in: [...DATABASE, '--with-package-api', '--create-namespace', '--include-request'],
    },
    {name: 'a Namespaced package', in: [...BLOG, '--create-namespace']},
    {name: 'a template stack', in: TEMPLATE},
  ])('writes exactly the objects that it would print: $name', async ({in: args}) => {
    const folder = newFolder()
    await write(folder, ...args)
    const files = Object.entries(visibleIn(folder)).filter(([path]) => !path.endsWith('kustomization.yaml'))
    const written = files.map(([, text]) => objectsIn(text)).map(objects => objects[0])
    const byIdentity = (objects: readonly (ReturnType<typeof objectsIn>[number] | undefined)[]) =>
      Object.fromEntries(
        objects.flatMap(object => (object === undefined ? [] : [[identityOf(object), object]])),
      )
    const printed = objectsIn(await rendered(...args))
    expect(byIdentity(written)).toEqual(byIdentity(printed))
    expect(files.length).toBe(printed.length)
  })

  it('writes nothing the second time', async () => {
    const folder = newFolder()
    await write(folder, ...DATABASE)
    const before = contentOf(folder)
    expect(await write(folder, ...DATABASE)).toEqual(report(folder, 0, 0, DATABASE_FILES.length))
    expect(contentOf(folder)).toEqual(before)
  })

  it('writes a deleted file again', async () => {
    const folder = newFolder()
    await write(folder, ...DATABASE)
    const before = contentOf(folder)
    rmSync(join(folder, 'crds/kustomization.yaml'))
    expect(await write(folder, ...DATABASE)).toEqual(report(folder, 1, 0, DATABASE_FILES.length - 1))
    expect(contentOf(folder)).toEqual(before)
  })

  it('deletes stale managed files and keeps unmanaged ones', async () => {
    const folder = newFolder()
    const foreign = {'README.md': 'mine', 'crds/mine.yaml': 'kind: Mine\n', '.gitignore': '*.bak\n'}
    writeTree(folder, foreign)
    await write(folder, ...DATABASE)
    const clean = newFolder()
    await write(clean, ...BLOG)
    const {status} = await write(folder, ...BLOG)
    expect({status, content: contentOf(folder)}).toEqual({
      status: 0,
      content: {...contentOf(clean), ...foreign},
    })
  })

  it('prints the change as JSON', async () => {
    const folder = newFolder()
    const {status, stdout, stderr} = await write(folder, ...DATABASE, '-o', 'json')
    expect({status, stderr, document: JSON.parse(stdout) as unknown}).toEqual({
      status: 0,
      stderr: '',
      document: {
        apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
        kind: 'FolderChange',
        folder,
        written: DATABASE_FILES,
        deleted: [],
        unchanged: 0,
        risks: [],
      },
    })
  })
})

describe('--output-dir exits with 5 and changes nothing', () => {
  const refused = async (folder: string, ...args: readonly string[]) => {
    const before = treeOf(folder)
    const {status, stdout, stderr} = await write(folder, ...args, '-o', 'json')
    const {code, faults, suggestions} = JSON.parse(stderr) as Record<string, unknown>
    const paths = (faults as {rule: string; file: string}[]).map(({rule, file}) => `${file}: ${rule}`)
    expect(treeOf(folder)).toEqual(before)
    expect({status, stdout, code, suggestions}).toEqual({
      status: 5,
      stdout: '',
      code: 'output-refused',
      suggestions: [...new Set(paths.map(path => path.split(': ')[1]))].map(() => expect.any(String)),
    })
    return paths
  }

  it('where an unmanaged file is in place of a managed one', async () => {
    const folder = writeTree(newFolder(), {[`${INSTALL}/clusterrole-view.yaml`]: 'mine\n'})
    expect(await refused(folder, ...DATABASE)).toEqual([`${INSTALL}/clusterrole-view.yaml: foreign-file`])
  })

  it('where a managed file was modified', async () => {
    const folder = newFolder()
    await write(folder, ...DATABASE)
    const edited = join(folder, INSTALL, 'clusterrole-view.yaml')
    writeFileSync(edited, `${readFileSync(edited, 'utf8')}# mine\n`)
    expect(await refused(folder, ...DATABASE, '--api', 'stacks')).toEqual([
      `${INSTALL}/clusterrole-view.yaml: edited-file`,
    ])
  })

  it('where a stale managed file was modified', async () => {
    const folder = newFolder()
    await write(folder, ...DATABASE)
    writeFileSync(join(folder, 'crds/users.database.example.org.yaml'), 'mine\n')
    expect(await refused(folder, ...BLOG)).toEqual([
      'crds/users.database.example.org.yaml: edited-stale-file',
    ])
  })

  it('where a folder has a second kustomization', async () => {
    const folder = writeTree(newFolder(), {'crds/kustomization.yml': 'resources: []\n'})
    expect(await refused(folder, ...DATABASE)).toEqual(['crds/kustomization.yml: second-kustomization'])
  })

  it('and names every path', async () => {
    const folder = writeTree(newFolder(), {'kustomization.yaml': 'mine\n', crds: 'a file\n'})
    expect(await refused(folder, ...DATABASE)).toEqual([
      'crds: not-a-folder',
      'kustomization.yaml: foreign-file',
    ])
  })
})
