import {expect, it} from '@jest/globals'
import {cpSync, mkdirSync, readdirSync, rmSync, symlinkSync} from 'node:fs'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {GitWorlds, Repository} from './git-world.js'

const REGISTRY = 'registry.example.org/example'
const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const DECLARATION = 'crossplane-packages.yaml'
const SETTINGS = 'packages/.kubectl-crossplane/tree.settings'
const ARGOCD = ['--layout', 'argocd', '--repo-url', 'https://git.example.org/team/deploy']

describeReal('the settings that a tree was rendered with', missingTool('git'), () => {
  const worlds = new GitWorlds()
  /** A repository with a declaration and the packages of both formats. */
  const repository = (packages: string, settings = '') => {
    const folder = worlds.folder()
    cpSync('examples/xpkg/packages', folder, {recursive: true})
    cpSync(worlds.packages, folder, {recursive: true})
    const made = new Repository(worlds.folder(), folder)
    made.git('init', '--quiet', '--initial-branch=main')
    made.write({[DECLARATION]: `${HEAD}${settings}packages:\n${packages}`})
    const commit = () => {
      made.git('add', '--all')
      made.git('commit', '--quiet', '--message=by hand')
    }
    commit()
    const file = made.at(DECLARATION)
    const run = (verb: string, ...flags: readonly string[]) =>
      runCli('package', verb, '--declaration', file, '--packages', folder, '--quiet', ...flags)
    return Object.assign(made, {
      commit,
      folder,
      lock: () => run('lock'),
      render: (...flags: readonly string[]) => run('render', '--output-dir', made.at('packages'), ...flags),
      check: () => runCli('package', 'check', '--git', made.root, '--packages', folder),
      drift: () => run('drift', '--git', made.root),
      files: () => readdirSync(made.at('packages'), {recursive: true, encoding: 'utf8'}).sort(),
      kept: () => made.git('grep', '--name-only', '-E', 'Prune=false|prune: disabled').trim().split('\n'),
    })
  }

  /** A tree for Argo CD that `render` wrote, whose declaration has no layout. */
  const rendered = async (...flags: readonly string[]) => {
    const made = repository(`- package: ${REGISTRY}/provider-sql:v1.2.0\n- package: x/bs:v1.0.0\n`)
    expect(await made.lock()).toMatchObject({status: 0})
    expect(await made.render(...(flags.length === 0 ? ARGOCD : flags))).toMatchObject({status: 0})
    made.commit()
    return made
  }

  /** The lines that an error prints for the declaration. */
  const linesIn = (stderr: string) => /^Try: Add these lines to \S+:\n([^]*?)\nTry: /m.exec(stderr)?.[1] ?? ''

  it('are not forgotten by an upgrade, which names the lines that keep them', async () => {
    const made = await rendered()
    const before = {files: made.files(), kept: made.kept()}
    const refused = await made.upgrade('x/bs:v2.0.0')
    expect(refused).toMatchObject({status: 5})
    expect(linesIn(refused.stderr)).toBe(
      'layout: argocd\nargocd:\n  repoURL: https://git.example.org/team/deploy',
    )
    expect({files: made.files(), kept: made.kept(), status: made.status()}).toEqual({...before, status: ''})
    made.write({[DECLARATION]: `${made.text(DECLARATION)}${linesIn(refused.stderr)}\n`})
    made.commit()
    await made.committed(made.upgrade('x/bs:v2.0.0', ...ARGOCD))
    expect({files: made.files(), kept: made.kept()}).toEqual(before)
    expect(await made.check()).toMatchObject({status: 0})
  })

  it.each([
    {name: 'Flux', flags: ['--layout', 'flux'], lines: 'layout: flux', isInferred: true},
    {name: 'a pin', flags: ['--pin', 'tag'], lines: 'xpkg:\n  pin: tag', isInferred: false},
    {
      name: 'others',
      flags: [
        '--activate',
        'used',
        '--core-version',
        'v2.3.4',
        '--no-pin-image',
        '--revision-history-limit',
        '3',
      ],
      lines: 'coreVersion: v2.3.4\nrender:\n  pin: false\nxpkg:\n  activate: used\n  revisionHistoryLimit: 3',
      isInferred: false,
    },
  ])('are kept by the lines of an error: $name', async ({flags, lines, isInferred}) => {
    const made = await rendered(...flags)
    const refused = await made.run('install', 'x/as:v1.0.0')
    expect({status: refused.status, lines: linesIn(refused.stderr)}).toEqual({status: 5, lines})
    if (isInferred) {
      // A tree of a release without settings.
      made.git('rm', '--quiet', SETTINGS)
      made.commit()
      const {status, stderr} = await made.run('install', 'x/as:v1.0.0')
      expect({status, lines: linesIn(stderr)}).toEqual({status: 5, lines})
    }
    made.write({[DECLARATION]: `${made.text(DECLARATION)}${lines}\n`})
    made.commit()
    const before = made.files()
    await made.committed(made.run('install', 'x/as:v1.0.0'))
    expect(made.files()).toEqual(expect.arrayContaining(before))
    expect(await made.check()).toMatchObject({status: 0})
  })

  it('change only with flags, and a commit that removes protection says so first', async () => {
    const made = await rendered()
    const refused = await made.upgrade('--change-settings')
    expect(refused).toMatchObject({status: 5, stderr: expect.stringContaining('--allow-pruning')})
    await made.committed(made.upgrade('--change-settings', '--allow-pruning'))
    expect(made.git('log', '-1', '--format=%B')).toMatch(
      /^Remove the protection of packages against pruning\n\nThis commit removes protection against pruning[^]*UNPROTECTED Provider example-provider-sql\n[^]*SETTING layout: argocd -> plain\n/,
    )
    expect(made.files().filter(path => path.startsWith('argocd'))).toEqual([])
  })

  it('are replaced where the declaration has them otherwise', async () => {
    const made = await rendered('--layout', 'flux')
    const declared = made.text(DECLARATION)
    made.write({[DECLARATION]: `${declared}layout: argocd\nargocd: {repoURL: https://git.example.org/a}\n`})
    made.commit()
    const {status, stderr} = await made.upgrade()
    expect(status).toBe(5)
    expect(stderr).toMatch(
      /^Try: Replace layout with these lines in \S+:\nlayout: flux\nTry: Remove argocd from /m,
    )
    made.write({[DECLARATION]: `${declared}layout: flux\n`})
    made.commit()
    await made.committed(made.upgrade('x/bs:v2.0.0'))
  })

  it('are an error if they were modified, in each command that reads them', async () => {
    const made = await rendered()
    made.write({[SETTINGS]: made.text(SETTINGS).replace('layout: argocd', 'layout: plain')})
    made.commit()
    const hashes = await runCli('package', 'check', '--git', made.root, '--hashes')
    const drift = await made.drift()
    for (const {status, stderr} of [await made.check(), hashes, drift])
      expect({status, stderr}).toEqual({status: 7, stderr: expect.stringContaining('tree.settings')})
    for (const {status, stderr} of [await made.upgrade(), await made.render()])
      expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining('tree.settings')})
  })

  it('are kept by a render without a declaration, too', async () => {
    const made = repository('')
    const render = (...flags: readonly string[]) =>
      runCli(
        'package',
        'render',
        'x/bs:v1.0.0',
        '--packages',
        made.folder,
        '--output-dir',
        made.at('out'),
        ...flags,
      )
    expect(await render('--layout', 'flux', '--no-pin-image')).toMatchObject({status: 0})
    const refused = await render('--no-pin-image')
    expect(refused).toMatchObject({status: 5, stderr: expect.stringContaining('Pass --layout flux ')})
    expect(await render('--layout', 'flux', '--no-pin-image')).toMatchObject({status: 0})
    expect(await render('--layout', 'flux')).toMatchObject({status: 5})
    expect(await render('--layout', 'flux', '--change-settings')).toMatchObject({status: 0})
  })
})

