import {chartYaml, type PopularChart} from './popular-chart.js'

const PROMETHEUS: PopularChart = {
  name: 'prometheus',
  files: {
    'Chart.yaml': chartYaml('prometheus'),
    'values.yaml': `server:
  # Pods of the server
  replicaCount: 1
  service: {type: ClusterIP, servicePort: 80}
  persistentVolume: {enabled: true, size: 8Gi}
  extraFlags: [web.enable-lifecycle]
serverFiles: {alerts.yml: {}}
`,
    'values.schema.json': JSON.stringify({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        server: {
          type: 'object',
          properties: {
            replicaCount: {type: 'integer', minimum: 0},
            service: {
              type: 'object',
              properties: {type: {enum: ['ClusterIP', 'NodePort']}, servicePort: {type: 'integer'}},
            },
            persistentVolume: {type: 'object', properties: {enabled: {type: 'boolean'}}},
            extraFlags: {type: 'array', items: {type: 'string'}},
            labels: {type: 'object', patternProperties: {'^[a-z/.-]+$': {type: 'string'}}},
          },
        },
      },
    }),
    'templates/all.yaml': `apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
  labels: {{- toYaml .Values.server.labels | nindent 4 }}
spec:
  type: {{ .Values.server.service.type }}
  ports:
    - port: {{ .Values.server.service.servicePort }}
      {{- with .Values.server.service.nodePort }}
      nodePort: {{ . }}
      {{- end }}
---
{{- if .Values.server.persistentVolume.enabled }}
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: {{ .Release.Name }}}
spec:
  {{- with .Values.server.persistentVolume.storageClassName }}
  storageClassName: {{ . | quote }}
  {{- end }}
  resources: {requests: {storage: {{ .Values.server.persistentVolume.size | quote }}}}
{{- end }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {{- range $name, $content := .Values.serverFiles }}
  {{ $name }}: {{ toJson $content | quote }}
{{- end }}
  flags: {{ join "," .Values.server.extraFlags | quote }}
  replicas: {{ .Values.server.replicaCount | quote }}
`,
  },
  specs: [
    {server: {service: {type: 'NodePort', nodePort: 30_080}, persistentVolume: {storageClassName: 'fast'}}},
    {server: {labels: {'example.org/team': 'a'}, service: {type: null, servicePort: null}}},
    {serverFiles: {'rules.yml': {groups: [{name: 'a'}]}}, other: {unlisted: [1]}},
  ],
}

const CERT_MANAGER: PopularChart = {
  name: 'cert-manager',
  files: {
    'Chart.yaml': chartYaml('cert-manager'),
    'values.yaml': `installCRDs: false
replicaCount: 1
logLevel: 2
resources: {}
featureGates: ""
`,
    'values.schema.json': JSON.stringify({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $ref: '#/$defs/helm-values',
      $defs: {
        'helm-values': {
          type: 'object',
          additionalProperties: false,
          properties: {
            global: {},
            installCRDs: {type: 'boolean', default: false},
            replicaCount: {$ref: '#/$defs/count'},
            logLevel: {type: ['integer', 'string']},
            resources: {type: 'object', default: {}},
            featureGates: {type: 'string'},
            volumes: {type: 'array', items: {}},
            issuer: {type: ['string', 'null'], enum: ['acme', 'ca', null]},
          },
        },
        count: {type: 'number', multipleOf: 1},
      },
    }),
    'templates/all.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data:
  replicas: {{ .Values.replicaCount | quote }}
  level: {{ .Values.logLevel | quote }}
  gates: {{ .Values.featureGates | quote }}
  resources: {{ toJson .Values.resources | quote }}
  volumes: {{ toJson .Values.volumes | quote }}
  issuer: {{ .Values.issuer | default "none" }}
`,
  },
  specs: [
    {replicaCount: 3, logLevel: '4', volumes: [{name: 'a', emptyDir: {}}, 1], global: {a: 1}},
    {logLevel: null, featureGates: null, resources: {limits: {cpu: 1}}, issuer: 'ca'},
    {issuer: null, volumes: []},
  ],
}

const REDIS: PopularChart = {
  name: 'redis',
  files: {
    'Chart.yaml': chartYaml('redis'),
    'values.yaml': `architecture: replication
auth: {enabled: true}
replica: {replicaCount: 3, autoscaling: false}
sentinel: {enabled: false}
`,
    'values.schema.json': JSON.stringify({
      type: 'object',
      required: ['architecture'],
      properties: {
        architecture: {type: 'string', enum: ['standalone', 'replication']},
        auth: {properties: {enabled: {type: 'boolean'}, password: {type: 'string', minLength: 3}}},
        replica: {
          type: 'object',
          required: ['replicaCount'],
          additionalProperties: {type: ['boolean', 'integer', 'string']},
          properties: {replicaCount: {type: 'integer'}},
        },
      },
    }),
    'templates/all.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data:
  architecture: {{ .Values.architecture }}
  auth: {{ toJson .Values.auth | quote }}
  replica: {{ toJson .Values.replica | quote }}
  sentinel: {{ toJson .Values.sentinel | quote }}
`,
  },
  specs: [
    {architecture: 'standalone', replica: {zone: 'a', replicaCount: 1}, auth: {enabled: false, other: [1]}},
    {auth: null, sentinel: {quorum: 2, enabled: null}},
    {auth: 'none', sentinel: ['a']},
  ],
}

/** Charts whose values.schema.json leaves values open. */
export const CHARTS_WITH_SCHEMAS: readonly PopularChart[] = [PROMETHEUS, CERT_MANAGER, REDIS]
