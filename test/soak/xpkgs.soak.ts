import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from '@jest/globals'
import {gunzipSync, gzipSync} from 'node:zlib'
import {xpkgImage} from '../../src/author/build/xpkg-image.js'
import {writeXpkgFile} from '../../src/author/layout/write-xpkg-file.js'
import {lintXpkg} from '../../src/author/lint/lint-xpkg.js'
import {lintRule} from '../../src/author/lint/lint-rules.js'
import {CrossplaneError} from '../../src/errors.js'
import type {Blob} from '../../src/fetch/image.js'
import type {SourceFile} from '../../src/fetch/source-files.js'
import {blobOf} from '../../src/fetch/oci-parts.js'
import {collectBytes} from '../../src/fetch/verified-bytes.js'
import {oneChunk} from '../../src/http/one-chunk.js'
import {readSource} from '../../src/locate/read-source.js'
import type {PackageFile} from '../../src/unpack/package-file.js'
import {examineXpkg} from '../../src/xpkg/content/examine-xpkg.js'
import {packageStream} from '../../src/xpkg/content/package-stream.js'
import {findStream} from '../../src/xpkg/image/xpkg-stream.js'
import {below, campaign, pick} from './campaign.js'
import {mutated} from './mutated.js'

const EXAMPLE = join(import.meta.dirname, '../../examples/xpkg')

/** The YAML files of the examples, each a part of a package. */
const sources: readonly PackageFile[] = readdirSync(EXAMPLE, {recursive: true, encoding: 'utf8'})
  .filter(path => path.endsWith('.yaml'))
  .map(path => ({path, bytes: readFileSync(join(EXAMPLE, path))}))
const sound = sources.filter(({path}) => path.startsWith('configuration-database'))
const stream = packageStream(sound)
const examples = Buffer.from('---\napiVersion: example.org/v1\nkind: Database\n')
const image = xpkgImage({stream, examples})

/** Reads mutated content, and returns the code with which it was rejected. Any other error fails the round. */
async function codeOf(reading: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await reading()
    return undefined
  } catch (error) {
    if (error instanceof CrossplaneError) return error.code
    throw error
  }
}

function inspected(files: readonly PackageFile[]): void {
  expect(lintXpkg({files}).filter(({rule}) => lintRule(rule) === undefined)).toEqual([])
  const {errors, xpkg} = examineXpkg(files)
  if (xpkg === undefined || errors.length > 0) return
  const again = packageStream([{path: 'package.yaml', bytes: packageStream(files)}])
  expect(Buffer.from(again)).toEqual(Buffer.from(packageStream(files)))
}

/** The layer of a tar that was changed after it was unpacked, or of compressed bytes that were. */
function mutatedLayer(random: () => number, bytes: Uint8Array): Buffer {
  return random() < 0.5 ? mutated(random, bytes) : gzipSync(mutated(random, gunzipSync(bytes)))
}

async function changedLayers(random: () => number): Promise<readonly Blob[]> {
  const at = below(random, image.layers.length)
  return await Promise.all(
    image.layers.map(async (layer, index) => {
      const {descriptor} = layer
      const bytes = await collectBytes(layer.open(), 1e6, 'layer')
      const changed = index === at ? mutatedLayer(random, bytes) : bytes
      const annotations = random() < 0.2 ? {} : descriptor.annotations
      return blobOf(descriptor.mediaType, changed, annotations)
    }),
  )
}

async function archived(): Promise<Buffer> {
  let content = Buffer.alloc(0)
  const none = () => Promise.resolve(undefined)
  await writeXpkgFile(image, {
    name: 'memory.xpkg',
    existing: none,
    remove: none,
    async write(chunks) {
      content = Buffer.from(await collectBytes(chunks, 1e7, 'archive'))
    },
  })
  return content
}

function memoryFile(bytes: Uint8Array): SourceFile {
  return {
    name: 'memory.xpkg',
    size: bytes.length,
    read: (start = 0, end = bytes.length) => oneChunk(bytes.subarray(start, end)),
  }
}

describe('mutated packages for a current Crossplane', () => {
  campaign('streams are read, or rejected with rules', {short: 170, long: 3400}, ({random}) => {
    const {path, bytes} = pick(random, [...sources, {path: 'package.yaml', bytes: stream}])
    inspected([...sound.filter(file => file.path !== path), {path, bytes: mutated(random, bytes)}])
  })

  campaign('images are read, or rejected with a code', {short: 170, long: 3300}, async ({random}) => {
    await codeOf(async () => {
      const read = await findStream(await changedLayers(random))
      if (read !== undefined) inspected([{path: 'package.yaml', bytes: read.bytes}])
    })
  })

  campaign('.xpkg files are read, or rejected with a code', {short: 160, long: 3300}, async ({random}) => {
    const file = memoryFile(mutated(random, await archived()))
    const never = () => Promise.reject(new Error('only a file is requested'))
    const ports = {directory: never, files: never, file: () => Promise.resolve(file)}
    await codeOf(async () => {
      const {files} = await readSource({kind: 'tarball', path: './memory.xpkg'}, ports, {})
      inspected(files)
    })
  })
})
