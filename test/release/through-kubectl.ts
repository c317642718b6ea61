import {expect} from '@jest/globals'
import {delimiter, join} from 'node:path'
import {runCli} from '../run-cli.js'
import {runProgram} from '../run-program.js'
import {ROOT} from './made-release.js'

const FIXTURE = join(ROOT, 'test/testdata/packages/cli-database')

/** A PATH that begins with these folders, and has no program of `node_modules`. */
export function pathWith(...folders: readonly string[]): string {
  const others = (process.env.PATH ?? '').split(delimiter).filter(each => !each.includes('node_modules'))
  return [...folders, ...others].join(delimiter)
}

/** Expects that the installed plugin, run by kubectl, prints its version, renders and fails as the sources do. */
export async function expectAsFromSources(env: Readonly<Record<string, string>>): Promise<void> {
  const commands = [
    ['version'],
    ['package', 'render', FIXTURE],
    ['package', 'render', '--nope'],
    ['package', 'render', '--help'],
  ]
  for (const command of commands) {
    const result = await runProgram('kubectl', ['crossplane', ...command], {env})
    expect(result).toEqual({...(await runCli(...command)), signal: null})
  }
}
