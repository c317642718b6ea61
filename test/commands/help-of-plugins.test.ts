import {describe, expect, it} from '@jest/globals'
import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {rowsOf} from '../rows-of.js'
import {runCliWith} from '../run-cli.js'

const PLUGINS = join(import.meta.dirname, '../../plugins')

const commands = readdirSync(PLUGINS)
  .map(plugin => join(PLUGINS, plugin, 'src'))
  .filter(source => existsSync(join(source, 'commands')))
  .flatMap(source =>
    readdirSync(join(source, 'commands'), {recursive: true, encoding: 'utf8'})
      .filter(path => path.endsWith('.ts'))
      .map(path => ({source, name: path.replace(/\.ts$/, '').replaceAll('/', ' ')})),
  )

describe('the help of the commands of plugins', () => {
  it('is that of several commands', () => {
    expect(commands.map(({name}) => name)).toEqual(expect.arrayContaining(['package promote', 'trace']))
  })

  it.each(commands)(
    '$name: --help has examples and at most 60 rows of 80 columns',
    async ({source, name}) => {
      process.env.COLUMNS = '80'
      try {
        const {status, stdout} = await runCliWith(source, ...name.split(' '), '--help')
        expect(status).toBe(0)
        expect(stdout).toMatch(/^EXAMPLES?$/m)
        expect(rowsOf(stdout)).toBeLessThanOrEqual(60)
      } finally {
        delete process.env.COLUMNS
      }
    },
  )
})
