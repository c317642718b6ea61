import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {createHash} from 'node:crypto'
import {existsSync, mkdirSync, readdirSync, readFileSync, statSync} from 'node:fs'
import type {Server} from 'node:http'
import {join} from 'node:path'
import {pipeline} from 'node:stream/promises'
import type {Blob} from '../../src/fetch/image.js'
import {programCommand} from '../built-program.js'
import {closed, listening, originOf} from '../fakes/registry-server.js'
import {OCI, part} from '../fetch/image-parts.js'
import type {Part} from '../fetch/image-parts.js'
import {describeReal} from '../real-parts.js'
import {preloading, runBuilt} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'
import {HEAVY_LAYERS} from '../unpack/files/heavy-layers.js'

const MiB = 2 ** 20
const USAGE = join(import.meta.dirname, 'peak-usage.cjs')
const PROC = '/proc/self/io'

describeReal(
  'a package inside a 2 GB image',
  existsSync(PROC) ? undefined : `this system has no ${PROC}`,
  () => {
    const folder = temporaryFolder()
    const layer = HEAVY_LAYERS['2 GB of which .registry is 1 MB']()
    let server: Server
    let sent = 0
    beforeAll(async () => {
      programCommand()
      const image = await imageOver(layer)
      server = await listening(async ({method, url = ''}, response) => {
        if (url.includes('/blobs/')) {
          response.writeHead(200, {'content-length': image.size})
          await pipeline(counted(layer), response)
          return
        }
        const {bytes, descriptor} = image.manifest
        const headers = {'content-type': descriptor.mediaType, 'docker-content-digest': descriptor.digest}
        response.writeHead(200, {...headers, 'content-length': bytes.length})
        response.end(method === 'HEAD' ? undefined : bytes)
      })
    })
    afterAll(() => closed(server))

    async function* counted(whole: Blob): AsyncGenerator<Uint8Array> {
      for await (const chunk of whole.open()) {
        sent += chunk.length
        yield chunk
      }
    }

    /** Pulls the package into an empty cache; returns the peak memory. Nothing but the cache may have grown. */
    const pulled = async (attempt: number) => {
      const place = (name: string) => {
        const path = join(folder, `${name}-${attempt}`)
        mkdirSync(path, {mode: 0o700})
        return path
      }
      const [home, tmp, cwd, cache] = [place('home'), place('tmp'), place('work'), place('cache')]
      const usage = join(folder, `usage-${attempt}.json`)
      const reference = `${new URL(originOf(server)).host}/team/large:v1`
      const args = ['package', 'pull', reference, '--cache-dir', cache, '--output', 'json']
      const before = sent
      const env = {...preloading(USAGE), PEAK_USAGE: usage, HOME: home, TMPDIR: tmp}
      const {status, stdout} = await runBuilt(args, {env, cwd})
      expect(status).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({packages: [{files: 256, bytes: MiB, fromCache: false}]})
      expect(sent - before).toBeGreaterThan(2 * 1024 * MiB)

      const {peakKiB, written} = JSON.parse(readFileSync(usage, 'utf8')) as Record<
        'peakKiB' | 'written',
        number
      >
      // Files that were removed again would be counted here.
      expect({written, isLittle: written < 4 * MiB}).toEqual({written, isLittle: true})
      expect([home, tmp, cwd].map(bytesBelow)).toEqual([0, 0, 0])
      expect(bytesBelow(cache)).toBeLessThan(2 * MiB)
      return peakKiB
    }

    it('is pulled with less than 150 MB of memory, without writing a layer to disk', async () => {
      // Where every core is busy, garbage can be collected late.
      const peaks: number[] = []
      while (peaks.length < 3 && !peaks.some(isSmall)) peaks.push(await pulled(peaks.length))
      expect({peaks, isSmall: peaks.some(isSmall)}).toEqual({peaks, isSmall: true})
    })
  },
)

function isSmall(peakKiB: number): boolean {
  return peakKiB < 150 * 1024
}

/** The manifest of an image of one layer, which is read once for its digest and never held. */
async function imageOver(layer: Blob): Promise<{size: number; manifest: Part}> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of layer.open()) {
    hash.update(chunk)
    size += chunk.length
  }
  const layers = [{mediaType: layer.descriptor.mediaType, digest: `sha256:${hash.digest('hex')}`, size}]
  const config = part(OCI.config, {}).descriptor
  return {size, manifest: part(OCI.manifest, {schemaVersion: 2, mediaType: OCI.manifest, config, layers})}
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
