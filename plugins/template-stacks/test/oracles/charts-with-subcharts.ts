import {gzipSync} from 'node:zlib'
import {tarOfFiles} from '../../../../test/fetch/raw-tar.js'
import {chartYaml, type PopularChart} from './popular-chart.js'

const packed = (files: Readonly<Record<string, string | Uint8Array>>) => gzipSync(tarOfFiles(files))

const COMMON = {
  'common/Chart.yaml': chartYaml('common', 'type: library\n'),
  'common/values.yaml': 'exampleValue: a\n',
  'common/templates/_all.tpl': `{{- define "common.labels" -}}
app: {{ .Release.Name }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}
{{- define "common.capabilities.pdb" -}}
{{- if semverCompare "<1.21-0" .Capabilities.KubeVersion.Version -}}{{- print "policy/v1beta1" -}}
{{- else -}}{{- print "policy/v1" -}}{{- end -}}
{{- end -}}
`,
}

const POSTGRESQL: PopularChart = {
  name: 'postgresql',
  files: {
    'Chart.yaml': chartYaml(
      'postgresql',
      'dependencies: [{name: common, version: 1.x.x, repository: "https://x.example.org", tags: [library]}]\n',
    ),
    'charts/common-1.0.0.tgz': packed(COMMON),
    'values.yaml': `global: {storageClass: "", postgresql: {auth: {database: ""}}}
commonLabels: {}
architecture: standalone
auth: {enablePostgresUser: true, database: "", existingSecret: ""}
primary:
  resources: {}
  nodeSelector: {}
  pdb: {create: true, minAvailable: "", maxUnavailable: ""}
  service: {ports: {postgresql: 5432}, nodePorts: {postgresql: ""}}
  persistence: {size: 8Gi, accessModes: [ReadWriteOnce]}
`,
    'templates/all.yaml': `apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "common.labels" . | nindent 4 }}
spec:
  ports:
    - port: {{ .Values.primary.service.ports.postgresql }}
      {{- if .Values.primary.service.nodePorts.postgresql }}
      nodePort: {{ .Values.primary.service.nodePorts.postgresql }}
      {{- end }}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: {{ .Release.Name }}}
spec:
  resources: {{ toJson .Values.primary.resources }}
  nodeSelector: {{ toJson .Values.primary.nodeSelector }}
  database: {{ .Values.global.postgresql.auth.database | default .Values.auth.database | quote }}
  storageClass: {{ .Values.global.storageClass | quote }}
  size: {{ .Values.primary.persistence.size | quote }}
{{- if .Values.primary.pdb.create }}
---
apiVersion: {{ include "common.capabilities.pdb" . }}
kind: PodDisruptionBudget
metadata: {name: {{ .Release.Name }}}
spec:
  {{- if .Values.primary.pdb.minAvailable }}
  minAvailable: {{ .Values.primary.pdb.minAvailable }}
  {{- end }}
  {{- if or .Values.primary.pdb.maxUnavailable (not .Values.primary.pdb.minAvailable) }}
  maxUnavailable: {{ .Values.primary.pdb.maxUnavailable | default 1 }}
  {{- end }}
{{- end }}
`,
  },
  specs: [
    {
      primary: {
        pdb: {maxUnavailable: '25%'},
        service: {nodePorts: {postgresql: 30_432}, ports: {postgresql: '5433'}},
      },
    },
    {primary: {pdb: {minAvailable: 2}, resources: {limits: {cpu: 0.5, memory: '1Gi'}}, nodeSelector: null}},
    {
      global: {postgresql: {auth: {database: 'shop'}}, security: {x: true}},
      commonLabels: {team: 'a'},
      auth: {database: 7},
    },
  ],
}

const WORKER = (name: string) => ({
  [`${name}/Chart.yaml`]: chartYaml(name),
  [`${name}/values.yaml`]: 'size: 1\nenabled: true\nexports: {shared: {from: ' + name + '}}\n',
  [`${name}/templates/cm.yaml`]:
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Chart.Name }}-{{ .Values.size }}}\ndata: {region: "{{ .Values.global.region }}", all: {{ toJson .Values | quote }}}\n',
})

const UMBRELLA: PopularChart = {
  name: 'umbrella',
  files: {
    'Chart.yaml': chartYaml(
      'umbrella',
      `dependencies:
- {name: worker, version: 1.0.0, repository: "", condition: worker.enabled, tags: [backend]}
- {name: worker, version: 1.0.0, repository: "", alias: other, condition: "switches.other,other.enabled", import-values: [shared]}
- {name: nested, version: 1.0.0, repository: "", tags: [extras]}
`,
    ),
    'values.yaml': 'global: {region: north}\nworker: {size: 2}\n',
    'charts/worker-1.0.0.tgz': packed(WORKER('worker')),
    'charts/nested-1.0.0.tgz': packed({
      'nested/Chart.yaml': chartYaml(
        'nested',
        'dependencies: [{name: deep, version: 1.0.0, repository: "", condition: deep.on}]\n',
      ),
      'nested/values.yaml': 'deep: {on: true}\n',
      'nested/charts/deep-1.0.0.tgz': packed(WORKER('deep')),
      'nested/crds/things.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.nested.example.org}
spec:
  group: nested.example.org
  names: {kind: Thing, plural: things}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`,
      'nested/templates/tests/test.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: "{{ randAlphaNum 5 }}", annotations: {helm.sh/hook: test}}\n',
    }),
    'templates/cm.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: top}\ndata: {from: {{ .Values.from | default "none" | quote }}}\n',
  },
  specs: [
    {tags: {extras: false}, worker: {enabled: false}, switches: {other: false}},
    {
      nested: {deep: {on: false, size: '3'}},
      other: {size: 7, enabled: true},
      global: {region: 'south', more: [1]},
    },
    {tags: {backend: false, extras: true}, worker: null, other: {exports: {shared: {from: 'user'}}}},
  ],
}

/** Charts with archives of other charts. */
export const CHARTS_WITH_SUBCHARTS: readonly PopularChart[] = [POSTGRESQL, UMBRELLA]
