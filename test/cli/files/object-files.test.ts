import {afterEach, describe, expect, it} from '@jest/globals'
import {mkdirSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {filesBelow, objectFiles} from '../../../src/cli/files/object-files.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

const home = temporaryFolder()
const at = (path: string) => join(home, path)
const OBJECT = 'apiVersion: example.org/v1\nkind: Db\nmetadata: {name: a}\n'

const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')

function pipe(text: string): void {
  Object.defineProperty(process, 'stdin', {value: Readable.from([Buffer.from(text)]), configurable: true})
}

afterEach(() => {
  if (stdin !== undefined) Object.defineProperty(process, 'stdin', stdin)
})

async function read(...words: readonly string[]) {
  const {files, unread, unreadable, inputs} = await objectFiles(words)
  const shown = (path: string) => path.replace(home, '')
  return {
    files: files.map(({path}) => shown(path)),
    unread: unread.map(({file, reason}) => `${shown(file)}: ${reason.replaceAll(home, '')}`),
    unreadable: unreadable.map(({file, reason}) => `${shown(file)}: ${reason.replaceAll(home, '')}`),
    inputs,
  }
}

describe('standard input', () => {
  it('is read once', async () => {
    pipe(OBJECT)
    const {files} = await objectFiles(['-', '-'])
    expect(files.map(({path, bytes}) => [path, Buffer.from(bytes).toString()])).toEqual([
      ['standard input', OBJECT],
    ])
  })

  it.each(['', ' \n'])('must not be empty, as after a failed command: %j', async text => {
    pipe(text)
    await expect(objectFiles(['-'])).rejects.toMatchObject({
      code: 'input-invalid',
      message: 'cannot read objects from standard input: it is empty',
    })
  })
})

describe('files below a folder, for a hand-over', () => {
  it('says what is not searched, by paths within the folder', async () => {
    writeTree(home, {'below-out.yaml': OBJECT, 'below/sub/a.yaml': OBJECT, 'below/b.txt': OBJECT})
    symlinkSync('../below-out.yaml', at('below/out.yaml'))
    symlinkSync('loop.yaml', at('below/loop.yaml'))
    const {files, unread} = await filesBelow(at('below'))
    expect(files.map(({path}) => path)).toEqual(['sub/a.yaml'])
    expect(unread).toEqual([
      {file: 'out.yaml', reason: `it is a link to a file outside of ${at('below')}`},
      {file: 'loop.yaml', reason: expect.stringContaining('cannot read ')},
    ])
  })
})

describe('files of folders', () => {
  it('follows links within the folder, and names others', async () => {
    writeTree(home, {'out.yaml': OBJECT, 'out/a.yaml': OBJECT, 'd/real.yaml': OBJECT, 'd/text': OBJECT})
    for (const [target, path] of [
      ['../out.yaml', 'd/out.yaml'],
      ['../out', 'd/folder'],
      ['real.yaml', 'd/same.yaml'],
      ['text', 'd/text.yaml'],
      ['../out', 'd/.git-not'],
      ['loop.yaml', 'd/loop.yaml'],
      ['loop', 'd/loop'],
    ] as const)
      symlinkSync(target, at(path))
    const {files, unread, unreadable} = await read(at('d'))
    expect({files, unread, unreadable}).toEqual({
      files: ['/d/real.yaml', '/d/text.yaml'],
      unread: [
        '/d/.git-not: it is a link to a folder outside of /d',
        '/d/folder: it is a link to a folder outside of /d',
        '/d/out.yaml: it is a link to a file outside of /d',
      ],
      unreadable: [expect.stringContaining('/d/loop.yaml: cannot read /d/loop.yaml: ')],
    })
  })

  it('fails for a loop of links that the user names', async () => {
    symlinkSync('two', at('one'))
    symlinkSync('one', at('two'))
    await expect(objectFiles([at('one')])).rejects.toMatchObject({code: 'not-found'})
  })

  it('reads a kustomization without an extension', async () => {
    writeTree(home, {'k/Kustomization': 'resources: []\n'})
    expect((await read(at('k'))).files).toEqual(['/k/Kustomization'])
  })

  it('reads a file once that two paths name', async () => {
    writeTree(home, {'again/a.yaml': OBJECT})
    const {files, inputs} = await read(at('again'), `${at('again')}/../again/a.yaml`)
    expect([files.length, inputs.map(({paths}) => paths.length)]).toEqual([1, [1, 1]])
    expect(inputs[0]?.paths).toEqual(inputs[1]?.paths)
  })

  it('has an input for each path, also for an empty folder', async () => {
    mkdirSync(at('none'))
    writeTree(home, {'one.yaml': OBJECT})
    const {inputs} = await read(at('none'), at('one.yaml'))
    expect(inputs).toEqual([
      {name: at('none'), paths: []},
      {name: at('one.yaml'), paths: [at('one.yaml')]},
    ])
  })
})
