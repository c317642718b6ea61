import {execFile} from 'node:child_process'
import {promisify} from 'node:util'
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {compileForChild} from '../../compile-for-child.js'
import type {CompiledScript} from '../../compile-for-child.js'
import type {HEAVY_LAYERS} from './heavy-layers.js'

describe('unpacking stays below 300 MB and 10 s of processor time, in a process of its own', () => {
  let script: CompiledScript
  beforeAll(async () => {
    script = await compileForChild('test/unpack/files/unpack-heavy-layer.ts')
  })
  afterAll(() => script.remove())

  const cases: readonly {name: keyof typeof HEAVY_LAYERS; want: string; below?: number}[] = [
    {name: 'a gzip bomb of 10 GB', want: 'limit-exceeded'},
    {name: 'a zstd bomb of 10 GB', want: 'limit-exceeded'},
    {name: 'a bomb below .registry', want: 'limit-exceeded'},
    {name: 'a gzip bomb behind the end of the tar', want: 'limit-exceeded'},
    {name: '2 GB of which .registry is 1 MB', want: '256 files', below: 150},
    {name: '2 GB of zeros, compressed, of which .registry is 1 MB', want: '256 files', below: 150},
    {name: '2 GB of zeros in four layers, of which .registry is 1 MB', want: '256 files', below: 150},
    {name: '64 MiB below .registry', want: '4 files'},
    {name: '10,000 files of 6 KiB below .registry', want: '10000 files'},
    {name: '80 MiB below .registry', want: 'limit-exceeded'},
    {name: '100,000 files below .registry', want: 'limit-exceeded'},
    {name: '100,000 directories below .registry', want: 'limit-exceeded'},
    {name: 'three million entries', want: 'limit-exceeded'},
    {name: '200,000 whiteouts of ten thousand files', want: '9999 files'},
    {name: 'ten thousand links to one large file', want: 'limit-exceeded'},
  ]
  it.each(cases)('$name: $want', async ({name, want, below = 300}) => {
    const {result, maxRssMiB, cpuSeconds} = await unpackInChild(script, name)
    const isSmall = maxRssMiB < below && cpuSeconds < 10
    expect({result, maxRssMiB, cpuSeconds, isSmall}).toMatchObject({result: want, isSmall: true})
  })
})

interface Unpacked {
  readonly result: string
  readonly maxRssMiB: number
  readonly cpuSeconds: number
}

async function unpackInChild(script: CompiledScript, name: string): Promise<Unpacked> {
  const {stdout} = await promisify(execFile)(process.execPath, [script.path, name])
  return JSON.parse(stdout) as Unpacked
}
