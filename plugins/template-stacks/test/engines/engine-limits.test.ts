import {afterAll, describe, expect, it, jest} from '@jest/globals'
import {gzipSync} from 'node:zlib'
import {tarOfFiles} from '../../../../test/fetch/raw-tar.js'
import type {HelmRequest} from '../../src/engines/engine.js'
import {startEngine} from '../../src/engines/start-engine.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const engine = startEngine()

afterAll(() => engine.close())

const chart = (texts: Readonly<Record<string, string>>): HelmRequest => ({
  engine: 'helm3',
  files: new Map(
    Object.entries({'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.2.3\n', ...texts}).map(
      ([path, text]) => [path, Buffer.from(text)],
    ),
  ),
  release: {name: 'demo', namespace: 'team-a'},
  values: '{}',
})

describe('the limits', () => {
  const paths = ['../a.yaml', '/a.yaml', 'a//b', 'a/./b', 'a\\b', 'C:/a', '']
  it.each(paths)('refuses the path %j', async path => {
    await expect(engine.render(chart({[path]: ''}))).rejects.toMatchObject({code: 'source-unsafe'})
  })

  it('refuses archives of charts that unpack to more than 64 MiB together, at once', async () => {
    const large = {'sub/Chart.yaml': 'name: sub\nversion: 1.0.0\n', 'sub/x': Buffer.alloc(18 << 20)}
    const archive = gzipSync(tarOfFiles(large))
    const names = Array.from({length: 40}, (_, n) => String(n))
    const packed = names.map(n => [`charts/sub-${n}.0.0.tgz`, archive] as const)
    const dependencies = names.map(n => `- {name: sub, alias: x${n}, version: ">=0"}\n`).join('')
    const description = `apiVersion: v2\nname: a\nversion: 1.0.0\ndependencies:\n${dependencies}`
    const files = new Map([['Chart.yaml', Buffer.from(description)], ...packed])
    const start = performance.now()
    for (const asked of [engine.inspect({engine: 'helm3', files}), engine.render({...chart({}), files})])
      await expect(asked).rejects.toMatchObject({code: 'limit-exceeded'})
    // Helm needs half a minute, and then more memory than it can have.
    expect(performance.now() - start).toBeLessThan(8000)
  })

  it('refuses 100,000 files', async () => {
    const files = Object.fromEntries(Array.from({length: 100_000}, (_, n) => [`files/${String(n)}`, '']))
    await expect(engine.render(chart(files))).rejects.toMatchObject({code: 'limit-exceeded'})
  })
})
