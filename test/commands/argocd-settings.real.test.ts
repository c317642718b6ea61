import {beforeAll, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describeCluster} from '../cluster/describe-cluster.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'

const DECLARATION = join(import.meta.dirname, '../../examples/xpkg/crossplane-packages.yaml')
const PACKAGES = join(import.meta.dirname, '../../examples/xpkg/packages')
const FLAGS = ['--layout', 'argocd', '--repo-url', 'https://git.example.org/team/cluster']
const SETTINGS = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'argocd-cm',
    namespace: 'argocd',
    labels: {'app.kubernetes.io/part-of': 'argocd'},
  },
  data: {url: 'https://argocd.example.org'},
}

describeReal('the health checks for Argo CD', missingTool('kubectl', 'bash'), () => {
  describeCluster('current', 'on a current API server', cluster => {
    const temporary = temporaryFolder()
    const sh = (commands: string, cwd = temporary) =>
      execFileSync('bash', ['-euo', 'pipefail', '-c', commands], {
        ...{cwd, encoding: 'utf8'},
        env: {...process.env, KUBECONFIG: cluster().kubeconfig},
      })

    beforeAll(() => {
      writeFileSync(join(temporary, 'settings.json'), JSON.stringify(SETTINGS))
      sh('kubectl create namespace argocd')
    })

    it.each(['apply', 'apply --server-side', 'create'])(
      'are added, as their comment says, without a loss of settings that kubectl %s created',
      async install => {
        const output = join(temporary, install.replaceAll(' ', ''))
        const written = ['--declaration', DECLARATION, '--packages', PACKAGES, '--output-dir', output]
        expect((await runCli('package', 'render', ...FLAGS, ...written)).status).toBe(0)
        const folder = join(output, 'argocd')
        const [, command = ''] =
          /^#.*: (kubectl patch .*)$/m.exec(readFileSync(join(folder, 'health.yaml'), 'utf8')) ?? []
        sh(`kubectl ${install} --filename settings.json`)
        sh(command, folder)
        const {metadata, data} = JSON.parse(
          sh('kubectl get configmap argocd-cm --namespace argocd --output json'),
        ) as typeof SETTINGS
        expect(metadata.labels).toEqual(SETTINGS.metadata.labels)
        expect(data).toMatchObject(SETTINGS.data)
        expect(Object.keys(data)).toContain('resource.customizations.health.pkg.crossplane.io_Provider')
        sh('kubectl delete configmap argocd-cm --namespace argocd')
      },
    )
  })
})
