import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, expect, it} from '@jest/globals'
import {programCommand} from '../built-program.js'
import {describeReal} from '../real-parts.js'
import {preloading, runBuilt} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {HEAVY_PACKAGES} from './heavy-packages.js'

const USAGE = join(import.meta.dirname, '../commands/peak-usage.cjs')
const PROC = '/proc/self/status'

const COMMANDS: readonly (readonly string[])[] = [
  ['inspect', '-o', 'json'],
  ['render', '--as-package', 'example/heavy:v0.1.0', '-n', 'team-a'],
  ['lint', '-o', 'json'],
]

describeReal('packages at every limit', existsSync(PROC) ? undefined : `this system has no ${PROC}`, () => {
  const folder = temporaryFolder()
  beforeAll(() => {
    programCommand()
  }, 300_000)

  it.each(HEAVY_PACKAGES)(
    '$name: $want in less than 10 s of processor time and 500 MB',
    async ({name, files, want}) => {
      const place = join(folder, name.replaceAll(/\W+/g, '-'))
      const entries = Object.entries(files()).map(([path, text]) => [`.registry/${path}`, text])
      writeTree(place, Object.fromEntries(entries) as Record<string, string>)
      for (const command of COMMANDS) {
        const {outcome, cpuSeconds, peakMiB} = await ran(command, place)
        const isSmall = cpuSeconds < 10 && peakMiB < 500
        expect({command, outcome, cpuSeconds, peakMiB, isSmall}).toMatchObject({outcome: want, isSmall: true})
      }
    },
    600_000,
  )

  /** What came of a command on a package: read, rejected at a limit, or how it failed otherwise. */
  async function ran([command = '', ...flags]: readonly string[], place: string) {
    const usage = join(folder, 'usage.json')
    const args = ['package', command, place, ...flags]
    const env = {...preloading(USAGE), PEAK_USAGE: usage, HOME: folder}
    const {status, stderr} = await runBuilt(args, {cwd: folder, env})
    const {peakKiB, cpuSeconds} = JSON.parse(readFileSync(usage, 'utf8')) as Usage
    // lint ends with 1 where it has found something.
    const isRead = status === 0 || (command === 'lint' && status === 1)
    const outcome = isRead ? 'read' : status === 4 ? 'rejected' : stderr.slice(0, 2000)
    return {outcome, cpuSeconds, peakMiB: peakKiB / 1024}
  }
})

interface Usage {
  readonly peakKiB: number
  readonly cpuSeconds: number
}
