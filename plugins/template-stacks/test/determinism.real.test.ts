import {expect, it} from '@jest/globals'
import {existsSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {describeReal} from '../../../test/real-parts.js'
import {runProgram} from '../../../test/run-program.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'

const PROGRAM = resolve('bin/run.js')
const EXAMPLE = resolve('examples/template-stacks/caching-web-service')
const missing = existsSync('plugins/template-stacks/dist/command-map.js')
  ? undefined
  : 'the program is not built'

describeReal('template render', missing, () => {
  const home = temporaryFolder()

  it('prints the same bytes in every process, time zone, locale and folder, and without a PATH', async () => {
    const test = join(EXAMPLE, 'tests/cache-is-known')
    const args = [
      PROGRAM,
      'template',
      'render',
      EXAMPLE,
      '-f',
      join(test, 'cr.yaml'),
      '--state',
      join(test, 'state.yaml'),
    ]
    const settings = [
      {env: {TZ: 'UTC', LANG: 'C'}},
      {env: {TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8'}, cwd: '/'},
      {env: {TZ: 'America/St_Johns', PATH: '', HOME: home}, cwd: home},
    ]
    const outputs = []
    for (const options of settings) outputs.push(await runProgram(process.execPath, args, options))
    const texts = new Set(outputs.map(({status, stdout}) => `${status}\n${stdout}`))
    expect([texts.size, outputs[0]?.status, outputs[0]?.stdout.includes('kind: Redis')]).toEqual([1, 0, true])
  })
})
