import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {NODE_VERSION} from '../../scripts/release/platforms.js'
import {givenProgram} from '../built-program.js'
import {runCli} from '../run-cli.js'

const {version} = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}
/** A released program has a Node.js of its own. */
const node = givenProgram() === undefined ? process.version : `v${NODE_VERSION}`

describe('version', () => {
  it('prints text', async () => {
    expect(await runCli('version')).toEqual({
      status: 0,
      stdout: `kubectl-crossplane ${version}\n`,
      stderr: '',
    })
  })

  it.each(
    [['-o', 'json'], ['--output', 'json'], ['--output=json'], ['-ojson'], ['-o=json']].map(flags => ({
      flags,
    })),
  )('prints a document with $flags', async ({flags}) => {
    const {status, stdout, stderr} = await runCli('version', ...flags)
    expect({status, stderr, document: JSON.parse(stdout) as unknown}).toEqual({
      status: 0,
      stderr: '',
      document: {
        apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
        kind: 'Version',
        version,
        node,
        platform: `${process.platform}/${process.arch}`,
      },
    })
  })

  it('--version also prints the platform, as every oclif program does', async () => {
    expect(await runCli('--version')).toEqual({
      status: 0,
      stdout: `kubectl-crossplane/${version} ${process.platform}-${process.arch} node-${node}\n`,
      stderr: '',
    })
  })
})
