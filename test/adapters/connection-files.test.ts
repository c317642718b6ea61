import {describe, expect, it} from '@jest/globals'
import {readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {connectionFiles} from '../../src/adapters/connection-files.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const temporary = temporaryFolder()

describe('kubeconfig files', () => {
  it('are read if they exist', async () => {
    const folder = writeTree(join(temporary, 'read'), {config: 'a'})
    expect(Buffer.from((await connectionFiles.read(join(folder, 'config'))) ?? []).toString()).toBe('a')
    expect(await connectionFiles.read(join(folder, 'absent'))).toBeUndefined()
    await expect(connectionFiles.read(folder)).rejects.toMatchObject({code: 'read-failed'})
  })

  it.each([
    {file: '/a/config', path: '../ca.crt', want: '/ca.crt'},
    {file: '/a/config', path: '/b', want: '/b'},
    {file: 'config', path: 'ca.crt', want: join(process.cwd(), 'ca.crt')},
  ])('$path in $file is $want', ({file, path, want}) => {
    expect(connectionFiles.resolve(file, path)).toBe(want)
  })

  it('keep everything except the replaced text, including their mode and links to them', async () => {
    writeFileSync(join(temporary, 'real'), '# ours\ntoken: old $1\nother: b\n', {mode: 0o600})
    symlinkSync(join(temporary, 'real'), join(temporary, 'link'))
    await connectionFiles.replaceTexts(join(temporary, 'link'), [
      ['old $1', 'new $&'],
      ['b', 'c'],
    ])
    expect(readFileSync(join(temporary, 'link'), 'utf8')).toBe('# ours\ntoken: new $&\nother: c\n')
    expect(statSync(join(temporary, 'real')).mode & 0o777).toBe(0o600)
    expect(readdirSync(temporary).filter(name => name.endsWith('.tmp'))).toEqual([])
  })

  it('are unchanged if a text to replace is not found', async () => {
    const path = join(writeTree(join(temporary, 'changed'), {config: 'a: old'}), 'config')
    const changes = [
      ['old', 'new'],
      ['absent', 'x'],
    ] as const
    await expect(connectionFiles.replaceTexts(path, changes)).rejects.toMatchObject({
      code: 'credentials-failed',
    })
    expect(readFileSync(path, 'utf8')).toBe('a: old')
  })
})
