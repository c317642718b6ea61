import {describe, expect, it} from '@jest/globals'
import {mkdirSync, readdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {runCli} from '../run-cli.js'
import {rulesIn} from './locked-world.js'
import {lockedXpkgs} from './locked-xpkgs.js'

const FLUX = {layout: 'flux'}
const COUNTER = 'test/testdata/packages/image-counter'

describe('package render of new versions of packages for a current Crossplane', () => {
  const world = lockedXpkgs()

  /** A tree of one package, and a lock with a version that lacks what this one has. */
  async function next(settings: JsonObject) {
    const {declare, publish, run, root, name, registry} = world()
    const tree = join(root, 'tree')
    declare([{package: name('a')}], settings)
    publish('a', 'v1.0.0', {crd: 'gates.example.org', versions: ['v1', 'v1beta1']})
    const render = async (...flags: readonly string[]) => await run('render', '--output-dir', tree, ...flags)
    expect(await run('lock')).toMatchObject({status: 0})
    expect(await render('--locked')).toMatchObject({status: 0})
    publish('a', 'v2.0.0', {crd: 'gates.example.org'})
    expect(await run('lock', '--upgrade')).toMatchObject({status: 0})
    return {render, root, registry, name}
  }

  it('warns of what they take away, also in a dry run', async () => {
    const {render} = await next({})
    const dry = await render('--dry-run')
    expect(dry).toMatchObject({status: 0, stdout: expect.stringContaining('[crd-version-removed]')})
    const {status, stderr} = await render()
    expect({status, rules: rulesIn(stderr)}).toEqual({status: 0, rules: ['crd-version-removed']})
    expect(stderr).toContain('v1beta1')
    expect((await render()).stderr).not.toContain('[')
  })

  it('is rejected where a controller applies the tree, unless there are no custom resources', async () => {
    const {render} = await next(FLUX)
    const refused = await render()
    expect(refused).toMatchObject({status: 5, stderr: expect.stringContaining('[crd-version-removed]')})
    expect(refused.stderr).toContain('--assume-no-instances')
    expect((await render('--dry-run')).status).toBe(5)
    const {status, stderr} = await render('--assume-no-instances')
    expect({status, rules: rulesIn(stderr)}).toEqual({status: 0, rules: ['crd-version-removed']})
  })

  it.each([
    {name: 'of the declaration', others: []},
    {name: 'beside one of Crossplane v0.12', others: ['counter']},
  ])('warns of what leaves with the last one $name', async ({others}) => {
    const {declare, publish, run, root, name} = world()
    const tree = join(root, 'tree')
    for (const path of others) {
      const pushed = await runCli('package', 'push', name(`${path}:0.3.0`), COUNTER, '--no-lint')
      expect(pushed).toMatchObject({status: 0})
    }
    const rest = others.map(path => ({package: name(`${path}:0.3.0`), namespace: 'default'}))
    publish('a', 'v1.0.0', {kind: 'Configuration', policy: 'example-a'})
    declare([{package: name('a')}, ...rest])
    const render = async (...flags: readonly string[]) => await run('render', '--output-dir', tree, ...flags)
    expect(await run('lock')).toMatchObject({status: 0})
    expect(await render()).toMatchObject({status: 0})
    declare(rest)
    expect((await render('--dry-run')).stdout).toContain('[xpkg-policy-lost]')
    expect(await run('lock')).toMatchObject({status: 0})
    const {status, stderr} = await render()
    expect(status).toBe(0)
    expect(rulesIn(stderr)).toContain('xpkg-policy-lost')
    expect(rulesIn((await render()).stderr)).not.toContain('xpkg-policy-lost')
  })

  /** A tree of a version that the registry no longer has. */
  async function unreadable(settings: JsonObject) {
    const {render, root, registry, name} = await next(settings)
    rmSync(join(root, 'cache'), {recursive: true})
    const path = name('a').slice(registry.host.length + 1)
    const repository = registry.contents.ensure(path)
    repository.manifests.delete(repository.tags.get('v1.0.0') ?? '')
    return render
  }

  it('has no folder of requests with the name of its own, however that is named', async () => {
    const {declare, publish, run, root, name} = world()
    declare([{package: name('a')}], {})
    publish('a', 'v1.0.0', {crd: 'gates.example.org'})
    expect(await run('lock')).toMatchObject({status: 0})
    mkdirSync(join(root, 'xpkgs'))
    expect(await run('render', '--output-dir', `${join(root, 'xpkgs')}/.`)).toMatchObject({status: 0})
    expect(readdirSync(join(root, 'xpkgs'))).toEqual(expect.arrayContaining(['packages']))
  })

  it('says which version it cannot read', async () => {
    const render = await unreadable({})
    const {status, stderr} = await render()
    expect({status, rules: rulesIn(stderr)}).toEqual({status: 0, rules: ['crd-unknown']})
  })

  it('is rejected where it cannot read a version and a controller applies the tree', async () => {
    const render = await unreadable(FLUX)
    const refused = await render()
    expect(refused).toMatchObject({status: 5, stderr: expect.stringContaining('[crd-unknown]')})
    expect(refused.stderr).toContain('--assume-no-instances')
    expect(refused.stderr).not.toContain('--context')
    const {status, stderr} = await render('--assume-no-instances')
    expect({status, rules: rulesIn(stderr)}).toEqual({status: 0, rules: ['crd-unknown']})
  })
})
