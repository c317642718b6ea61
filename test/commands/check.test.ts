import {describe, expect, it} from '@jest/globals'
import {mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {sha256Of} from '../../src/plan/sha256.js'
import {schemaOf, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {locked, owner} from './locked-world.js'

const FIRST_CRD = 'crds/as.x.example.org.yaml'
const LIST = '.kubectl-crossplane/files.sha256'

/** A locked declaration with rendered files beside it, in the folder `packages` of a repository if `isHome`. */
async function rendered() {
  const {root, at, edit} = await homeless()
  const packages = ['--packages', at('available')]
  const place = ['--output-dir', at('packages'), '--declaration', at('crossplane-packages.yaml')]
  const render = (...args: readonly string[]) => runCli('package', 'render', ...place, ...packages, ...args)
  expect(await render()).toMatchObject({status: 0})
  const check = (...args: readonly string[]) => runCli('package', 'check', ...place, ...packages, ...args)
  const hashes = (...args: readonly string[]) =>
    runCli('package', 'check', '--output-dir', at('packages'), '--hashes', ...args)
  const tree = (path: string) => join(at('packages'), path)
  return {root, at, edit, tree, place, packages, render, check, hashes}
}

async function homeless() {
  const world = await locked()
  renameSync(world.at('packages'), world.at('available'))
  renameSync(world.at('wanted.yaml'), world.at('crossplane-packages.yaml'))
  renameSync(world.at('wanted.lock'), world.at('crossplane-packages.lock'))
  const at = (path: string) => world.at(path)
  const edit = (from: RegExp | string, to: string, file: string) => {
    const text = readFileSync(at(file), 'utf8')
    expect(text).toMatch(from)
    writeFileSync(at(file), text.replace(from, to))
  }
  return {root: world.root, at, edit}
}

/** The headings of what is printed: kind and path. */
const headings = (stdout: string) =>
  stdout.split('\n').flatMap(line => /^(\w+ [^ :]+): /.exec(line)?.slice(1) ?? [])

describe('package check', () => {
  const outside = temporaryFolder()
  it('finds nothing in a folder as it was rendered, and changes nothing', async () => {
    const {check, hashes, tree} = await rendered()
    const before = readdirSync(tree('.'), {recursive: true}).sort()
    for (const run of [check, hashes]) {
      const {status, stdout, stderr} = await run()
      expect({status, stdout}).toEqual({status: 0, stdout: ''})
      expect(stderr).toMatch(/: \d+ unchanged\n$/)
    }
    const yaml = await hashes('--output', 'yaml')
    expect(yaml.stdout).toMatch(/^kind: FolderCheck$/m)
    expect(readdirSync(tree('.'), {recursive: true}).sort()).toEqual(before)
  })

  it.each<{name: string; change: (tree: (path: string) => string) => void; want: readonly string[]}>([
    {
      name: 'an edited file',
      change: tree => {
        writeFileSync(tree(FIRST_CRD), `${readFileSync(tree(FIRST_CRD), 'utf8')}# edited\n`)
      },
      want: [`edited ${FIRST_CRD}`],
    },
    {
      name: 'a missing file',
      change: tree => {
        rmSync(tree(FIRST_CRD))
      },
      want: [`missing ${FIRST_CRD}`],
    },
    {
      name: 'an extra file',
      change: tree => {
        writeTree(tree('.'), {'crds/extra.yaml': 'a: 1\n', 'more.yaml': 'a: 1\n', '.hidden': ''})
      },
      want: ['extra crds/extra.yaml', 'extra more.yaml'],
    },
    {
      name: 'a link in place of a file',
      change: tree => {
        renameSync(tree(FIRST_CRD), tree('../moved.yaml'))
        symlinkSync('../../moved.yaml', tree(FIRST_CRD))
      },
      want: [`edited ${FIRST_CRD}`],
    },
    {
      name: 'an unfinished write',
      change: tree => {
        writeFileSync(tree('.kubectl-crossplane/journal'), '')
      },
      want: ['unfinished .kubectl-crossplane/journal'],
    },
  ])('finds $name, with and without rendering', async ({change, want}) => {
    const {check, hashes, tree} = await rendered()
    change(tree)
    const full = await check()
    expect({status: full.status, headings: headings(full.stdout)}).toEqual({status: 1, headings: want})
    const byHash = await hashes()
    expect({status: byHash.status, headings: headings(byHash.stdout)}).toEqual({status: 1, headings: want})
  })

  it('finds a file that was edited together with its hash only by rendering', async () => {
    const {check, hashes, tree} = await rendered()
    const edited = `${readFileSync(tree(FIRST_CRD), 'utf8')}# edited\n`
    writeFileSync(tree(FIRST_CRD), edited)
    const list = readFileSync(tree(LIST), 'utf8')
    writeFileSync(tree(LIST), list.replace(/[0-9a-f]{64}( {2}crds\/as\.)/, `${sha256Of(edited)}$1`))
    expect(await hashes()).toMatchObject({status: 0})
    const {status, stdout} = await check()
    expect({status, headings: headings(stdout)}).toEqual({
      status: 1,
      headings: [`outdated ${LIST}`, `outdated ${FIRST_CRD}`],
    })
  })

  it('prints the difference of files', async () => {
    const {check, tree} = await rendered()
    writeFileSync(tree(FIRST_CRD), `${readFileSync(tree(FIRST_CRD), 'utf8')}# edited\n`)
    const {stdout} = await check()
    expect(stdout).toContain(`--- a/${FIRST_CRD}\n+++ b/${FIRST_CRD}\n`)
    expect(stdout).toContain('\n-# edited\n')
  })

  it('finds files of another declaration', async () => {
    const {check, edit, render} = await rendered()
    edit(/^packages:/m, 'render: {createNamespace: false}\npackages:', 'crossplane-packages.yaml')
    const {status, stdout} = await check()
    expect({status, headings: headings(stdout)}).toEqual({
      status: 1,
      headings: [
        `outdated ${LIST}`,
        'outdated kustomization.yaml',
        'extra namespaces/crossplane-system.yaml',
        'extra namespaces/kustomization.yaml',
      ],
    })
    expect(await render()).toMatchObject({status: 0})
    expect(await check()).toMatchObject({status: 0})
  })

  it('renders the layout of the declaration', async () => {
    const {check, edit, render, tree} = await rendered()
    edit(/^packages:/m, 'layout: flux\npackages:', 'crossplane-packages.yaml')
    expect(await check()).toMatchObject({status: 1})
    expect(await render()).toMatchObject({status: 0})
    expect(readdirSync(tree('flux'))).not.toEqual([])
    expect(await check()).toMatchObject({status: 0, stdout: ''})
  })

  it('says how a declaration without the settings of the tree agrees with it', async () => {
    const {edit, render, check} = await rendered()
    const lines = 'layout: argocd\nargocd:\n  repoURL: https://git.example.org/team/cluster\n'
    expect(
      await render('--layout', 'argocd', '--repo-url', 'https://git.example.org/team/cluster'),
    ).toMatchObject({status: 0})
    const {status, stderr} = await check()
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining(
        `layout would change from argocd to plain [tree-settings]\nTry: Add these lines to `,
      ),
    })
    expect(stderr).toContain(`crossplane-packages.yaml:\n${lines}`)
    edit(/^packages:/m, `${lines}packages:`, 'crossplane-packages.yaml')
    expect(await check()).toMatchObject({status: 0, stderr: expect.not.stringContaining('tree-settings')})
  })

  it('finds a declaration that its lock file does not fit', async () => {
    const {check, edit} = await rendered()
    edit('- package: x/app', '- package: x/as', 'crossplane-packages.yaml')
    expect(await check()).toMatchObject({status: 3, stdout: ''})
  })

  it('reports another render version as a failure, until the lock is written again', async () => {
    const {check, edit, packages, at} = await rendered()
    edit(/renderVersion: [0-9]+/, 'renderVersion: 99', 'crossplane-packages.lock')
    const {status, stdout, stderr} = await check()
    expect({status, stdout}).toEqual({status: 7, stdout: ''})
    expect(stderr).toMatch(/render version 99/)
    const declaration = ['--declaration', at('crossplane-packages.yaml')]
    expect(await runCli('package', 'lock', ...declaration, ...packages)).toMatchObject({status: 0})
    expect(await check()).toMatchObject({status: 0})
  })

  it('fails if packages without a digest are not available, and compares hashes if that is allowed', async () => {
    const {place, tree} = await rendered()
    const check = (...args: readonly string[]) => runCli('package', 'check', ...place, ...args)
    expect(await check()).toMatchObject({
      status: 7,
      stdout: '',
      stderr: expect.stringMatching(/x\/app:v1\.0\.0.*\n.*--packages[^]*--allow-unavailable/) as unknown,
    })
    const {status, stderr} = await check('--allow-unavailable')
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringMatching(/^Note: .*x\/app:v1\.0\.0.*\[checked-by-hashes\]/m) as unknown,
    })
    rmSync(tree(FIRST_CRD))
    expect(await check('--allow-unavailable')).toMatchObject({status: 1})
  })

  it('calls the hashes outdated after an upgrade of the lock, and edited after an edit', async () => {
    const {check, packages, at, tree} = await rendered()
    writeTree(at('available'), owner('v2.0.0', 'as', 'v1'))
    const declaration = ['--declaration', at('crossplane-packages.yaml')]
    expect(await runCli('package', 'lock', '--upgrade', ...declaration, ...packages)).toMatchObject({
      status: 0,
    })
    const changes = async () => headings((await check()).stdout).filter(each => each.includes(LIST))
    expect(await changes()).toEqual([`outdated ${LIST}`])
    writeFileSync(tree(LIST), `${readFileSync(tree(LIST), 'utf8')}\n`)
    expect(await changes()).toEqual([`edited ${LIST}`])
  })

  it('fails with 7 in a folder without anything', async () => {
    const from = process.cwd()
    process.chdir(outside)
    try {
      for (const args of [[], ['--output-dir', '.'], ['--hashes']]) {
        expect(await runCli('package', 'check', ...args)).toMatchObject({status: 7, stdout: ''})
      }
    } finally {
      process.chdir(from)
    }
  })

  it.each<{name: string; remove: string; args: readonly string[]}>([
    {name: 'no lock', remove: 'crossplane-packages.lock', args: []},
    {name: 'no declaration', remove: 'crossplane-packages.yaml', args: []},
    {name: 'no folder', remove: 'packages', args: []},
    {name: 'no folder, with --hashes', remove: 'packages', args: ['--hashes']},
    {name: 'no list, with --hashes', remove: `packages/${LIST}`, args: ['--hashes']},
  ])('fails with 7: $name', async ({remove, args}) => {
    const {at, check} = await rendered()
    rmSync(at(remove), {recursive: true})
    expect(await check(...args)).toMatchObject({status: 7, stdout: ''})
  })

  it('fails for a list that cannot be read, and calls it edited if files are rendered', async () => {
    const {check, hashes, tree} = await rendered()
    writeFileSync(tree(LIST), 'mine\n')
    expect(await hashes()).toMatchObject({status: 7, stdout: ''})
    const {status, stdout} = await check()
    expect({status, headings: headings(stdout)}).toEqual({status: 1, headings: [`edited ${LIST}`]})
  })

  it('finds the declaration from the folder, and the folder from --git', async () => {
    const {root, tree, packages} = await rendered()
    mkdirSync(join(root, '.git'))
    const check = (...args: readonly string[]) => runCli('package', 'check', ...packages, ...args)
    expect(await check('--output-dir', tree('.'))).toMatchObject({status: 0})
    expect(await check('--git', root)).toMatchObject({status: 0})
    expect(await check('--git', tree('crds'))).toMatchObject({status: 0})
    expect(await check('--git', root, '--path', 'elsewhere')).toEqual({
      status: 7,
      stdout: '',
      stderr:
        'Error: cannot check rendered files: elsewhere has no declaration\nTry: Pass --path with the folder of the declaration.\n',
    })
    expect(await check('--git', outside)).toEqual({
      status: 7,
      stdout: '',
      stderr:
        'Error: cannot check rendered files: the folder of --git is not in a Git repository\nTry: Pass --git with a folder of a repository, or --output-dir with the folder of the files.\n',
    })
    expect(await check('--git', root, '--path', '../x')).toMatchObject({status: 2})
  })

  it('ignores other files only in a folder that has the declaration', async () => {
    const {root, at, packages} = await rendered()
    const place = ['--output-dir', root, '--declaration', at('crossplane-packages.yaml'), ...packages]
    rmSync(at('packages'), {recursive: true})
    expect(await runCli('package', 'render', ...place)).toMatchObject({status: 0})
    expect(await runCli('package', 'check', ...place)).toMatchObject({status: 0})
    writeTree(root, {'crds/extra.yaml': ''})
    expect(headings((await runCli('package', 'check', ...place)).stdout)).toEqual(['extra crds/extra.yaml'])
  })

  it('does not depend on environment variables', async () => {
    const {check} = await rendered()
    process.env.CROSSPLANE_API = 'stacks'
    try {
      expect(await check()).toMatchObject({status: 0})
    } finally {
      Reflect.deleteProperty(process.env, 'CROSSPLANE_API')
    }
  })

  it('prints a document', async () => {
    const {check, tree} = await rendered()
    rmSync(tree(FIRST_CRD))
    const {status, stdout} = await check('-o', 'json')
    const document = JSON.parse(stdout) as object
    expect(schemaViolations(schemaOf('folder-check'), document)).toEqual([])
    expect({status, document}).toMatchObject({
      status: 1,
      document: {kind: 'FolderCheck', paths: [{path: FIRST_CRD, change: 'missing'}]},
    })
  })
})
