import {describe, expect, it, jest} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type CliResult, runCliWith} from '../../../test/run-cli.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'

// The first render compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const SRC = join(import.meta.dirname, '../src')
const root = temporaryFolder()

async function template(...args: readonly string[]): Promise<CliResult> {
  return await runCliWith(SRC, 'template', ...args)
}

/** Values that values.yaml does not name, a subchart that Chart.yaml does not name, and an object without a namespace. */
const CHART = {
  'press/Chart.yaml': 'apiVersion: v2\nname: press\nversion: 1.0.0\n',
  'press/values.yaml':
    'labels: {tier: web, zone: a}\ntitle: Press\ncache: {size: 1}\nport: 80\n"a.b/c": none\n',
  'press/templates/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
  labels: {{ toJson .Values.labels }}
data:
  port: {{ .Values.port | quote }}
  title: {{ .Values.title | default "none" }}
  host: {{ .Values.host | default "none" }}
  key: {{ index .Values "a.b/c" | quote }}
`,
  'press/templates/role.yaml': `{{ if .Values.admin }}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ .Release.Name }}
{{ end }}
`,
  'press/charts/cache/Chart.yaml': 'apiVersion: v2\nname: cache\nversion: 1.0.0\n',
  'press/charts/cache/values.yaml': 'size: 0\npolicy: none\n',
  'press/charts/cache/templates/config.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cache}\ndata: {policy: "{{ .Values.policy }}-{{ .Values.size }}"}\n',
  'cr.yaml': `apiVersion: demos.example.org/v1alpha1
kind: Demo
metadata: {name: demo, namespace: team}
spec: {title: null, labels: {tier: null, zone: b}, cache: {policy: lru}, host: example.org, admin: true, "a.b/c": "yes"}
`,
}

describe('a package from a chart', () => {
  it('has what its templates read as fields, and the scope of its objects', async () => {
    writeTree(root, CHART)
    const [chart, made] = [join(root, 'press'), join(root, 'made')]
    const init = await template(
      'init',
      made,
      '--from-chart',
      chart,
      '--kind',
      'Demo.demos.example.org/v1alpha1',
    )
    expect(init.stderr).toContain('templates create cluster-scoped objects: ClusterRole [init-scope]')
    expect(readFileSync(join(made, '.registry/app.yaml'), 'utf8')).toContain('permissionScope: Cluster')
    const {stdout, stderr} = await template('render', made, '-f', join(root, 'cr.yaml'), '-o', 'json')
    expect(stderr).not.toContain('[cr-pruned]')
    const {items} = JSON.parse(stdout) as {
      items: {kind: string; data?: unknown; metadata: {labels: unknown}}[]
    }
    expect(items.map(({kind, data}) => [kind, data])).toEqual([
      ['ConfigMap', {policy: 'lru-1'}],
      ['ConfigMap', {port: '80', title: 'none', host: 'example.org', key: 'yes'}],
      ['ClusterRole', undefined],
    ])
    // With null, as with Helm, values have no default.
    expect(items[1]?.metadata.labels).toMatchObject({zone: 'b'})
    expect(items[1]?.metadata.labels).not.toHaveProperty('tier')
    const lint = await template('lint', made)
    expect(lint.stdout).not.toMatch(/template-field|error:/)
    expect((await template('test', made)).stdout).toContain('PASS example')
  })
})
