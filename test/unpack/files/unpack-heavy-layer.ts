// Run by itself, compiled, as a process of its own: unpacks the image that its argument names and prints what came
// of it, the most memory the process ever had and its processor time.
import {existsSync, readFileSync} from 'node:fs'
import {CrossplaneError} from '../../../src/errors.js'
import type {Blob} from '../../../src/fetch/image.js'
import {registryFiles} from '../../../src/unpack/files/layer-files.js'
import {HEAVY_LAYERS} from './heavy-layers.js'

const name = process.argv[2] ?? ''
if (!(name in HEAVY_LAYERS)) throw new Error(`there is no heavy layer called ${name}`)
const result = await outcome(HEAVY_LAYERS[name as keyof typeof HEAVY_LAYERS]())
const {user, system} = process.cpuUsage()
process.stdout.write(JSON.stringify({result, maxRssMiB: peakKiB() / 1024, cpuSeconds: (user + system) / 1e6}))

/** Linux carries the peak of whoever started a process over into its resource usage, and jest's is larger. */
function peakKiB(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const [, own] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? []
  return own === undefined ? process.resourceUsage().maxRSS : Number(own)
}

async function outcome(layers: Blob | readonly Blob[]): Promise<string> {
  try {
    const files = await registryFiles([layers].flat())
    return `${files?.length} files`
  } catch (error) {
    if (error instanceof CrossplaneError) return error.code
    throw error
  }
}
