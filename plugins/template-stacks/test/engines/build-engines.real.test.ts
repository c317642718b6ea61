import {expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describeReal} from '../../../../test/real-parts.js'

const ENGINES = join(import.meta.dirname, '../../engines')
const {status} = spawnSync('go', ['version'])

describeReal('the module of the template engines', status === 0 ? undefined : 'no go on PATH', () => {
  it('is what its sources give, as are the lists of its modules and their licenses', () => {
    const build = spawnSync(process.execPath, [join(ENGINES, 'build.mjs'), '--check'], {encoding: 'utf8'})
    const [built, committed] = build.stdout.split('\n').map(line => line.split(' ')[0])
    expect({built, stderr: build.status === 0 ? '' : build.stderr}).toEqual({built: committed, stderr: ''})
  })

  it('has the licenses of what is linked', () => {
    const licenses = readFileSync(join(ENGINES, 'THIRD-PARTY-LICENSES'), 'utf8')
    for (const name of ['Go 1.', 'helm.sh/helm/v3 v3.22.0', 'sigs.k8s.io/kustomize/api v0.21.1'])
      expect(licenses).toContain(name)
  })
})
