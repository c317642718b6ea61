import {describe, expect, it} from '@jest/globals'
import type {Command} from '@oclif/core'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

const COMMANDS = join(import.meta.dirname, '../src/commands')
const page = readFileSync(join(import.meta.dirname, '../docs/environment.md'), 'utf8')

describe('docs/environment.md', () => {
  it('lists the environment variable of every flag', async () => {
    const found = new Set<string>()
    for (const path of readdirSync(COMMANDS, {recursive: true, encoding: 'utf8'})) {
      if (!path.endsWith('.ts')) continue
      const {default: command} = (await import(join(COMMANDS, path))) as {default?: typeof Command}
      for (const [name, {env}] of Object.entries(command?.flags ?? {}))
        if (env !== undefined) found.add(`| \`${env}\` | \`--${name}\` |`)
    }
    const listed = page.split('\n').flatMap(line => /^\| `CROSSPLANE_\w+` \| `--[\w-]+` \|/.exec(line) ?? [])
    expect(listed).toEqual([...found].sort())
  })
})
