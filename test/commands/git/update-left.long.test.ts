import {expect, it} from '@jest/globals'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {GitWorlds} from './git-world.js'
import {branchesOf, lastName, statusesOf, updateWorlds} from './update-world.js'

describeReal('what package update does not do', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const world = updateWorlds(worlds)

  it('does not list a dependency as left that moves with its dependent', async () => {
    const {publish, name, remote, update, updates} = world()
    publish('family', 'v1.0.0')
    publish('sql', 'v1.0.0', {requires: {family: '^v1.0.0'}})
    const bare = await remote([{package: `${name('sql')}:v1.0.0`}])
    publish('family', 'v2.0.0')
    publish('sql', 'v2.0.0', {requires: {family: '^v2.0.0'}})
    const {updates: made, waiting} = await updates(`file://${bare.root}`)
    const step = {from: 'v1.0.0', to: 'v2.0.0'}
    expect(made.map(({packages}) => packages)).toEqual([
      [
        {package: name('sql'), ...step},
        {package: name('family'), ...step},
      ],
    ])
    expect(waiting).toEqual([])
    const {stdout} = await update(`file://${bare.root}`, '--explain', name('family'))
    expect(stdout).toContain('family is updated from v1.0.0 to v2.0.0\n  branch: crossplane-update/')
    expect(stdout).not.toContain('not selected')
  })

  it('writes no file of a repository without news, unless the declaration names one', async () => {
    const {publish, name, remote, updates, server} = world()
    publish('a', 'v1.0.0')
    const clone = worlds.clone(await remote([{package: `${name('a')}:v1.0.0`}]))
    const log = join(worlds.folder(), 'log')
    clone.write({'.gitattributes': '*.md filter=log\n'})
    clone.git('config', 'filter.log.smudge', `sh -c 'echo "$1" >>${log}; cat' - %f`)
    const commit = () => {
      clone.git('add', '--all')
      clone.git('commit', '--quiet', '--message=mine')
    }
    commit()
    const isWritten = () => existsSync(log)
    expect([await updates(clone.root), isWritten()]).toEqual([
      expect.objectContaining({updates: [], waiting: []}),
      false,
    ])
    const declaration = clone.git('show', 'HEAD:crossplane-packages.yaml')
    clone.write({
      'crossplane-packages.yaml': `${declaration}policy: policies/team.yaml\n`,
      'policies/team.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\nsources:\n- ${server.host}/other\n`,
    })
    commit()
    // The policy is read, and does not allow the package.
    await expect(updates(clone.root)).rejects.toThrow('policies/team.yaml')
    expect(isWritten()).toBe(true)
    expect(clone.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  })

  it('lets what a version newly requires wait and be held as well', async () => {
    const {publish, name, remote, update, updates} = world()
    publish('a', 'v1.0.0')
    const bare = await remote([{package: `${name('a')}:v1.0.0`}], {hold: {[name('held')]: 'not yet'}})
    publish('new', 'v1.0.0')
    publish('held', 'v1.0.0')
    publish('a', 'v1.1.0', {requires: {new: '*'}})
    const url = `file://${bare.root}`
    const seenAt = (time: string) => {
      const seen = bare.git('show', 'refs/crossplane-update/seen:seen.json')
      const clone = worlds.clone(bare)
      clone.write({'seen.json': seen.replace(/"\d{4}-[^"]*Z"/, `"${time}"`)})
      clone.git('add', 'seen.json')
      clone.git('commit', '--quiet', '--message=seen')
      clone.git('push', '--quiet', '--force', 'origin', 'HEAD:refs/crossplane-update/seen')
    }
    await updates(url, '--min-age', '48h')
    // Now only what it requires is too new.
    seenAt('2020-01-01T00:00:00.000Z')
    const young = await updates(url, '--min-age', '48h')
    expect([young.updates, branchesOf(bare)]).toEqual([[], []])
    const explained = await update(url, '--min-age', '48h', '--explain', name('a'))
    expect(explained.stdout).toMatch(
      /a stays at v1\.0\.0\n {2}v1\.1\.0 is not selected: it requires .*new v1\.0\.0, which is not selected: it has been/,
    )
    expect(explained.stdout).not.toContain('branch:')
    const requires = (path: string) => `it requires ${name(path)} v1.0.0, which is not selected: `
    expect(young.waiting).toEqual([
      {
        ...{package: name('a'), locked: 'v1.0.0', newest: 'v1.1.0'},
        reason: `${requires('new')}it has been known for less than --min-age`,
      },
    ])
    const seen = JSON.parse(bare.git('show', 'refs/crossplane-update/seen:seen.json')) as object
    expect(Object.values(seen)).toEqual([
      {
        [`${name('a')}:v1.1.0`]: '2020-01-01T00:00:00.000Z',
        [`${name('new')}:v1.0.0`]: expect.stringMatching(/^20/),
      },
    ])
    expect(statusesOf(await updates(url, '--min-age', '0s'))).toEqual({a: 'created'})
    publish('a', 'v1.2.0', {requires: {held: '*'}})
    const held = await updates(url)
    // Its branch stays as it is, for the version before.
    expect([held.updates, held.waiting.map(({reason}) => reason), branchesOf(bare)]).toEqual([
      [],
      [`${requires('held')}hold: not yet`],
      [expect.stringContaining('+a')],
    ])
    const all = await update(url)
    expect(all).toMatchObject({status: 0, stdout: expect.stringMatching(/^NOT UPDATED\n/)})
  })

  it('explains what a run does, also for what another branch moves or what fails', async () => {
    const {publish, name, remote, update, updates} = world()
    const names = ['base', 'crds', 'top', 'user', 'wants']
    for (const path of ['base', 'far', 'moved']) publish(path, 'v1.0.0')
    publish('user', 'v1.0.0', {requires: {moved: 'v1.0.0'}})
    publish('wants', 'v1.0.0', {requires: {far: '^v1.0.0'}})
    publish('top', 'v1.0.0', {requires: {base: '>=v1.0.0, <v1.1.0'}})
    publish('crds', 'v1.0.0', {crd: 'buckets.example.org', versions: ['v1', 'v2']})
    const bare = await remote(names.map(path => ({package: `${name(path)}:v1.0.0`})))
    publish('moved', 'v1.1.0')
    publish('user', 'v1.1.0', {requires: {moved: 'v1.1.0'}})
    publish('far', 'v2.0.0')
    publish('wants', 'v1.1.0', {requires: {far: '^v2.0.0'}})
    publish('base', 'v1.1.0')
    publish('base', 'v2.0.0')
    publish('crds', 'v1.1.0', {crd: 'buckets.example.org', versions: ['v2']})
    const args = ['--by', 'package', '--within', 'minor']
    const url = `file://${bare.root}`
    const {updates: made, waiting} = await updates(url, ...args)
    expect(made.map(({branch, status, packages}) => [lastName(branch), status, packages.length])).toEqual([
      ['crds', 'failed', 1],
      ['user', 'created', 2],
    ])
    const farther = 'the update is larger than --within minor'
    expect(waiting.map(one => [one.package, one.newest, one.reason])).toEqual([
      [name('base'), 'v2.0.0', expect.stringMatching(`^${farther}; v1.1.0 is not selected: .*top`)],
      [name('far'), 'v2.0.0', farther],
      [name('wants'), 'v1.1.0', `it requires ${name('far')} v2.0.0, which is not selected: ${farther}`],
    ])
    const explained = async (path: string) =>
      (await update(url, ...args, '--explain', name(path))).stdout.replaceAll(name(''), '')
    for (const {package: repository, newest, reason} of [waiting[0], waiting[2]].flatMap(one => one ?? [])) {
      const path = repository.replace(name(''), '')
      const text = `${path} stays at v1.0.0\n  ${newest} is not selected: ${reason}\n`
      expect(await explained(path)).toBe(text.replaceAll(name(''), ''))
    }
    expect(await explained('moved')).toMatch(
      /^moved is updated from v1\.0\.0 to v1\.1\.0\n {2}branch: \S+\+user\n {2}with 1 other package: user\n$/,
    )
    expect(await explained('crds')).toMatch(
      /^crds stays at v1\.0\.0\n {2}v1\.1\.0 is not selected: the update fails: cannot /,
    )
  }, 180_000)

  it('reports a branch that it cannot delete, and versions that it cannot record', async () => {
    const {publish, name, remote, update, updates} = world()
    publish('a', 'v1.0.0')
    const bare = await remote([{package: `${name('a')}:v1.0.0`}])
    publish('a', 'v1.1.0')
    const url = `file://${bare.root}`
    await updates(url)
    bare.git('config', 'receive.denyDeletes', 'true')
    const {updates: made, waiting} = await updates(url, '--within', 'patch')
    expect([made.map(({status, error}) => [status, error?.code]), waiting.length]).toEqual([
      [['failed', 'git-failed']],
      1,
    ])
    bare.serverHook('update', 'case $1 in refs/crossplane-update/*) exit 1;; esac')
    const seen = await update(url, '--min-age', '0s')
    expect(seen).toMatchObject({status: 0, stdout: expect.stringContaining('up to date') as unknown})
    expect(seen.stderr).toMatch(
      /Warning: cannot record which versions were seen: [^]*Try: Allow the account to/,
    )
  })

  it('leaves what another run made meanwhile, and what a working tree has', async () => {
    const {publish, name, remote, update, updates} = world()
    publish('a', 'v1.0.0')
    const bare = await remote([{package: `${name('a')}:v1.0.0`}])
    publish('a', 'v1.1.0')
    const url = `file://${bare.root}`
    const [first] = (await updates(url)).updates
    const {branch = '', commit = ''} = first ?? {}
    bare.git('update-ref', '-d', `refs/heads/${branch}`)
    bare.serverHook(
      'pre-receive',
      `[ -e pushed ] && exit 0\ntouch pushed\nunset GIT_QUARANTINE_PATH\ngit update-ref refs/heads/${branch} ${commit}`,
    )
    publish('a', 'v1.2.0')
    expect(statusesOf(await updates(url))).toEqual({a: 'current'})
    expect(bare.git('rev-parse', branch).trim()).toBe(commit)
    const clone = worlds.clone(bare, '--branch', branch)
    clone.git('branch', 'main', 'origin/main')
    const busy = await update(clone.root, '--branch', 'main')
    expect(busy).toMatchObject({status: 0, stdout: expect.stringContaining('checked out in') as unknown})
    const own = await update(clone.root)
    expect(own).toMatchObject({status: 2, stderr: expect.stringContaining('Try: Pass --branch') as unknown})
  })

  it('runs no hook and signs nothing in a dry run, and finds misspelled names', async () => {
    const {publish, name, remote, update} = world()
    publish('a', 'v1.0.0')
    const bare = await remote([{package: `${name('a')}:v1.0.0`}])
    publish('a', 'v1.1.0')
    const clone = worlds.clone(bare)
    for (const hook of ['pre-commit', 'commit-msg', 'post-commit'])
      clone.hook(hook, `touch ${clone.at(hook)}; exit 1`)
    clone.git('config', 'commit.gpgSign', 'true')
    clone.git('config', 'gpg.program', 'false')
    const file = join(worlds.folder(), 'body.md')
    const dry = await update(clone.root, '--dry-run', '--body-file', file)
    expect(dry).toMatchObject({status: 0, stdout: expect.stringContaining('would be created') as unknown})
    expect(['pre-commit', 'commit-msg', 'post-commit'].filter(hook => existsSync(clone.at(hook)))).toEqual([])
    expect(existsSync(file)).toBe(false)
    const outside = await update(worlds.folder())
    expect(outside.stderr).toMatch(/\nTry: Pass --git with a folder or the URL of the repository/)
    const misspelled = await update(clone.root, `${name('a')}x`)
    expect(misspelled).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not found in the declaration') as unknown,
    })
  })
})
