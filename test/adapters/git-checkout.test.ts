import {execFileSync} from 'node:child_process'
import {mkdirSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, it} from '@jest/globals'
import {openCheckout} from '../../src/adapters/git/checkout.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const STYLE = {signoff: false, authorName: 'A', authorEmail: 'a@example.org'}

describeReal('a commit of many files', missingTool('git'), () => {
  const temporary = temporaryFolder()
  const text = (index: number) => `${index % 2 === 0 ? 'even' : 'odd'}: ${index}\r\n`
  const paths = Array.from({length: 150}, (_, index) => `tree/${index}.yaml`)

  it.each([
    {name: 'as they are', attributes: '', objects: 'one pack'},
    {name: 'through a filter', attributes: '* text=auto\n', objects: 'object files'},
  ])('has the blobs that git add makes, $name', async ({name, attributes, objects}) => {
    const root = join(temporary, name)
    mkdirSync(root)
    const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], {encoding: 'utf8'})
    git('init', '--quiet')
    git('config', 'user.name', 'a')
    git('config', 'user.email', 'a@example.org')
    writeTree(root, {
      '.gitattributes': attributes,
      ...Object.fromEntries(paths.map((path, index) => [path, text(index)])),
    })
    const checkout = await openCheckout(root)
    const staged = await checkout.stage(new Map(paths.map(path => [path, 'written'])))
    const ids = git('hash-object', ...paths)
      .trimEnd()
      .split('\n')
    expect(staged).toEqual({blobs: new Map(paths.map((path, index) => [path, ids[index]])), isAlone: true})
    const packs = readdirSync(join(root, '.git/objects/pack')).filter(file => file.endsWith('.pack'))
    expect(packs).toHaveLength(objects === 'one pack' ? 1 : 0)
    await checkout.commit({paths, isAlone: true, message: 'many'}, STYLE)
    expect([git('fsck', '--strict'), git('status', '--short', 'tree')]).toEqual(['', ''])
  })
})
