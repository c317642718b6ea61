import {describe, expect, it} from '@jest/globals'
import {allCommands} from '../all-commands.js'

const commands = (await allCommands()).filter(({flags}) => flags.some(([name]) => name === 'dry-run'))

describe('--dry-run', () => {
  it('is in commands that change files and in those that change a cluster', () => {
    const ids = commands.map(({id}) => id)
    expect(ids).toEqual(
      expect.arrayContaining(['cache prune', 'package install', 'package lock', 'package render']),
    )
  })

  it.each(commands)('of $id is client without a value', async ({arguments: args, required, flags, parse}) => {
    const words = [...required, ...args]
    const valued = async (...flag: readonly string[]) => await parse([...words, ...flag])
    const [client, none, off] = [
      await valued('--dry-run=client'),
      await valued('--dry-run=none'),
      await valued(),
    ]
    expect(client).toMatchObject({flags: {'dry-run': 'client'}})
    expect(none).toEqual(off)
    const another = flags.some(([name]) => name === 'quiet') ? ['-q'] : []
    const lines = [
      [...words, '--dry-run'],
      [...words, '--dry-run', 'client'],
      [...required, '--dry-run', ...args],
      [...required, '--dry-run', '--', ...args],
      ['--dry-run', ...required, ...args],
    ]
    for (const line of lines) expect({line, parsed: await parse(line)}).toEqual({line, parsed: client})
    expect(await parse([...words, '--dry-run', ...another])).toEqual(
      await valued('--dry-run=client', ...another),
    )
    expect(await valued('--dry-run', 'false')).toEqual({
      error: '"false" is not read as the value of --dry-run',
    })
    expect(await valued('--dry-run=x')).toMatchObject({error: expect.stringContaining('--dry-run=x')})
  })
})
