import {CHARTS_WITH_SCHEMAS} from './charts-with-schemas.js'
import {CHARTS_WITH_SUBCHARTS} from './charts-with-subcharts.js'
import {chartYaml, type PopularChart} from './popular-chart.js'

const ARGO_CD: PopularChart = {
  name: 'argo-cd',
  files: {
    'Chart.yaml': chartYaml('argo-cd'),
    'values.yaml': `crds: {install: true, annotations: {}}
global: {domain: argocd.example.org, image: {repository: quay.example.org/argocd, tag: ""}}
configs: {params: {server.insecure: false}, cm: {}}
server: {replicas: 1, extraArgs: [], ingress: {enabled: false, tls: false, hosts: []}}
extraObjects: []
`,
    'templates/_helpers.tpl':
      '{{- define "argo.image" -}}{{ .repository }}:{{ .tag | default "v3" }}{{- end -}}',
    'templates/crd.yaml': `{{- if .Values.crds.install }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: crd
  annotations: {{- toYaml .Values.crds.annotations | nindent 4 }}
{{- end }}
`,
    'templates/cm.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: params}
data:
  url: https://{{ .Values.global.domain }}
  image: {{ include "argo.image" .Values.global.image }}
  replicas: {{ .Values.server.replicas | quote }}
  args: {{ toJson .Values.server.extraArgs | quote }}
  {{- range $key, $value := .Values.configs.params }}
  {{ $key }}: {{ toString $value | quote }}
  {{- end }}
  {{- with .Values.configs.cm }}
  cm: {{ toYaml . | quote }}
  {{- end }}
{{- if .Values.server.ingress.enabled }}
---
apiVersion: {{ include "argo.ingress" . | trim }}
kind: Ingress
metadata: {name: server}
spec:
  {{- with .Values.server.ingress.tls }}
  tls: {{ toJson . }}
  {{- end }}
  rules: {{ toJson .Values.server.ingress.hosts }}
{{- end }}
{{- range .Values.extraObjects }}
---
{{ tpl (toYaml .) $ }}
{{- end }}
`,
    'templates/_ingress.tpl': `{{- define "argo.ingress" }}
{{- if .Capabilities.APIVersions.Has "networking.k8s.io/v1" }}networking.k8s.io/v1{{ else }}extensions/v1beta1{{ end }}
{{- end }}`,
  },
  specs: [
    {
      server: {
        ingress: {enabled: true, tls: 'team-tls', hosts: {a: 1}},
        replicas: '2',
        extraArgs: '--insecure',
      },
    },
    {configs: {params: {'server.insecure': 'true', 'new.param': 1}}, crds: {annotations: null}},
    {
      team: 'blue',
      extraObjects: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {name: '{{ .Values.team }}'},
          data: {a: '{{ .Values.team }}'},
        },
      ],
    },
  ],
}

const NGINX: PopularChart = {
  name: 'ingress-nginx',
  files: {
    'Chart.yaml': chartYaml('ingress-nginx'),
    'values.yaml': `controller:
  kind: Deployment
  config: {}
  hostPort: {enabled: false, ports: {http: 80, https: 443}}
  autoscaling: {enabled: false, targetCPUUtilizationPercentage: 50}
  service: {enabled: true, annotations: {}, loadBalancerIP: ""}
tcp: {}
podAnnotations: {}
`,
    'templates/all.yaml': `apiVersion: apps/v1
kind: {{ if eq .Values.controller.kind "DaemonSet" }}DaemonSet{{ else }}Deployment{{ end }}
metadata:
  name: {{ .Release.Name }}
  annotations: {{- toYaml .Values.podAnnotations | nindent 4 }}
spec:
  hostPorts: {{ if .Values.controller.hostPort.enabled }}{{ toJson .Values.controller.hostPort.ports }}{{ else }}{}{{ end }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: tcp}
data: {{- range $key, $value := .Values.tcp }}
  {{ $key | quote }}: {{ $value | quote }}
{{- else }} {}
{{- end }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: config}
data: {{- range $key, $value := .Values.controller.config }}
  {{ $key }}: {{ tpl (toString $value) $ | quote }}
{{- else }} {}
{{- end }}
{{- if .Values.controller.autoscaling.enabled }}
---
apiVersion: {{ ternary "autoscaling/v2" "autoscaling/v2beta1" (.Capabilities.APIVersions.Has "autoscaling/v2") }}
kind: HorizontalPodAutoscaler
metadata: {name: {{ .Release.Name }}}
spec: {target: {{ .Values.controller.autoscaling.targetCPUUtilizationPercentage }}}
{{- end }}
`,
  },
  specs: [
    {controller: {kind: 'DaemonSet', hostPort: {enabled: true, ports: {http: '8080', metrics: 9113}}}},
    {
      controller: {autoscaling: {enabled: 'yes', targetCPUUtilizationPercentage: null}},
      tcp: {'8080': 'default/example:9000'},
    },
    {
      controller: {config: {'use-http2': false, size: '{{ .Values.controller.kind }}', count: 3}},
      podAnnotations: null,
    },
  ],
}

const GRAFANA: PopularChart = {
  name: 'grafana',
  files: {
    'Chart.yaml': chartYaml('grafana'),
    'values.yaml': `replicas: 1
# A name, or false
persistence: {enabled: false, storageClassName: false, size: 10Gi}
grafana.ini: {server: {root_url: "%(protocol)s"}}
envFromSecret: ""
dashboards: {}
extraContainers: ""
sidecar: {dashboards: {enabled: false, label: grafana_dashboard}}
plugins: []
`,
    'templates/all.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data:
  replicas: {{ .Values.replicas | quote }}
  ini: |
    {{- range $section, $fields := index .Values "grafana.ini" }}
    [{{ $section }}]
    {{- range $key, $value := $fields }}
    {{ $key }} = {{ $value }}
    {{- end }}
    {{- end }}
  plugins: {{ toJson .Values.plugins | quote }}
  secret: {{ .Values.envFromSecret | quote }}
  storage: {{ .Values.persistence.storageClassName | default "none" | quote }}
  containers: {{ tpl (toString .Values.extraContainers) . | quote }}
{{- range $provider, $all := .Values.dashboards }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $provider }}
  labels: { {{ $.Values.sidecar.dashboards.label }}: "1" }
data: {{ dict "all" (toJson $all) | toJson }}
{{- end }}
`,
  },
  specs: [
    {
      persistence: {enabled: true, storageClassName: 'fast'},
      'grafana.ini': {server: {root_url: null, port: 3000}},
    },
    {dashboards: {default: {nodes: {gnetId: 1860, revision: '1'}}}, plugins: 'a,b', replicas: '3'},
    {extraContainers: '- name: {{ .Release.Name }}', envFromSecret: 5, custom: 1.5},
  ],
}

