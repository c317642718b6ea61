import {cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, describe, expect, it} from '@jest/globals'
import {programCommand} from '../built-program.js'
import {runCli} from '../run-cli.js'
import {runBuilt, runProgram} from '../run-program.js'
import {SEED, shuffled} from '../shuffled.js'
import {temporaryFolder} from '../temporary-folder.js'
import {fixture} from './fixtures.js'

const temporary = temporaryFolder()
const at = (path: string) => join(temporary, path)

/** A copy of a fixture outside of any repository: what git says is part of an image. */
function copyOf(name: Parameters<typeof fixture>[0], to: string): string {
  cpSync(fixture(name), at(to), {recursive: true})
  return at(to)
}

async function report(...args: readonly string[]): Promise<{readonly digest: string}> {
  const {status, stdout} = await runCli('package', 'build', ...args, '-o', 'json')
  expect(status).toBe(0)
  return JSON.parse(stdout) as {digest: string}
}

describe('the same package gives the same digest', () => {
  beforeAll(() => {
    programCommand()
  })
  const folder = copyOf('cli-database', 'here/cli-database')
  const want = async () => (await report(`oci:${at('want')}`, folder)).digest

  it('in another folder, with newer files, in another order and with other modes', async () => {
    const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile())
    const other = at('there/of/another/name')
    for (const {parentPath, name} of shuffled(files, SEED)) {
      const to = parentPath.replace(folder, other)
      mkdirSync(to, {recursive: true})
      writeFileSync(join(to, name), readFileSync(join(parentPath, name)), {mode: 0o600})
    }
    expect((await report(`oci:${at('again')}`, other)).digest).toBe(await want())
    expect((await report(`oci-archive:${at('again.tar')}`, other)).digest).toBe(await want())
  })

  it.each<{name: string; env: Readonly<Record<string, string | undefined>>; umask: string}>([
    {name: 'Turkish at the date line', env: {TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8'}, umask: '077'},
    {name: 'without a home directory', env: {HOME: undefined, LANG: 'C', COLUMNS: '20'}, umask: '000'},
    {name: 'without git', env: {PATH: '/nowhere'}, umask: '022'},
  ])('on another host: $name', async ({name, env, umask}) => {
    const target = `oci:${at(`machine-${umask}`)}`
    const script = `umask ${umask}; exec "$0" "$@"`
    const args = ['-c', script, ...programCommand('package', 'build', target, folder).flat()]
    const {status, stdout} = await runProgram('/bin/sh', args, {env, cwd: temporary})
    expect({name, status, stdout}).toEqual({name, status: 0, stdout: `${await want()}\n`})
  })

  it('with another date only with another epoch', async () => {
    const dated = async (epoch: string) => {
      const args = ['package', 'build', `oci:${at('dated')}`, folder]
      return await runBuilt(args, {env: {SOURCE_DATE_EPOCH: epoch}})
    }
    const [one, same, other, none, odd] = [
      await dated('1700000000'),
      await dated('1700000000'),
      await dated('1700000001'),
      await dated(''),
      await dated('yesterday'),
    ]
    expect({
      same: same.stdout === one.stdout,
      other: other.stdout === one.stdout,
      none: none.stdout,
      odd: odd.status,
    }).toEqual({
      same: true,
      other: false,
      none: `${await want()}\n`,
      odd: 2,
    })
  })
})
