import {execFileSync} from 'node:child_process'
import {mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, it} from '@jest/globals'
import {openCheckout} from '../../src/adapters/git/checkout.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const STYLE = {signoff: false, authorName: 'A', authorEmail: 'a@example.org'}

/** Creates a repository, and returns what runs Git in it. */
function repositoryAt(root: string): (...args: string[]) => string {
  mkdirSync(root)
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], {encoding: 'utf8'})
  git('init', '--quiet')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@example.org')
  return git
}

describeReal('a commit of many files', missingTool('git'), () => {
  const temporary = temporaryFolder()
  const text = (index: number) => `${index % 2 === 0 ? 'even' : 'odd'}: ${index}\r\n`
  const paths = Array.from({length: 150}, (_, index) => `tree/${index}.yaml`)

  it.each([
    {name: 'as they are', attributes: '', objects: 'one pack'},
    {name: 'through a filter', attributes: '* text=auto\n', objects: 'object files'},
  ])('has the blobs that git add makes, $name', async ({name, attributes, objects}) => {
    const root = join(temporary, name)
    const git = repositoryAt(root)
    writeTree(root, {
      '.gitattributes': attributes,
      ...Object.fromEntries(paths.map((path, index) => [path, text(index)])),
    })
    const checkout = await openCheckout(root)
    const staged = await checkout.stage(new Map(paths.map(path => [path, 'written'])))
    const ids = git('hash-object', ...paths)
      .trimEnd()
      .split('\n')
    const blobs = new Map(paths.map((path, index) => [path, ids[index]]))
    expect(staged).toMatchObject({blobs, isAlone: true})
    const packs = readdirSync(join(root, '.git/objects/pack')).filter(file => file.endsWith('.pack'))
    expect(packs).toHaveLength(objects === 'one pack' ? 1 : 0)
    await checkout.commit({paths, isAlone: true, message: 'many'}, STYLE)
    expect([git('fsck', '--strict'), git('status', '--short', 'tree')]).toEqual(['', ''])
  })
})

describeReal('the files of a commit', missingTool('git'), () => {
  const temporary = temporaryFolder()
  const modified = [{path: 'one.yaml', isStaged: false, isModified: true}]
  const sameLength = 'two: 1\n'

  it.each([
    {name: 'nothing', change: () => undefined, changed: []},
    {
      name: 'a file, with another text of its length',
      change: write('one.yaml', sameLength),
      changed: modified,
    },
    {name: 'a file, with its own text', change: write('one.yaml', 'one: 1\n'), changed: []},
    {name: 'a file, deleted', change: (root: string) => rmSync(join(root, 'one.yaml')), changed: modified},
    {
      name: 'a file, with an older time',
      change: (root: string) => {
        write('one.yaml', sameLength)(root)
        utimesSync(join(root, 'one.yaml'), 1, 1)
      },
      changed: modified,
    },
    {
      name: 'the index',
      change: (_: string, git: (...args: string[]) => string) => git('rm', '--cached', '--quiet', 'one.yaml'),
      changed: [{path: 'one.yaml', isStaged: true, isModified: false}],
    },
    {name: 'a file that is no part of it', change: write('three.yaml', 'three: 1\n'), changed: []},
  ])('are compared with HEAD after it, where another program changed $name', async each => {
    const root = join(temporary, each.name)
    const git = repositoryAt(root)
    const paths = ['one.yaml', 'two.yaml']
    writeTree(root, {'one.yaml': 'one: 1\n', 'two.yaml': sameLength})
    const checkout = await openCheckout(root)
    const {stamps} = await checkout.stage(new Map(paths.map(path => [path, 'written'])))
    await checkout.commit({paths, isAlone: true, message: 'two'}, STYLE)
    each.change(root, git)
    expect(await checkout.changedSince(stamps)).toEqual(each.changed)
  })

  it('are compared with HEAD where files have times of whole seconds', async () => {
    const root = join(temporary, 'seconds')
    repositoryAt(root)
    const [path, paths] = [join(root, 'one.yaml'), ['one.yaml']]
    writeTree(root, {'one.yaml': 'one: 1\n'})
    utimesSync(path, 1, 1)
    const checkout = await openCheckout(root)
    const {stamps} = await checkout.stage(new Map([['one.yaml', 'written']]))
    await checkout.commit({paths, isAlone: true, message: 'one'}, STYLE)
    const again = await checkout.stage(new Map([['one.yaml', 'written']]))
    expect(again.stamps).not.toEqual(stamps)
    expect(await checkout.changedSince(stamps)).toEqual([])
  })

  function write(path: string, text: string): (root: string) => void {
    return root => writeFileSync(join(root, path), text)
  }
})
