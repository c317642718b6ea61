import {expect, it} from '@jest/globals'
import {execFileSync, spawnSync} from 'node:child_process'
import {appendFileSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {writeTree} from '../temporary-folder.js'
import {contentOf} from './folder-content.js'
import {locked, owner, prefixed} from './locked-world.js'

const MARKS = /^(?:<{7} .*|={7}|>{7} .*)\n/gm
const LIST = 'deploy/.kubectl-crossplane/files.sha256'
const KUSTOMIZATION = 'deploy/installs/kustomization.yaml'

describeReal('output folders of two branches, merged by git', missingTool('git'), () => {
  /** A repository with a rendered folder, in which every package has a newer version by now. */
  async function repository() {
    const world = await locked()
    const as = ['-C', world.root, '-c', 'user.name=a', '-c', 'user.email=a@example.org']
    const git = (...args: string[]) =>
      execFileSync('git', [...as, ...args], {encoding: 'utf8', stdio: 'pipe'})
    const merges = (branch: string) =>
      spawnSync('git', [...as, 'merge', '--quiet', '--no-edit', branch], {stdio: 'ignore'}).status === 0
    const render = async (folder = 'deploy') => world.render('--output-dir', world.at(folder))
    const commit = (message: string) => {
      git('add', '--all', 'wanted.yaml', 'wanted.lock', 'deploy')
      git('commit', '--quiet', '-m', message)
    }
    const branch = async (name: string, change: () => Promise<unknown>) => {
      git('checkout', '--quiet', '-b', name, 'main')
      await change()
      expect(await render()).toMatchObject({status: 0})
      commit(name)
    }
    git('init', '--quiet', '--initial-branch=main')
    await render()
    commit('first')
    world.publish()
    return {world, git, merges, render, commit, branch}
  }

  const adds = (world: Awaited<ReturnType<typeof locked>>, name: string) => async () => {
    world.edit('packages:\n', `packages:\n- package: x/${name}\n`, 'wanted.yaml')
    writeTree(world.root, prefixed('packages/', owner('v1.0.0', name, 'v1')))
    await world.lock()
  }

  /** Both branches add a package, which git cannot merge; the declaration and the lock are resolved already. */
  async function conflict() {
    const made = await repository()
    const {world, git, branch, merges} = made
    await branch('one', adds(world, 'aa'))
    await branch('other', adds(world, 'zz'))
    expect(merges('one')).toBe(false)
    expect(git('diff', '--name-only', '--diff-filter=U')).toContain(KUSTOMIZATION)
    world.edit(MARKS, '', 'wanted.yaml')
    git('checkout', '--ours', 'wanted.lock')
    await world.lock()
    return made
  }

  it('are repaired by another render where git reports conflicts', async () => {
    const {world, git, render, commit} = await conflict()
    expect(readFileSync(world.at(LIST), 'utf8')).toMatch(MARKS)
    expect(await render()).toMatchObject({status: 0})
    await render('clean')
    expect(contentOf(world.at('deploy'))).toEqual(contentOf(world.at('clean')))
    commit('merged')
    expect(git('diff', '--name-only', '--diff-filter=U')).toBe('')
  })

  it('merge the list without a conflict with a union merge in .gitattributes', async () => {
    const {world, git, branch, merges, render} = await repository()
    writeFileSync(world.at('.gitattributes'), '**/.kubectl-crossplane/files.sha256 merge=union\n')
    git('add', '.gitattributes')
    git('commit', '--quiet', '-m', 'attributes')
    await branch('one', () => world.lock('--upgrade', 'x/bs'))
    await branch('other', () => world.lock('--upgrade', 'x/as'))
    expect(merges('one')).toBe(true)
    expect(await render()).toMatchObject({status: 0})
    await render('clean')
    expect(contentOf(world.at('deploy'))).toEqual(contentOf(world.at('clean')))
  })

  it.each([
    {name: 'a damaged list of managed files', path: LIST},
    {name: 'a damaged journal', path: 'deploy/.kubectl-crossplane/journal'},
  ])('are repaired by the suggested command for $name', async ({path}) => {
    const {world, render} = await repository()
    writeFileSync(world.at(path), 'damaged\n')
    const {status, stderr} = await render()
    const [, command = ''] = /^Try: (.*)$/m.exec(stderr) ?? []
    expect({status, command}).toEqual({status: 5, command: expect.stringContaining('git -C ')})
    execFileSync('sh', ['-ec', command], {stdio: 'pipe'})
    expect(await render()).toMatchObject({status: 0})
  })

  it('keep a file that was modified as well', async () => {
    const {world, render} = await conflict()
    const path = 'deploy/crds/as.x.example.org.yaml'
    appendFileSync(world.at(path), '# mine\n')
    const {status, stderr} = await render()
    expect({status, stderr}).toEqual({
      ...{status: 5, stderr: expect.stringContaining('crds/as.x.example.org.yaml: the file was modified')},
    })
    rmSync(world.at(path))
    expect(await render()).toMatchObject({status: 0})
  })

  it('keep a resource that was added to a merged kustomization', async () => {
    const {world, render} = await conflict()
    const merged = readFileSync(world.at(KUSTOMIZATION), 'utf8').replace(MARKS, '')
    writeFileSync(world.at(KUSTOMIZATION), `${merged}- mine\n`)
    expect(await render()).toMatchObject({status: 5})
    writeFileSync(world.at(KUSTOMIZATION), merged)
    expect(await render()).toMatchObject({status: 0})
  })
})
