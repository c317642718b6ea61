import {execFileSync} from 'node:child_process'
import {mkdirSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {describe, expect, it} from '@jest/globals'
import {credentialsFile} from '../../src/adapters/credentials/credentials-file.js'
import {trustedCertificates} from '../../src/adapters/http/trusted-certificates.js'
import {readNamedFile, readStream} from '../../src/adapters/read-named-file.js'
import {outcome} from '../outcome.js'
import {temporaryFolder} from '../temporary-folder.js'

const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
writeFileSync(at('file'), 'text')
writeFileSync(at('empty'), '')
writeFileSync(at('sparse'), '')
truncateSync(at('sparse'), 1_500_000_000)
mkdirSync(at('folder'))
execFileSync('mkfifo', [at('fifo')])

describe('readNamedFile', () => {
  it('reads a regular file', async () => {
    expect(await readNamedFile(at('file'), 4)).toEqual(Buffer.from('text'))
    expect(await readNamedFile(at('empty'), 4)).toEqual(Buffer.from(''))
  })

  it.each([
    {path: '/dev/zero', code: 'read-failed', message: /: not a regular file$/},
    {path: at('fifo'), code: 'read-failed', message: /: not a regular file$/},
    {path: at('folder'), code: 'read-failed', message: /: is a directory$/},
    {path: at('sparse'), code: 'limit-exceeded', message: /: larger than 16 MiB$/},
    {path: at('file/below'), code: 'not-found', message: /: not a directory$/},
    {path: at('absent'), code: 'not-found', message: /: no such file or directory$/},
  ])('rejects $path', async ({path, code, message}) => {
    await expect(readNamedFile(path, 16 * 1024 * 1024)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as unknown,
    })
  })
})

describe('readStream', () => {
  it('reads to the end, and rejects a stream without one', async () => {
    expect(await readStream(Readable.from([Buffer.from('a'), Buffer.from('b')]), 'input', 2)).toEqual(
      Buffer.from('ab'),
    )
    const endless = (async function* () {
      for (;;) yield await Promise.resolve(Buffer.alloc(1024))
    })()
    await expect(readStream(endless, 'input', 4096)).rejects.toMatchObject({
      code: 'limit-exceeded',
      message: 'cannot read input: larger than 4 KiB',
    })
  })
})

describe.each(['/dev/zero', at('fifo'), at('sparse')])('%s', path => {
  it('is rejected as credentials file and as CA file', async () => {
    expect(await outcome(() => credentialsFile(path).read())).toBe('credentials-failed')
    expect(await outcome(() => trustedCertificates([{path, given: '--ca-file'}]))).toBe(
      path === at('sparse') ? 'limit-exceeded' : 'read-failed',
    )
  })
})
