import {describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type CliResult, runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {DATABASE} from './fixtures.js'
import {contentOf} from './folder-content.js'

const temporary = temporaryFolder()
let folders = 0
const newFolder = () => join(temporary, `${(folders += 1)}`)

const write = (folder: string, ...args: readonly string[]): Promise<CliResult> =>
  runCli('package', 'render', ...args, '--output-dir', folder)

const ARGOCD = ['--layout', 'argocd', '--repo-url', 'https://git.example.org/team/cluster']
const PACKAGES = join(import.meta.dirname, '../../examples/platform/packages')
const cloud = (version: string) => [
  `example/provider-cloud:${version}`,
  ...['--packages', PACKAGES, '--crossplane-version', 'v0.12'],
]

describe('--layout', () => {
  it.each([
    {
      name: 'flux',
      flags: ['--layout', 'flux'],
      folder: 'flux/kustomizations',
      start: 'flux/start.yaml',
    },
    {name: 'argocd', flags: ARGOCD, folder: 'argocd/applications', start: 'argocd/start.yaml'},
  ])('$name adds files to those of objects', async ({flags, folder: parts, start}) => {
    const folder = newFolder()
    expect(await write(folder, ...DATABASE, ...flags)).toMatchObject({status: 0, stdout: ''})
    const files = contentOf(folder)
    const paths = Object.keys(files).filter(path => !path.startsWith('base/clusterrole'))
    const install = 'crossplane-system.example-cli-database'
    expect(paths.filter(path => !path.startsWith('installs/'))).toEqual(
      [
        '.gitattributes',
        '.kubectl-crossplane/files.sha256',
        '.kubectl-crossplane/tree.settings',
        'base/clusterpackageinstalls.packages.crossplane.io.yaml',
        'base/packageinstalls.packages.crossplane.io.yaml',
        'base/packages.packages.crossplane.io.yaml',
        'base/stackdefinitions.packages.crossplane.io.yaml',
        ...['base', install, 'namespaces'].map(name => `${parts}/${name}.yaml`),
        start,
        'kustomization.yaml',
        'namespaces/crossplane-system.yaml',
      ].sort(),
    )
    expect(paths).toContain(`installs/${install}/users.database.example.org.yaml`)
    expect(files['.gitattributes']).toBe('* -text\n')
  })

  it.each([
    {name: 'in a repository', init: true, want: 'path: ./clusters/One/packages/base\n'},
    {name: 'outside of a repository', init: false, want: 'path: ./base\n'},
  ])('writes paths from the root of the tree that a controller reads: $name', async ({init, want}) => {
    const root = newFolder()
    mkdirSync(root)
    if (init) execFileSync('git', ['init', '--quiet'], {cwd: root})
    const folder = join(root, 'clusters/One/packages')
    await write(folder, ...DATABASE, '--layout', 'flux')
    expect(contentOf(folder)['flux/kustomizations/base.yaml']).toContain(want)
  })

  it.each([
    {
      flags: ['--layout', 'flux'],
      start: (folder: string) => `sed '1,/^---$/d' ${folder}/flux/start.yaml | kubectl apply --filename -`,
    },
    {flags: ARGOCD, start: (folder: string) => `kubectl apply --filename ${folder}/argocd/start.yaml`},
  ])(
    'warns of a controller that applies the whole folder, with its start: $flags',
    async ({flags, start}) => {
      const folder = newFolder()
      await write(folder, ...DATABASE)
      const {status, stderr} = await write(folder, ...DATABASE, ...flags)
      expect(status).toBe(0)
      const lines = stderr.split('\n')
      const at = lines.findIndex(line => line.includes('[tree-start-changed]'))
      expect(lines[at]).toContain('neither applies nor deletes anything')
      expect(lines[at + 1]).toBe(`Try: If there is one, once this is pushed: ${start(folder)}`)
      expect((await write(folder, ...DATABASE, ...flags)).stderr).not.toContain('tree-start-changed')
    },
  )

  it('is changed only by flags that say so, and leaves no file of the other layout', async () => {
    const [folder, other] = [newFolder(), newFolder()]
    await write(folder, ...DATABASE, '--layout', 'flux')
    const before = contentOf(folder)
    for (const flags of [[], ['--change-settings']])
      expect(await write(folder, ...DATABASE, ...ARGOCD, ...flags)).toMatchObject({status: 5})
    expect(contentOf(folder)).toEqual(before)
    const changed = ['--change-settings', '--allow-pruning']
    expect(await write(folder, ...DATABASE, ...ARGOCD, ...changed)).toMatchObject({status: 0})
    await write(other, ...DATABASE, ...ARGOCD)
    expect(contentOf(folder)).toEqual(contentOf(other))
  })

  it('is a field of a declaration, which the flag must not contradict', async () => {
    const [folder, other] = [newFolder(), newFolder()]
    const declaration = join(temporary, 'argocd.yaml')
    writeFileSync(
      declaration,
      [
        'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration',
        'layout: argocd\nargocd: {repoURL: https://git.example.org/team/cluster, project: platform}',
        'crds: external\npackages: [{package: example/app-press:v0.1.0, namespace: team-a}]\n',
      ].join('\n'),
    )
    const args = ['--declaration', declaration, '--packages', PACKAGES]
    expect(await write(folder, ...args)).toMatchObject({status: 0})
    const files = contentOf(folder)
    expect(files['argocd/start.yaml']).toContain('project: platform\n')
    expect(Object.keys(files).filter(path => path.startsWith('crds/'))).toEqual([])
    expect(await write(other, ...args, '--layout', 'argocd')).toMatchObject({status: 0})
    expect(await write(other, ...args, '--layout', 'flux')).toMatchObject({status: 2})
    const otherUrl = ['--repo-url', 'https://git.example.org/other']
    expect(await write(other, ...args, ...otherUrl)).toMatchObject({status: 2})
  })

  it.each([
    {name: 'argocd without a repository', flags: ['--layout', 'argocd']},
    {name: 'a repository for flux', flags: ['--layout', 'flux', '--repo-url', 'https://git.example.org/a']},
    {
      name: 'credentials in the URL of a repository',
      flags: ['--layout', 'argocd', '--repo-url', 'https://token@git.example.org/a'],
    },
    {name: 'an unknown layout', flags: ['--layout', 'helm']},
  ])('rejects $name', async ({flags}) => {
    expect(await write(newFolder(), ...DATABASE, ...flags)).toMatchObject({
      status: 2,
      stderr: expect.not.stringContaining('token@'),
    })
  })
})

describe('a rendered folder', () => {
  const declared = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages: [{package: example/app-press:v0.1.0, namespace: team-a}]
`
  const both = ['base', 'namespaces']
  it.each([
    {reason: 'it can be deployed to an empty cluster', fields: '', want: both},
    {reason: 'they exist', fields: 'base: external\n', want: []},
    {reason: 'another declaration owns the base too', fields: 'crds: external\n', want: ['namespaces']},
    {reason: 'the base exists', fields: 'render: {base: false}\n', want: ['namespaces']},
    {
      reason: 'only the Namespaces do not exist',
      fields: 'base: external\nrender: {createNamespace: true}\n',
      want: ['namespaces'],
    },
  ])('of a declaration with "$fields" has $want: $reason', async ({fields, want}) => {
    const [folder, file] = [newFolder(), `${newFolder()}.yaml`]
    writeFileSync(file, `${declared}${fields}`)
    const args = ['--declaration', file, '--packages', PACKAGES]
    expect(await write(folder, ...args)).toMatchObject({status: 0})
    const paths = Object.keys(contentOf(folder))
    const has = {
      base: paths.some(path => path === 'base/clusterrole-crossplane-admin.yaml'),
      namespaces: paths.some(path => path === 'namespaces/team-a.yaml'),
    }
    expect(Object.entries(has).flatMap(([name, isThere]) => (isThere ? [name] : []))).toEqual(want)
  })

  it('for no controller and without a declaration is as requested', async () => {
    const folder = newFolder()
    await write(folder, ...DATABASE)
    expect(Object.keys(contentOf(folder)).filter(path => /^base|^namespaces/.test(path))).toEqual([])
  })

  it('has the namespace of a flag, too', async () => {
    const folder = newFolder()
    await write(folder, ...DATABASE, '--layout', 'flux', '--namespace', 'mine')
    expect(Object.keys(contentOf(folder))).toContain('namespaces/mine.yaml')
  })

  it('rejects --with-package-api where the declaration says that it exists', async () => {
    const file = `${newFolder()}.yaml`
    writeFileSync(file, `${declared}base: external\n`)
    const args = ['--declaration', file, '--packages', PACKAGES, '--with-package-api']
    expect(await write(newFolder(), ...args)).toMatchObject({status: 2})
  })
})

describe('a CRD that loses a version', () => {
  const upgraded = async (...flags: readonly string[]) => {
    const folder = newFolder()
    await write(folder, ...cloud('v0.10.0'), ...flags)
    const before = contentOf(folder)
    const result = await write(folder, ...cloud('v0.11.0'), ...flags)
    return {...result, isSame: JSON.stringify(contentOf(folder)) === JSON.stringify(before)}
  }

  it('is not written for a controller, which would apply it', async () => {
    const {status, stderr, isSame} = await upgraded('--layout', 'flux')
    expect({status, isSame}).toEqual({status: 5, isSame: true})
    expect(stderr).toContain('clusters.compute.cloud.example.org: the package removes the version v1alpha3')
    expect(stderr).toContain('--assume-no-instances')
  })

  it('is shown by --dry-run', async () => {
    const folder = newFolder()
    await write(folder, ...cloud('v0.10.0'), ...ARGOCD)
    const {status, stdout} = await write(folder, ...cloud('v0.11.0'), ...ARGOCD, '--dry-run')
    expect(status).toBe(5)
    expect(stdout).toContain('[crd-version-removed]')
  })

  it.each([
    {name: 'where no cluster has instances', flags: ['--layout', 'flux', '--assume-no-instances']},
    {name: 'in a folder that users apply', flags: []},
  ])('is written $name', async ({flags}) => {
    expect(await upgraded(...flags)).toMatchObject({status: 0, isSame: false})
  })
})

describe('installs that share a CRD', () => {
  it('have one file of it with all claims, and without those of a removed install', async () => {
    const folder = newFolder()
    const declaration = join(temporary, 'crossplane-packages.yaml')
    const folders: string[] = []
    const claimsOf = async (...namespaces: readonly string[]) => {
      const installs = namespaces.map(each => `- package: example/app-press:v0.1.0\n  namespace: ${each}\n`)
      writeFileSync(
        declaration,
        `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n${installs.join('')}`,
      )
      const flags = ['--packages', PACKAGES, '--layout', 'flux']
      expect(await write(folder, '--declaration', declaration, ...flags)).toMatchObject({status: 0})
      const files = contentOf(folder)
      const [path = '', ...others] = Object.keys(files).filter(each =>
        each.endsWith('/presses.press.example.org.yaml'),
      )
      expect(others).toEqual([])
      folders.push(path.replace(/\/[^/]*$/, ''))
      const crd = files[path] ?? ''
      return [...crd.matchAll(/parent\.packages\.crossplane\.io\/(\S+):/g)].map(([, claim]) => claim)
    }
    expect(await claimsOf('team-a', 'team-b')).toEqual([
      'team-a-example-app-press',
      'team-b-example-app-press',
    ])
    expect(await claimsOf('team-b')).toEqual(['team-b-example-app-press'])
    expect(folders).toEqual(['crds', 'installs/team-b.example-app-press'])
  })
})
