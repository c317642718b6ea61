import {mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {writableFile, writableFolder} from '../../src/adapters/image-output.js'
import {describeOutputs} from '../author/layout/image-output-contract.js'
import {chunked} from '../fetch/fake-sources.js'
import {temporaryFolder} from '../temporary-folder.js'

const temporary = temporaryFolder()
let made = 0
const fresh = () => join(temporary, `${(made += 1)}`, 'deeper')

describeOutputs(
  'on disk',
  () => writableFolder(fresh()),
  () => writableFile(fresh()),
)

describe('outputs on disk', () => {
  const some = () => chunked(Buffer.from('x'))

  it('are regular files, without leftovers beside them', async () => {
    const path = fresh()
    await writableFolder(path).write('a', some())
    expect({names: readdirSync(path), mode: statSync(join(path, 'a')).mode & 0o700}).toEqual({
      names: ['a'],
      mode: 0o600,
    })
  })

  it('are in a folder that Git ignores until they are complete', async () => {
    const path = fresh()
    const seen: string[] = []
    async function* content() {
      seen.push(...readdirSync(join(path, '..'), {recursive: true, encoding: 'utf8'}))
      yield* some()
    }
    await writableFile(path).write(content())
    const name = expect.stringMatching(/^\.deeper\.[0-9a-f]{16}\.tmp/)
    expect(seen.sort()).toEqual([name, name, name])
    expect(seen.map(entry => entry.split('/')[1])).toEqual([undefined, '.gitignore', 'content'])
    expect(readdirSync(join(path, '..'))).toEqual(['deeper'])
  })

  it('wait for a lock up to a limit, and the error names the holder', async () => {
    const path = fresh()
    const waits: number[] = []
    const sleep = (wait: number) => {
      waits.push(wait)
      return Promise.resolve()
    }
    const folder = writableFolder(path, undefined, sleep)
    await folder.write('a', some())
    const second = folder.exclusively(() =>
      folder.exclusively(() => Promise.resolve()).catch((error: unknown) => error),
    )
    expect(await second).toMatchObject({
      code: 'output-refused',
      message: expect.stringContaining(`process ${process.pid}`),
    })
    expect(new Set(waits).size).toBe(1)
    expect(readdirSync(path)).toEqual(['a'])
  })

  it.each([
    {name: 'a folder', make: (path: string) => mkdirSync(path, {recursive: true})},
    {name: 'a link', make: (path: string) => symlinkSync('/nowhere', path)},
  ])('does not replace $name with an archive', async ({make}) => {
    const path = join(temporary, `${(made += 1)}`)
    make(path)
    await expect(writableFile(path).existing()).rejects.toMatchObject({code: 'output-refused'})
  })

  it('name the path in a system error', async () => {
    const path = join(temporary, 'plain')
    writeFileSync(path, '')
    await expect(writableFolder(path).list()).rejects.toMatchObject({code: 'output-failed'})
    await expect(writableFolder(path).write('a', some())).rejects.toMatchObject({
      code: 'output-failed',
      message: expect.stringContaining(`${path}: file exists`),
    })
    await expect(writableFile(join(path, 'below/a')).write(some())).rejects.toMatchObject({
      code: 'output-failed',
      message: expect.stringContaining('below: not a directory'),
    })
    rmSync(path)
  })
})
