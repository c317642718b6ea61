import {beforeAll, expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {mkdirSync, readFileSync, symlinkSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {bundledProgram, givenProgram} from '../built-program.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {CORPUS_ROOT, describeCorpus} from '../corpus.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder} from '../temporary-folder.js'

/** The commands of a section of docs/rendering.md, one text for each block. */
function documented(heading: string): readonly string[] {
  const [, section = ''] = readFileSync('docs/rendering.md', 'utf8').split(`### ${heading}\n`)
  const [text = ''] = section.split('\n##')
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block)
}

const [INSTALL = '', UPGRADE = '', CLEAN_UP = ''] = documented('Apply a folder')
const BINDING = ['get', 'clusterrolebinding', 'crossplane-provider-gcp', '-o', 'jsonpath={.roleRef.name}']

describeCorpus('a rendered folder', () => {
  describeReal('applied as the docs say', missingTool('kubectl', 'bash'), () => {
    describeCluster('current', 'on a current API server', cluster => {
      const temporary = temporaryFolder()
      const run = (program: string, ...args: readonly string[]) =>
        spawnSync(program, args, {
          cwd: temporary,
          encoding: 'utf8',
          env: {
            ...process.env,
            PATH: `${join(temporary, 'plugins')}${delimiter}${process.env.PATH ?? ''}`,
            KUBECONFIG: cluster().kubeconfig,
          },
        })

      /** The commands with the package read from the corpus. */
      const sh = (commands: string) => {
        const local = commands.replace(
          /crossplane\/(provider-gcp):(\S+)/,
          `${join(CORPUS_ROOT, 'corpus')}/$1@$2 --as-package $&`,
        )
        const {status, stderr} = run('bash', '-euo', 'pipefail', '-c', local)
        return {status, errors: stderr.split('\n').filter(line => /^(?:Error|The )/.test(line)), stderr}
      }

      beforeAll(() => {
        mkdirSync(join(temporary, 'plugins'))
        symlinkSync(givenProgram() ?? bundledProgram(), join(temporary, 'plugins/kubectl-crossplane'))
      })

      it('installs from nothing, upgrades, and cleans up', () => {
        expect(sh(INSTALL)).toMatchObject({status: 0, errors: []})
        expect(run('kubectl', ...BINDING).stdout).toContain(':v0.9.0:system')

        const upgrade = sh(UPGRADE)
        expect(upgrade).toMatchObject({status: 0, errors: []})
        expect(upgrade.stderr).toContain('[role-ref-changed]')
        expect(upgrade.stderr).toContain(
          `Try: ${UPGRADE.split('\n').find(line => line.startsWith('kubectl delete')) ?? 'nothing'}`,
        )
        expect(run('kubectl', ...BINDING).stdout).toContain(':v0.11.0:system')

        expect(sh(CLEAN_UP)).toMatchObject({status: 0})
        const roles = run('kubectl', 'get', 'clusterroles', '-o', 'name').stdout
        expect(roles).toContain(':crossplane-provider-gcp:v0.11.0:system')
        expect(roles).not.toContain(':crossplane-provider-gcp:v0.9.0:')
        expect(run('kubectl', 'diff', '--server-side', '-k', 'deploy')).toMatchObject({status: 0, stdout: ''})
      }, 300_000)

      it('fails as an upgrade where the binding is not deleted', () => {
        const commands = INSTALL.replace('v0.9.0', 'v0.10.0')
        const {status, stderr} = sh(commands)
        expect({status, stderr}).toEqual({
          status: 1,
          stderr: expect.stringContaining('cannot change roleRef'),
        })
      }, 300_000)
    })
  })
})
