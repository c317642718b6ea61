import {expect, it} from '@jest/globals'
import {mkdtempSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCliWith} from '../../../test/run-cli.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'

const SRC = join(import.meta.dirname, '../src')

const FOLDER = mkdtempSync(join(temporaryFolder(), 'no-packages-'))

const CLUSTER = {name: 'none', cluster: {server: 'http://127.0.0.1:1'}}

const KUBECONFIG = {
  ...{apiVersion: 'v1', kind: 'Config', clusters: [CLUSTER], users: [{name: 'none', user: {}}]},
  ...{contexts: [{name: 'none', context: {cluster: 'none', user: 'none'}}], 'current-context': 'none'},
}

async function runOnce(packages: string) {
  const file = join(FOLDER, 'kubeconfig')
  writeFileSync(file, JSON.stringify(KUBECONFIG))
  return await runCliWith(SRC, 'manager', 'run', '--packages', packages, '--kubeconfig', file, '--once')
}

it('does not start with a folder of packages that does not exist', async () => {
  const absent = join(FOLDER, 'nope')
  const {status, stderr} = await runOnce(absent)
  expect({status, stderr}).toEqual({
    status: 1,
    stderr: `Error: cannot read ${absent}: no such file or directory\nTry: Pass --packages DIR with a folder that holds PATH/VERSION or PATH@VERSION.\n`,
  })
})
