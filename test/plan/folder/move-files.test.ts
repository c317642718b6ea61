import {describe, expect, it} from '@jest/globals'
import {type MovableTree, moveFiles, movePlan} from '../../../src/plan/folder/move-files.js'
import {TREE_SETTINGS} from '../../../src/plan/folder/owned-files.js'
import {formatTreeSettings, xpkgFolderOf} from '../../../src/plan/folder/tree-settings.js'
import {sha256Of} from '../../../src/plan/sha256.js'
import {listsOf, recordedTree} from './former-trees.js'

const treeOf = (texts: ReadonlyMap<string, string>, others: Partial<MovableTree> = {}): MovableTree => ({
  ...{name: 'packages', place: '/home/packages', path: '', lists: listsOf(texts), texts},
  names: folder =>
    Promise.resolve(
      [...texts.keys()].flatMap(path =>
        path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
      ),
    ),
  ...others,
})
const former = (layout: string) => recordedTree(`former-trees/${layout}.txt`)

describe('files of a tree of an earlier release', () => {
  it.each(['plain', 'argocd'])(
    'become those of a new tree with the layout %s, byte by byte',
    async layout => {
      const next = recordedTree(`golden/render-xpkg-${layout}.txt`)
      // Releases differ in their health checks.
      const health = [...next].filter(([path]) => path === 'argocd/health.yaml')
      const moved = await moveFiles(treeOf(new Map([...former(layout), ...health])))
      const files = new Map(moved?.files.map(({path, content}) => [path, content]))
      expect(files).toEqual(next)
      expect(moved?.rejections).toEqual([])
      expect(await moveFiles(treeOf(files))).toBeUndefined()
    },
  )

  it('have no settings before a release wrote them, and need none', async () => {
    const texts = new Map([...former('plain')].filter(([path]) => path !== TREE_SETTINGS))
    const moved = await moveFiles(treeOf(texts))
    expect(moved?.changed).toEqual(['kustomization.yaml'])
    expect(moved?.files.map(({path}) => path)).not.toContain(TREE_SETTINGS)
  })

  it('stay where the tree itself is named xpkgs, also as `.`', async () => {
    const texts = former('plain')
    expect(await moveFiles(treeOf(texts, {name: '.', place: '/home/xpkgs'}))).toBeUndefined()
    expect(await moveFiles(treeOf(texts, {name: '.', place: '/home/tree'}))).toMatchObject({to: 'xpkgs'})
  })

  it('stay in the lists of their installs', async () => {
    const texts = former('plain')
    const [path = ''] = [...texts.keys()].filter(name => name.startsWith('packages/provider'))
    const lists = new Map([
      ...listsOf(texts),
      ['.kubectl-crossplane/installs/a.b.sha256', new Map([[path, ['x']]])],
    ])
    const moved = await moveFiles(treeOf(texts, {lists}))
    const file = moved?.files.find(({path: place}) => place === path.replace('packages/', 'xpkgs/'))
    expect(file?.installs).toEqual(['a.b'])
  })

  it.each<{name: string; in: Partial<MovableTree> & {layout: string}; want: string; file: string}>([
    {
      name: 'an Application of another path applies them',
      in: {layout: 'argocd', path: 'deploy/packages'},
      want: 'move-between-applications',
      file: 'argocd/applications/xpkgs.yaml',
    },
    {
      name: 'a file of a user would be left',
      in: {layout: 'plain', names: () => Promise.resolve(['kustomization.yaml', 'mine.yaml'])},
      want: 'move-leaves-file',
      file: 'packages/mine.yaml',
    },
  ])('do not move if $name', async ({in: {layout, ...tree}, want, file}) => {
    const moved = await moveFiles(treeOf(former(layout), tree))
    expect(moved?.rejections.map(rejection => [rejection.rule, rejection.file])).toEqual([[want, file]])
  })

  it('move in a plan without a change of an object', () => {
    const operation = {
      target: 'folder',
      object: {apiVersion: 'v1', kind: 'A', name: 'a'},
      reason: '',
      precondition: {absent: true},
    } as const
    const operations = [
      {...operation, action: 'create-only', path: 'xpkgs/a.yaml'},
      {...operation, action: 'delete', path: 'packages/a.yaml'},
    ] as const
    const plan = movePlan({operations, unchanged: 0, rejections: []}, {from: 'packages', to: 'xpkgs'})
    expect(plan.operations.map(({object, reason}) => ({object, reason}))).toEqual([
      {object: undefined, reason: 'moves from packages/a.yaml'},
      {object: undefined, reason: 'moves to xpkgs/a.yaml'},
    ])
  })
})

describe('the folder of requests', () => {
  const settings = (
    layout: string,
    xpkgFolder?: 'xpkgs',
    formats: readonly ('xpkg' | 'stack')[] = ['xpkg'],
  ) => formatTreeSettings({formats, fields: new Map([['layout', layout]]), ...(xpkgFolder && {xpkgFolder})})

  it.each<{name: string; owned: readonly string[]; settings?: string; tree?: string; want: string}>([
    {name: 'a new tree', owned: [], want: 'xpkgs'},
    {name: 'a new tree of that name', owned: [], tree: 'deploy/xpkgs', want: 'packages'},
    {name: 'settings of an earlier release', owned: [], settings: settings('plain'), want: 'packages'},
    {
      name: 'settings that name it',
      owned: ['packages/a.yaml'],
      settings: settings('plain', 'xpkgs'),
      want: 'xpkgs',
    },
    {
      name: 'a tree without requests',
      owned: [],
      settings: settings('plain', undefined, ['stack']),
      want: 'xpkgs',
    },
    {
      name: 'a tree that has lost its requests',
      owned: ['packages/kustomization.yaml'],
      settings: settings('plain', undefined, ['stack']),
      want: 'packages',
    },
    {name: 'a tree for Flux', owned: [], settings: settings('flux'), want: 'xpkgs'},
    {name: 'files of the first releases', owned: ['packages/a.yaml'], want: 'packages'},
    {name: 'files that moved before there were settings', owned: ['xpkgs/a.yaml'], want: 'xpkgs'},
    {
      name: 'a merge in which one side has moved its files',
      owned: ['packages/a.yaml', 'xpkgs/b.yaml'],
      settings: `<<<<<<< a\n${settings('plain')}=======\n${settings('plain', 'xpkgs')}>>>>>>> b\n`,
      want: 'xpkgs',
    },
  ])('is that of $name', ({owned, settings: text, tree = 'packages', want}) => {
    expect(xpkgFolderOf(owned, text, tree)).toBe(want)
  })

  it('is not a name of a newer release', () => {
    const [format, , ...lines] = settings('plain', 'xpkgs')
      .replace('xpkgFolder: xpkgs', 'xpkgFolder: requests')
      .split('\n')
    const text = [format, `# sha256: ${sha256Of(lines.join('\n'))}`, ...lines].join('\n')
    expect(() => xpkgFolderOf([], text, 'packages')).toThrow(
      expect.objectContaining({
        cause: expect.objectContaining({message: 'a newer release of this program wrote it'}),
      }),
    )
  })
})
