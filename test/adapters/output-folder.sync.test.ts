import {join} from 'node:path'
import {expect, it} from '@jest/globals'
import {outputFolder} from '../../src/adapters/output-folder.js'
import {writeFolder} from '../../src/commit/write-folder.js'
import {withForeignFolder} from './foreign-folder.js'
import {immortal} from './mortal-file-system.js'

it.each([
  {name: 'a write syncs contents before what depends on it', isSynced: true},
  {name: 'a write syncs nothing in a working tree of git', isSynced: false},
])('$name', async ({isSynced}) => {
  await withForeignFolder(async root => {
    const {files, calls} = immortal()
    const outputs = [{path: 'crds/a.yaml', content: 'A\n'}]
    await writeFolder(outputs, outputFolder(root, {files, isSynced}))
    const steps = calls.filter(([, path]) => !path.includes('/lock'))
    const at = (name: string, path: string) =>
      steps.findIndex(([call, changed]) => call === name && changed === join(root, path))
    const moved = at('rename', 'crds/a.yaml')
    const synced = [at('sync', '.kubectl-crossplane/staging/0'), at('sync', '.kubectl-crossplane')]
    expect(synced.map(index => index >= 0 && index < moved)).toEqual([isSynced, isSynced])
    expect(steps.some(([call]) => call === 'sync')).toBe(isSynced)
  })
})
