import {expect} from '@jest/globals'
import {runCli} from '../run-cli.js'

/** What `package render` prints where all is well: then there is nothing on stderr, either. */
export async function rendered(...args: readonly string[]): Promise<string> {
  const {status, stdout, stderr} = await runCli('package', 'render', ...args)
  expect({status, stderr}).toEqual({status: 0, stderr: ''})
  return stdout
}