describeReal('a declaration that is not committed', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const VALID = `${HEAD}packages: []\ndefaultSource: registry.example.org\n`

  it.each([
    {name: 'without errors', text: VALID, want: 'crossplane-packages.yaml: the file is not committed'},
    {name: 'with errors', text: 'garbage: [\n', want: 'crossplane-packages.yaml'},
  ])('is not passed over: $name', async ({text, want}) => {
    const made = worlds.repository()
    for (const path of [DECLARATION, `deploy/${DECLARATION}`]) {
      made.write({[path]: text})
      for (const args of [['install', 'x/bs:v1.0.0'], ['upgrade'], ['uninstall', 'x-bs']] as const) {
        const home = path === DECLARATION ? [] : ['--path', 'deploy']
        const {status, stderr} = await made.run(args[0], ...args.slice(1), ...home)
        expect({status, stderr}).toEqual({
          status: text === VALID ? 5 : 1,
          stderr: expect.stringContaining(want),
        })
      }
    }
    expect(made.commits()).toBe(1)
  })

  it('is named where a link or a folder is in its place', async () => {
    const made = worlds.repository()
    for (const place of [
      () => symlinkSync('nowhere', made.at(DECLARATION)),
      () => mkdirSync(made.at(DECLARATION)),
    ]) {
      place()
      for (const args of [['install', 'x/bs:v1.0.0'], ['upgrade']] as const) {
        const {status, stderr} = await made.run(args[0], ...args.slice(1))
        expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining(DECLARATION)})
      }
      rmSync(made.at(DECLARATION), {recursive: true})
    }
  })

  it('is committed by the command that an interrupted run left it of', async () => {
    const made = worlds.repository()
    await made.committed(made.install('x/bs:v1.0.0'))
    made.git('reset', '--quiet', '--soft', 'HEAD~')
    made.git('reset', '--quiet')
    await made.committed(made.install('x/bs:v1.0.0'))
    expect(made.status()).toBe('')
  })

  it('is not passed over as an entry, and neither is a lock', async () => {
    const made = worlds.repository({[DECLARATION]: VALID.replace(/default.*\n/, '')})
    made.write({'crossplane-packages.lock': 'garbage: [\n'})
    const lock = await made.install('x/bs:v1.0.0')
    expect(lock).toMatchObject({status: 1, stderr: expect.stringContaining('crossplane-packages.lock')})
    rmSync(made.at('crossplane-packages.lock'))
    const split = worlds.repository({[DECLARATION]: HEAD})
    split.write({'packages.d/other.yaml': 'package: x/as:v1.0.0\n'})
    const entry = await split.install('x/bs:v1.0.0')
    expect(entry).toMatchObject({status: 5, stderr: expect.stringContaining('packages.d/other.yaml')})
    expect([made.commits(), split.commits()]).toEqual([1, 1])
  })
})
