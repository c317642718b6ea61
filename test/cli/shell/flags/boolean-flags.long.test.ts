import {describe, expect, it} from '@jest/globals'
import {isDeepStrictEqual} from 'node:util'
import {allCommands} from '../all-commands.js'

const commands = await allCommands()
const flags = commands.flatMap(command =>
  command.flags
    .filter(([, {type}]) => type === 'boolean')
    .map(([name, {char, aliases = []}]) => ({
      id: command.id,
      name,
      command,
      // Each way to write the flag.
      spellings: [
        `--${name}`,
        ...aliases.map(each => `--${each}`),
        ...(char === undefined ? [] : [`-${char}`]),
      ],
    })),
)

describe('boolean flags', () => {
  it('are those of the program and of its plugins', () => {
    const ids = new Set(flags.map(({id}) => id))
    expect([ids.has('package install'), ids.has('trace'), flags.length > 200]).toEqual([true, true, true])
  })

  it.each(flags)('$id --$name', async ({name, command, spellings}) => {
    const {arguments: args, required, parse} = command
    const words = [...required, ...args]
    const [on, without] = [await parse([`--${name}`, ...words]), await parse(words)]
    // What is on by default is the same with the flag.
    const off = isDeepStrictEqual(on, without) ? await parse([`--${name}=false`, ...words]) : without
    expect(off).not.toHaveProperty('error')
    expect(on).not.toEqual(off)
    const invalid = {error: `invalid --${name} "x": must be true or false`}
    const places = (...flag: readonly string[]) => [
      [...flag, ...words],
      [...words, ...flag],
      [...required, ...flag, '--', ...args],
    ]
    for (const flag of spellings) {
      const cases = [
        {want: on, lines: [...places(flag), ...places(`${flag}=true`), [flag, flag, ...words]]},
        {want: off, lines: places(`${flag}=false`)},
        {want: invalid, lines: places(`${flag}=x`)},
        {want: off, lines: [[flag, `${flag}=false`, ...words]]},
        {want: on, lines: [[`${flag}=false`, ...words, flag]]},
        {want: invalid, lines: [[`${flag}=x`, ...words, flag]]},
      ]
      for (const {want, lines} of cases)
        for (const line of lines) expect({line, parsed: await parse(line)}).toEqual({line, parsed: want})
    }
  })
})
