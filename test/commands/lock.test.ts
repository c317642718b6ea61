import {describe, expect, it} from '@jest/globals'
import {existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync} from 'node:fs'
import {runCli} from '../run-cli.js'
import {writeTree} from '../temporary-folder.js'
import {APP_YAML, codeOf, lines, locked, OLD, owner, prefixed, rulesIn, takenOver} from './locked-world.js'

/** Another package that owns `bs`, and nothing else. */
const rival = (tag: string) =>
  Object.fromEntries(
    Object.entries(owner(tag, 'bs', 'v1')).map(([path, text]) => [path.replace('x/bs', 'x/rival'), text]),
  )

describe('package lock', () => {
  it('writes a lock next to the declaration, and nothing the second time', async () => {
    const world = await locked()
    expect(world.tags()).toEqual(OLD)
    const before = statSync(world.at('wanted.lock'), {bigint: true})
    const {status, stdout} = await world.lock()
    const after = statSync(world.at('wanted.lock'), {bigint: true})
    expect({status, stdout, ino: after.ino}).toEqual({
      status: 0,
      stdout: '4 packages unchanged.\n',
      ino: before.ino,
    })
    expect(readdirSync(world.root).sort()).toEqual(['packages', 'wanted.lock', 'wanted.yaml'])
  })

  it.each(['text', 'json', 'yaml'])('--dry-run prints the plan as %s and writes nothing', async format => {
    const world = await locked()
    world.publish()
    const before = world.text()
    const {status, stdout} = await world.lock('--upgrade', 'x/bs', '--dry-run', '-o', format)
    expect({status, text: world.text()}).toEqual({status: 0, text: before})
    const shown = {
      text: 'update   wanted.lock   the content changes',
      json: '"kind": "Plan"',
      yaml: 'kind: Plan',
    }
    expect(stdout).toContain(shown[format as 'text'])
    expect(stdout).toMatch(/tag: v2\.0\.0/)
  })

  it('keeps locked versions if there are newer ones', async () => {
    const world = await locked()
    const before = world.text()
    world.publish()
    expect(await world.lock()).toMatchObject({status: 0, stdout: '4 packages unchanged.\n'})
    expect(world.text()).toBe(before)
  })

  it('adds and removes packages with the request, and keeps the others', async () => {
    const world = await locked()
    world.publish()
    world.edit('- package: x/app', '- package: x/as', 'wanted.yaml')
    const removed = await world.lock()
    expect(lines(removed.stdout)).toEqual([
      'PACKAGE OLD NEW CHANGE',
      'x/app v1.0.0 - removed',
      'x/as v1.0.0 v1.0.0 other installs',
      'x/bs v1.0.0 - removed',
      '1 package unchanged.',
    ])
    world.edit('- package: x/as', '- package: x/bs', 'wanted.yaml')
    expect(lines((await world.lock()).stdout)).toContain('x/bs - v2.0.0 added')
  })

  it.each([
    {
      name: 'an independent one',
      reason: 'nothing else moves',
      in: ['x/bs'],
      want: {tags: {...OLD, 'x/bs': 'v2.0.0'}, rules: []},
    },
    {
      name: 'one that needs another',
      reason: 'the other one has to change, and that is reported',
      in: ['x/as'],
      want: {tags: {...OLD, 'x/as': 'v2.0.0', 'x/cs': 'v2.0.0'}, rules: ['crd-version-removed', 'moved-too']},
    },
    {
      name: 'one that is held back',
      reason: 'the lock of the other holds it',
      in: ['x/cs'],
      want: {tags: OLD, rules: ['held-back']},
    },
    {
      name: 'both of them, one of the registry by its whole name',
      reason: 'names are read as everywhere',
      in: ['docker.io/x/as', 'x/cs'],
      want: {tags: {...OLD, 'x/as': 'v2.0.0', 'x/cs': 'v2.0.0'}, rules: ['crd-version-removed']},
    },
  ])('upgrades $name: $reason', async ({in: names, want}) => {
    const world = await locked()
    world.publish()
    const {status, stderr} = await world.lock(...names.flatMap(name => ['--upgrade', name]))
    expect({status, tags: world.tags(), rules: rulesIn(stderr)}).toEqual({status: 0, ...want})
  })

  it('treats a tag in the request as a pin', async () => {
    const world = await locked()
    world.edit('x/app', 'x/app:v1.0.0\n- package: x/bs:v1.0.0', 'wanted.yaml')
    await world.lock()
    world.publish()
    const {stderr} = await world.lock('--upgrade', 'x/bs')
    expect({tags: world.tags(), rules: rulesIn(stderr)}).toEqual({tags: OLD, rules: ['pinned-version']})
    world.edit('x/bs:v1.0.0', 'x/bs:v2.0.0', 'wanted.yaml')
    expect(rulesIn((await world.lock('--upgrade', 'x/bs')).stderr)).toEqual([])
    expect(world.tags()).toEqual({...OLD, 'x/bs': 'v2.0.0'})
  })

  it('changes an owner only if `owners` names another one', async () => {
    const world = await locked()
    writeTree(world.root, prefixed('packages/', {...rival('v1.0.0')}))
    expect(await world.lock('--upgrade', 'x/bs')).toMatchObject({status: 0})
    expect(world.tags()).toEqual(OLD)
    world.edit('packages:', 'owners: {x.example.org: x/rival}\npackages:', 'wanted.yaml')
    const {status, stderr} = await world.lock()
    expect({status, rules: rulesIn(stderr)}).toEqual({
      status: 3,
      rules: ['requirement-path', 'distrusted-owner'],
    })
  })

  it.each([
    {name: 'the pin of the owner moves', packages: 'x/is:v2.0.0\n- package: x/hs:v1.1.0'},
    {name: 'the entry of the owner is removed', packages: 'x/hs:v1.1.0'},
  ])('reports a new owner where $name', async ({packages}) => {
    const world = await locked()
    writeTree(
      world.root,
      prefixed('packages/', {
        ...takenOver('v1.0.0'),
        ...takenOver('v1.1.0'),
        'x/is@v2.0.0/.registry/app.yaml': `version: v2.0.0\n${APP_YAML}`,
      }),
    )
    world.edit('- package: x/app', '- package: x/is:v1.0.0', 'wanted.yaml')
    expect(await world.lock()).toMatchObject({status: 0})
    world.edit('x/is:v1.0.0', packages, 'wanted.yaml')
    const {status, stderr} = await world.lock()
    expect({status, rules: rulesIn(stderr)}).toEqual({
      status: 0,
      rules: expect.arrayContaining(['owner-changed']),
    })
  })

  it('prints the same changes of owners with --dry-run', async () => {
    const world = await locked()
    writeTree(world.root, prefixed('packages/', takenOver('v1.0.0')))
    world.edit('- package: x/app', '- package: x/user\n- package: x/hs', 'wanted.yaml')
    expect(await world.lock()).toMatchObject({status: 0})
    writeTree(world.root, prefixed('packages/', takenOver('v1.1.0')))
    const upgrade = (...args: readonly string[]) =>
      world.lock('--upgrade', 'x/hs', '--upgrade', 'x/is', ...args)
    const text = await upgrade('--dry-run')
    expect(text.stdout).toMatch(/^OWNER +x\/hs +takes x\.example\.org over from x\/is$/m)
    const documents = [await upgrade('--dry-run', '-o', 'json'), await upgrade('-o', 'json')]
    const owners = [{group: 'x.example.org', before: 'x/is', after: 'x/hs', isAssigned: false}]
    expect(documents.map(({stdout}) => JSON.parse(stdout) as object)).toEqual([
      expect.objectContaining({kind: 'Plan', owners}),
      expect.objectContaining({kind: 'LockChanges', owners}),
    ])
  })

  it.each(['json', 'yaml'])('prints changes as %s', async format => {
    const world = await locked()
    world.publish()
    const {stdout} = await world.lock(
      '--upgrade',
      'x/bs',
      '-o',
      format,
      '--lock-file',
      world.at('wanted.lock'),
    )
    expect(stdout).toContain(format === 'json' ? '"kind": "LockChanges"' : 'kind: LockChanges')
    expect(stdout).toMatch(/"?change"?: "?upgraded"?/)
  })

  it.each([
    {name: 'a version that is not a valid tag', folder: 'odd', app: `version: 1.0 beta / x\n${APP_YAML}`},
    {name: 'no version', folder: 'odd', app: APP_YAML},
    {name: 'a folder that is not a repository', folder: 'My Folder', app: APP_YAML},
  ])('reads the lock of a local package: $name', async ({folder, app}) => {
    const world = await locked()
    writeTree(world.root, {[`${folder}/.registry/app.yaml`]: app})
    const [path, file] = [world.at(folder), ['--lock-file', world.at('local.lock')]]
    expect(await runCli('package', 'lock', path, ...file)).toMatchObject({status: 0})
    expect(await runCli('package', 'tree', path, '--locked', ...file)).toMatchObject({status: 0})
    expect(await runCli('package', 'lock', path, ...file)).toMatchObject({stdout: '1 package unchanged.\n'})
  })

  it('accepts a reference instead of a declaration', async () => {
    const world = await locked()
    const file = world.at('one.lock')
    const args = ['lock', 'x/bs', '--packages', world.at('packages'), '--lock-file', file]
    expect(await runCli('package', ...args)).toMatchObject({status: 0})
    expect(readFileSync(file, 'utf8')).toContain('crossplane-system/x-bs')
  })

  it.each(['lock', 'outdated'])(
    '%s of a reference does not use a lock in the working folder',
    async command => {
      const world = await locked()
      const {status, stderr} = await runCli(
        ...['package', command, 'x/bs', '--packages', world.at('packages'), '-o', 'json'],
      )
      expect({status, code: codeOf(stderr)}).toEqual({status: 2, code: 'usage'})
      expect(existsSync('crossplane-packages.lock')).toBe(false)
    },
  )

  it.each([
    {
      name: 'an unknown name',
      reason: 'it is not locked',
      in: ['--upgrade', 'x/z'],
      want: {status: 1, code: 'not-found'},
    },
    {
      name: 'an upgrade to a version',
      reason: 'only the declaration can change that',
      in: ['--upgrade', 'x/as:v2.0.0'],
      want: {status: 2, code: 'usage'},
    },
    {
      name: 'standard input as lock',
      reason: 'it cannot be written',
      in: ['--lock-file', '-'],
      want: {status: 2, code: 'usage'},
    },
    {
      name: 'an upgrade without a lock',
      reason: 'there is no lock file to upgrade',
      in: ['--upgrade', 'x/as', '--lock-file', 'nowhere.lock'],
      want: {status: 2, code: 'usage'},
    },
    {
      name: 'a folder in the place of the lock',
      reason: 'it is not a file',
      in: ['--lock-file', '.'],
      want: {status: 5, code: 'output-refused'},
    },
    {
      name: 'a request that cannot be resolved',
      reason: 'nothing is written',
      in: ['--owner', 'x.example.org=x/nobody', '--lock-file', 'nowhere.lock'],
      want: {status: 3, code: 'unresolvable'},
    },
  ])('rejects $name: $reason', async ({in: args, want}) => {
    const world = await locked()
    const before = world.text()
    const {status, stderr} = await world.lock(...args, '-o', 'json')
    expect({status, code: codeOf(stderr)}).toEqual(want)
    expect(world.text()).toBe(before)
    expect(existsSync('nowhere.lock')).toBe(false)
  })

  it('rejects an invalid lock with the line', async () => {
    const world = await locked()
    world.edit('tag: v1.0.0', 'tag: [')
    const {status, stderr} = await world.lock()
    expect({status, stderr}).toMatchObject({status: 1, stderr: expect.stringMatching(/wanted\.lock:\d+/)})
  })
})

