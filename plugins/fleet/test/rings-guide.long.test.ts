import {expect, it} from '@jest/globals'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {withVariables} from '../../../test/commands/git/git-world.js'
import {missingTool} from '../../../test/missing-tool.js'
import {describeReal} from '../../../test/real-parts.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {expectFollowed} from '../../../test/transcripts.js'

const ROOT = join(import.meta.dirname, '../../..')

describeReal('From ten hand-kept clusters to rings', missingTool('git'), () => {
  const temporary = temporaryFolder()

  it('shows the output of its commands, run in order', async () => {
    const script = ['--import', './test/cluster/typescript.mjs', 'plugins/fleet/test/ten-clusters.ts']
    const clusters = spawn(process.execPath, script, {cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit']})
    try {
      const [kubeconfig] = (await once(createInterface({input: clusters.stdout}), 'line')) as [string]
      const KUBECONFIG = join(temporary, 'kubeconfig')
      writeFileSync(KUBECONFIG, kubeconfig)
      const variables = {KUBECONFIG, NO_COLOR: '1', CROSSPLANE_CACHE_DIR: join(temporary, 'cache')}
      await withVariables(variables, async () => {
        await Promise.resolve(expectFollowed('docs/rings.md', {}))
      })
    } finally {
      const ended = once(clusters, 'exit')
      clusters.stdin.end()
      expect(await ended).toEqual([0, null])
    }
  }, 600_000)
})
