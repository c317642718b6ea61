import {describe, expect, it} from '@jest/globals'
import {spawn} from 'node:child_process'
import {text} from 'node:stream/consumers'
import {join} from 'node:path'
import {runProgram} from './run-program.js'

const END = join(import.meta.dirname, '../bin/end-process.js')
/** More than a pipe holds. */
const LENGTH = 1_000_000
const PRINT = `process.stdout.write('x'.repeat(${LENGTH}));`
/** A request that is tried again in an hour. */
const WAIT = 'setTimeout(() => console.log("late"), 3_600_000);'

describe('the end of the process', () => {
  it('of a failure does not wait for what goes on, only until all is written', async () => {
    const script = `${WAIT} ${PRINT} require(${JSON.stringify(END)}).endProcess(7)`
    const child = spawn(process.execPath, ['--eval', script])
    // A reader that is slow to begin.
    await new Promise(resolve => setTimeout(resolve, 200))
    const [stdout, status] = await Promise.all([
      text(child.stdout),
      new Promise(resolve => child.once('close', resolve)),
    ])
    expect([status, stdout.length]).toEqual([7, LENGTH])
  })

  it('of a success waits for what goes on', async () => {
    const script = `setTimeout(() => console.log("late"), 100); require(${JSON.stringify(END)}).endProcess(0)`
    expect(await runProgram(process.execPath, ['--eval', script])).toMatchObject({
      status: 0,
      stdout: 'late\n',
    })
  })

  it('of a success has its status if nothing reads standard error', async () => {
    const print = `process.stderr.write('x'.repeat(${LENGTH}));`
    const script = `require(${JSON.stringify(END)}).endProcess(0); setTimeout(() => {${print}}, 100)`
    const child = spawn(process.execPath, ['--eval', script])
    child.stderr.destroy()
    expect(await new Promise(resolve => child.once('close', resolve))).toBe(0)
  })

  it('of a failure whose reader is gone has its status', async () => {
    const script = `${WAIT} ${PRINT} require(${JSON.stringify(END)}).endProcess(7)`
    const child = spawn(process.execPath, ['--eval', script])
    child.stdout.destroy()
    expect(await new Promise(resolve => child.once('close', resolve))).toBe(7)
  })
})
