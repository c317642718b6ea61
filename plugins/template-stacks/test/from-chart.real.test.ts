import {expect, it, jest} from '@jest/globals'
import {existsSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {asObject, readYaml} from 'kubectl-crossplane/plugin'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, until} from '../../../test/cluster/kube.js'
import {describeReal} from '../../../test/real-parts.js'
import {missingTool} from '../../../test/missing-tool.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../../../test/registry/docker-registry.js'
import {runProgram} from '../../../test/run-program.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'

// Every command of this suite is a process that compiles the engines.
jest.setTimeout(240_000)

const PROGRAM = resolve('bin/run.js')
const missing = existsSync('plugins/template-stacks/dist/command-map.js')
  ? missingTool(...DOCKER_REGISTRY_TOOLS)
  : 'the program is not built'

const CHART = {
  'Chart.yaml': 'apiVersion: v2\nname: blog\nversion: 0.1.0\n',
  'values.yaml': '# Number of Pods\nreplicas: 1\ntitle: Blog\n',
  'templates/all.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  replicas: {{ .Values.replicas | quote }}
  title: {{ .Values.title | default "none" }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec: {containers: [{name: blog, image: "example.org/blog:v1"}]}
`,
}
const INSTALLED = [
  '--no-wait',
  '--allow-core-permissions',
  '--templates-from',
  'inline',
  '--controller-image',
  'example.org/run:v1',
]
const PLACE = {namespace: 'default', name: 'example'}
const DEPLOYMENT = {apiVersion: 'apps/v1', kind: 'Deployment', metadata: PLACE}
const CONFIG = {apiVersion: 'v1', kind: 'ConfigMap', metadata: PLACE}
const BLOG = {apiVersion: 'blogs.example.org/v1alpha1', kind: 'Blog', metadata: PLACE}

describeReal('a package from a chart', missing, () => {
  const startRegistry = dockerRegistries()
  const root = temporaryFolder()

  describeCluster({version: 'current', pods: true}, 'in a registry and a cluster', cluster => {
    const folder = mkdtempSync(join(root, 'chart-'))
    const pkg = join(folder, 'blog')
    let repository = ''
    const run = async (...args: string[]) =>
      await runProgram(process.execPath, [PROGRAM, ...args], {
        env: {KUBECONFIG: cluster().kubeconfig, HOME: folder},
      })
    const succeeds = async (...args: string[]) => {
      const {status, stdout, stderr} = await run(...args)
      expect({args, status, stderr: status === 0 ? '' : stderr}).toEqual({args, status: 0, stderr: ''})
      return stdout
    }
    const reconcile = async () => await succeeds('template', 'run', '--stack', 'default/demo-blog', '--once')
    const code = async (object: Parameters<ReturnType<typeof cluster>['kube']['get']>[0]) =>
      (await cluster().kube.get(object)).code
    const replicas = async () => asObject((await cluster().kube.get(DEPLOYMENT)).body.spec).replicas
    const edit = (path: string, from: string, to: string) => {
      const file = join(pkg, path)
      writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
    }

    it('is created, linted, tested, built, pushed, and rendered from the registry', async () => {
      const {host} = await startRegistry()
      repository = `${host}/demo/blog`
      writeTree(join(folder, 'chart'), CHART)
      const kind = ['--kind', 'Blog.blogs.example.org/v1alpha1']
      await succeeds('template', 'init', pkg, '--from-chart', join(folder, 'chart'), ...kind)
      await succeeds('package', 'lint', pkg)
      await succeeds('template', 'test', pkg)
      await succeeds('package', 'build', `oci:${join(folder, 'image')}:v0.1.0`, pkg)
      await succeeds('package', 'push', `${repository}:v0.1.0`, pkg)
      const cr = join(pkg, 'tests/example/cr.yaml')
      const names = await succeeds('template', 'render', `${repository}:v0.1.0`, '-f', cr, '-o', 'name')
      expect(names).toBe('configmap/example\ndeployment.apps/example\n')
    })

    it('is installed, and makes the objects of a custom resource', async () => {
      await succeeds(
        'package',
        'install',
        `${repository}:v0.1.0`,
        '--with-package-api',
        ...INSTALLED,
        '--yes',
      )
      const [cr] = readYaml(readFileSync(join(pkg, 'tests/example/cr.yaml')), 'cr.yaml')
      accepted(await cluster().kube.apply(asObject(cr?.value)))
      await reconcile()
      expect(await replicas()).toBe(1)
    })

    it('removes a default of the chart where a custom resource has null', async () => {
      const title = async () => asObject((await cluster().kube.get(CONFIG)).body.data).title
      expect(await title()).toBe('Blog')
      accepted(await cluster().kube.apply({...BLOG, spec: {title: null}}))
      await reconcile()
      expect(await title()).toBe('none')
    })

    it('is upgraded with its templates, in its record and its StackDefinition', async () => {
      edit('chart/values.yaml', 'replicas: 1', 'replicas: 2')
      edit('.registry/app.yaml', 'version: v0.1.0', 'version: v0.2.0')
      await succeeds('template', 'test', pkg, '--update')
      await succeeds('package', 'push', `${repository}:v0.2.0`, pkg)
      await succeeds('package', 'upgrade', `${repository}:v0.2.0`, ...INSTALLED, '--yes')
      const record = {apiVersion: 'packages.crossplane.io/v1alpha1', kind: 'Package'}
      const {body} = await cluster().kube.get({...record, metadata: {...PLACE, name: 'demo-blog'}})
      expect(asObject(body.spec).version).toBe('v0.2.0')
      await reconcile()
      expect(await replicas()).toBe(2)
    })

    it('is kept while a custom resource exists, and removed after it', async () => {
      const refused = await run('package', 'uninstall', 'default/demo-blog', '--yes')
      expect(refused).toMatchObject({status: 5})
      expect(refused.stderr).toContain(
        '1 custom resource of blogs.blogs.example.org would lose its controller',
      )
      const path = '/apis/blogs.example.org/v1alpha1/namespaces/default/blogs/example'
      accepted(await cluster().kube.send('DELETE', path))
      // A pass deletes what it can: the garbage collector ends the deletion of the Deployment between two.
      await until(
        async () => {
          await reconcile()
          return [await code(DEPLOYMENT), await code(BLOG)]
        },
        codes => codes.every(each => each === 404),
      )
      await succeeds('package', 'uninstall', 'default/demo-blog', '--yes')
      expect(await succeeds('package', 'list', '-A')).toBe('')
    })
  })
})
