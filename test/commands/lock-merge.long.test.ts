import {describe, expect, it} from '@jest/globals'
import {execFileSync, spawnSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {writeTree} from '../temporary-folder.js'
import {locked, OLD, owner, prefixed, rulesIn} from './locked-world.js'

const MARKS = /^(?:<{7} .*|={7}|>{7} .*)\n/gm

describeReal('locks of two branches, merged by git', missingTool('git'), () => {
  /** A world in a repository with a commit, in which everything has a newer version by now. */
  async function repository() {
    const world = await locked()
    const as = ['-C', world.root, '-c', 'user.name=a', '-c', 'user.email=a@example.org']
    const git = (...args: string[]) => execFileSync('git', [...as, ...args], {stdio: 'pipe'})
    const merges = (branch: string) =>
      spawnSync('git', [...as, 'merge', '--quiet', '--no-edit', branch], {stdio: 'ignore'}).status === 0
    git('init', '--quiet', '--initial-branch=main')
    git('add', 'wanted.yaml', 'wanted.lock')
    git('commit', '--quiet', '-m', 'first')
    world.publish()
    const branch = async (name: string, change: () => Promise<unknown>) => {
      git('checkout', '--quiet', '-b', name, 'main')
      await change()
      git('commit', '--quiet', '-a', '-m', name)
    }
    return {world, branch, merges, git}
  }

  it('merge if each upgrades another package', async () => {
    const {world, branch, merges} = await repository()
    await branch('one', () => world.lock('--upgrade', 'x/bs'))
    await branch('other', () => world.lock('--upgrade', 'x/as'))
    expect(merges('one')).toBe(true)
    expect(world.tags()).toEqual({...OLD, 'x/as': 'v2.0.0', 'x/bs': 'v2.0.0', 'x/cs': 'v2.0.0'})
    expect(await world.render('--locked')).toMatchObject({status: 0})
    expect((await world.lock()).stdout).toBe('4 packages unchanged.\n')
  })

  it('merge if each changes another version in the declaration', async () => {
    const {world, branch, merges, git} = await repository()
    world.edit(
      '- package: x/app',
      '- package: x/bs:v1.0.0\n  name: b\n- package: x/cs:v1.0.0\n  name: c\n- package: x/app',
      'wanted.yaml',
    )
    await world.lock()
    git('commit', '--quiet', '-a', '-m', 'pinned')
    await branch('one', async () => {
      world.edit('x/bs:v1.0.0', 'x/bs:v2.0.0', 'wanted.yaml')
      await world.lock()
    })
    writeTree(world.root, prefixed('packages/', owner('v1.5.0', 'cs', 'v1')))
    await branch('other', async () => {
      world.edit('x/cs:v1.0.0', 'x/cs:v1.5.0', 'wanted.yaml')
      await world.lock()
    })
    expect(merges('one')).toBe(true)
    expect(world.tags()).toEqual({...OLD, 'x/bs': 'v2.0.0', 'x/cs': 'v1.5.0'})
    expect(await world.render('--locked')).toMatchObject({status: 0})
    expect((await world.lock()).stdout).toBe('4 packages unchanged.\n')
  })

  it('report the lines of a conflict', async () => {
    const {world, branch, merges} = await repository()
    const adds = (name: string) => async () => {
      world.edit('packages:\n', `packages:\n- package: x/${name}\n`, 'wanted.yaml')
      writeTree(world.root, prefixed('packages/', owner('v1.0.0', name, 'v1')))
      await world.lock()
    }
    await branch('one', adds('aa'))
    await branch('other', adds('zz'))
    expect(merges('one')).toBe(false)
    const unmerged = await world.lock()
    expect({status: unmerged.status, rules: rulesIn(unmerged.stderr)}).toEqual({
      status: 1,
      rules: ['declaration-merge'],
    })
    world.edit(MARKS, '', 'wanted.yaml')
    writeFileSync(world.at('wanted.lock'), `<<<<<<< one\n=======\n>>>>>>> other\n${world.text()}`)
    const {status, stderr} = await world.lock()
    expect({status, rules: rulesIn(stderr)}).toEqual({status: 1, rules: ['lock-merge']})
    world.edit(MARKS, '')
    expect(rulesIn((await world.lock()).stderr)).toEqual([])
    expect(world.tags()).toEqual({...OLD, 'x/aa': 'v1.0.0', 'x/zz': 'v1.0.0'})
  })
})

describe('a lock that was edited', () => {
  it.each([
    {name: 'with the line ends of Windows', in: (text: string) => text.replaceAll('\n', '\r\n')},
    {name: 'with a byte order mark', in: (text: string) => `\uFEFF${text}`},
    {
      name: 'without its comment, with a key in quotes',
      in: (text: string) => text.replace(/^#.*\n/, '').replace(/^ {8}mode: auto$/m, '        "mode": "auto"'),
    },
  ])('$name: has the same meaning', async ({in: edit}) => {
    const world = await locked()
    const before = world.text()
    world.edit(before, edit(before))
    expect(await world.render('--locked')).toMatchObject({status: 0})
    expect((await world.lock()).stdout).toBe('4 packages unchanged.\n')
    expect(world.text()).toBe(before)
  })
})
