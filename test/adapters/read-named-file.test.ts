import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, mkdtempSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {describe, expect, it} from '@jest/globals'
import {credentialsFile} from '../../src/adapters/credentials/credentials-file.js'
import {addedCertificates} from '../../src/adapters/http/trusted-certificates.js'
import {readNamedFile, readNamedInput, readStream} from '../../src/adapters/read-named-file.js'
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

describe('readNamedInput', () => {
  /** A process that writes to a new FIFO once that is read. */
  function written(command: string): {path: string; end: Promise<unknown>} {
    const path = join(mkdtempSync(at('fifo-of-')), 'fifo')
    execFileSync('mkfifo', [path])
    const child = spawn('sh', ['-c', `${command} > "$0"`, path], {stdio: 'ignore'})
    return {path, end: once(child, 'close')}
  }

  it.each([
    {name: 'at once', command: 'printf text', want: 'text'},
    {name: 'in pieces', command: '(printf te; sleep 0.2; printf xt)', want: 'text'},
    {name: 'nothing', command: ':', want: ''},
    {name: 'more than a pipe holds', command: 'head -c 300000 /dev/zero', want: '\0'.repeat(300_000)},
  ])('reads a FIFO to which a process writes $name', async ({command, want}) => {
    const {path, end} = written(command)
    expect(Buffer.from(await readNamedInput(path, 400_000)).equals(Buffer.from(want))).toBe(true)
    await end
  })

  it('stops at the limit of a FIFO without an end', async () => {
    const {path, end} = written('cat /dev/zero')
    await expect(readNamedInput(path, 1024)).rejects.toMatchObject({code: 'limit-exceeded'})
    await end
  })

  it('reads a regular file, and rejects other types', async () => {
    expect(await readNamedInput(at('file'), 4)).toEqual(Buffer.from('text'))
    expect(await outcome(() => readNamedInput('/dev/zero', 4))).toBe('read-failed')
    expect(await outcome(() => readNamedInput(at('folder'), 4))).toBe('read-failed')
    expect(await outcome(() => readNamedInput(at('absent'), 4))).toBe('not-found')
  })
})

describe('readStream', () => {
  it('reads to the end, and rejects a missing stream', async () => {
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
    expect(await outcome(() => addedCertificates([{path, source: '--ca-file'}]))).toBe(
      path === at('sparse') ? 'limit-exceeded' : 'read-failed',
    )
  })
})