describe('commands with a lock', () => {
  it('render the locked versions if there are newer ones', async () => {
    const world = await locked()
    const before = await world.render()
    world.publish()
    for (const flags of [['--locked'], []]) {
      expect(await world.render(...flags)).toMatchObject({status: 0, stdout: before.stdout})
    }
    expect(rulesIn((await world.render()).stderr)).not.toContain('lock-outdated')
    renameSync(world.at('wanted.lock'), world.at('other.lock'))
    expect((await world.render()).stdout).not.toBe(before.stdout)
    expect(await world.render('--lock-file', world.at('other.lock'))).toMatchObject({stdout: before.stdout})
    renameSync(world.at('other.lock'), world.at('wanted.lock'))
    expect((await world.tree('--lock-file', world.at('wanted.lock'))).stdout).not.toContain('v2')
  })

  it('treat another spelling of a request as the same', async () => {
    const world = await locked()
    world.edit('package: x/app', 'package: docker.io/x/app', 'wanted.yaml')
    expect(await world.tree('--locked')).toMatchObject({status: 0})
    expect((await world.lock()).stdout).toBe('4 packages unchanged.\n')
    world.edit('x/app', 'x/app:v1.0.0', 'wanted.yaml')
    expect(await world.tree('--locked')).toMatchObject({status: 3})
  })

  it('report differences, or reject them with --locked', async () => {
    const world = await locked()
    world.publish()
    rmSync(world.at('packages/x/bs@v1.0.0'), {recursive: true})
    const noted = await world.tree()
    expect({status: noted.status, rules: rulesIn(noted.stderr)}).toEqual({
      status: 0,
      rules: ['lock-outdated'],
    })
    expect(noted.stderr).toContain('x/bs is locked at v1.0.0 and would be v2.0.0')
    const refused = await world.render('--locked', '-o', 'json')
    expect({status: refused.status, stdout: refused.stdout, code: codeOf(refused.stderr)}).toEqual({
      status: 3,
      stdout: '',
      code: 'lock-outdated',
    })
    expect(refused.stderr).toContain('package lock --declaration')
  })

  it('explain the locked versions and differences from them', async () => {
    const world = await locked()
    world.publish()
    const {status, stdout} = await world.why('x/cs')
    expect({status, lines: lines(stdout)}).toEqual({
      status: 0,
      lines: [
        'x/cs:v1.0.0 would be installed as crossplane-system/x-cs',
        '',
        ' requested x/app: x/app:v1.0.0',
        ' requires as.x.example.org: x/as:v1.0.0',
        ' requires cs.x.example.org/v1: x/cs:v1.0.0',
      ],
    })
    rmSync(world.at('packages/x/bs@v1.0.0'), {recursive: true})
    expect((await world.why('x/cs')).stdout).toContain('x/bs is locked at v1.0.0 and would be v2.0.0')
    const refused = await world.why('x/cs', '--locked', '-o', 'json')
    expect({status: refused.status, stdout: refused.stdout, code: codeOf(refused.stderr)}).toEqual({
      status: 3,
      stdout: '',
      code: 'lock-outdated',
    })
  })

  it.each([
    {name: 'another place', in: ['--system-namespace', 'infra']},
    {name: 'another assumption', in: ['--assume', 'as.x.example.org']},
    {name: 'another Crossplane', in: ['--crossplane-version', 'none']},
    {name: 'another trust', in: ['--owner', 'y.example.org=x/bs']},
  ])('reject $name, which the lock was not written for', async ({in: args}) => {
    const world = await locked()
    const {status, stderr} = await world.render('--locked', ...args, '-o', 'json')
    expect({status, code: codeOf(stderr)}).toEqual({status: 3, code: 'lock-outdated'})
  })

  it('reject other content under a locked tag until it is upgraded', async () => {
    const world = await locked()
    writeTree(world.root, prefixed('packages/', owner('v1.0.0', 'bs', 'v7')))
    for (const refused of [await world.render('--locked', '-o', 'json'), await world.lock('-o', 'json')]) {
      expect({status: refused.status, code: codeOf(refused.stderr)}).toEqual({
        status: 4,
        code: 'digest-mismatch',
      })
    }
    expect(lines((await world.lock('--upgrade', 'x/bs')).stdout)).toContain(
      'x/bs v1.0.0 v1.0.0 other content',
    )
    expect(await world.render('--locked')).toMatchObject({status: 0})
  })

  it('accept a locked version mismatch without the flag, and no other', async () => {
    const world = await locked()
    const needs = (text: string) =>
      `version: v1.0.0\n${APP_YAML}dependsOn: [{crd: as.x.example.org/v5}, {crd: bs.x.example.org${text}}]\n`
    writeTree(world.root, {'packages/x/app@v1.0.0/.registry/app.yaml': needs('')})
    expect(await world.lock('--upgrade', 'x/app')).toMatchObject({status: 3})
    expect(await world.lock('--upgrade', 'x/app', '--allow-version-mismatch')).toMatchObject({status: 0})
    expect(await world.render('--locked')).toMatchObject({status: 0})
    writeTree(world.root, {'packages/x/app@v1.0.0/.registry/app.yaml': needs('/v6')})
    const {status, stderr} = await world.lock('--upgrade', 'x/app')
    expect({status, rules: rulesIn(stderr)}).toEqual({
      status: 3,
      rules: ['requirement-path', 'stale-version'],
    })
  })

  it('keep an accepted version mismatch if another one is possible', async () => {
    const world = await locked()
    const app = (tag: string, need: string) => ({
      [`packages/x/app@${tag}/.registry/app.yaml`]: `version: ${tag}\n${APP_YAML}dependsOn: [{crd: ${need}}]\n`,
    })
    writeTree(world.root, app('v1.0.0', 'bs.x.example.org/v9'))
    await world.lock('--upgrade', 'x/app', '--allow-version-mismatch')
    const before = world.text()
    writeTree(world.root, app('v2.0.0', 'as.x.example.org/v9'))
    expect(await world.render('--locked')).toMatchObject({status: 0})
    expect((await world.outdated()).status).toBe(0)
    writeTree(world.root, prefixed('packages/', owner('v2.0.0', 'bs', 'v9')))
    await world.lock()
    expect(world.text()).toBe(before)
    await world.lock('--upgrade', 'x/bs')
    expect(world.tags()).toEqual({'x/app': 'v1.0.0', 'x/bs': 'v2.0.0'})
    expect(world.text()).not.toContain('acceptedMismatches')
  })
})