const EXTERNAL_DNS: PopularChart = {
  name: 'external-dns',
  files: {
    'Chart.yaml': chartYaml('external-dns'),
    'values.yaml': `provider: {name: aws}
domainFilters: []
interval: 1m
securityContext: {runAsUser: 65534}
livenessProbe: {httpGet: {path: /healthz, port: http}}
policy: upsert-only
`,
    'templates/all.yaml': `{{- $provider := .Values.provider -}}
{{- if kindIs "map" $provider }}{{ $provider = $provider.name }}{{ end }}
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data:
  provider: {{ $provider | quote }}
  interval: {{ .Values.interval | quote }}
  filters: {{ range .Values.domainFilters }}{{ . }};{{ end }}
  context: {{ toJson .Values.securityContext | quote }}
  {{- with .Values.livenessProbe }}
  probe: {{ toJson . | quote }}
  {{- end }}
  policy: {{ .Values.policy | default "sync" }}
`,
  },
  specs: [
    {provider: 'google', interval: 60, securityContext: false, domainFilters: {a: 'example.org'}},
    {provider: {name: 'azure', webhook: {image: {}}}, livenessProbe: null, policy: null},
    {livenessProbe: 'off', domainFilters: ['a', 2, true]},
  ],
}

const KEDA: PopularChart = {
  name: 'keda',
  files: {
    'Chart.yaml': chartYaml('keda'),
    'values.yaml': 'replicas: 1\nscaled: {enabled: false, api: keda.sh/v1alpha1}\ntriggers: []\n',
    'templates/scaled.yaml': `{{ if .Values.scaled.enabled }}
apiVersion: {{ .Values.scaled.api }}
kind: ScaledObject
metadata: {name: {{ .Release.Name }}}
spec: {triggers: {{ toJson .Values.triggers }}, min: {{ .Values.scaled.min | default 0 }}}
{{ end }}
`,
    'templates/pdb.yaml': `{{ if gt (int .Values.replicas) 1 }}
apiVersion: {{ ternary "policy/v1" "policy/v1beta1" (semverCompare ">=1.21.0-0" .Capabilities.KubeVersion.Version) }}
kind: PodDisruptionBudget
metadata: {name: {{ .Release.Name }}}
spec: {minAvailable: {{ .Values.minAvailable | default "50%" }}}
{{ end }}
`,
    'templates/cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\n',
  },
  specs: [
    {replicas: '3', minAvailable: 2},
    {scaled: {enabled: true, api: 'keda.sh/v1', min: '1'}, triggers: [{type: 'cpu', metadata: {value: 50}}]},
    {replicas: 2.5, scaled: {enabled: null}},
  ],
}

/** In the style of charts that many clusters have; the text is our own. */
export const POPULAR_CHARTS: readonly PopularChart[] = [
  ...CHARTS_WITH_SCHEMAS,
  ...CHARTS_WITH_SUBCHARTS,
  ARGO_CD,
  NGINX,
  GRAFANA,
  EXTERNAL_DNS,
  KEDA,
]
