/** Templates for comparisons: a folder's files, and the spec of a custom resource. */
export interface TemplateTree {
  readonly name: string
  readonly engine: 'helm3' | 'kustomize'
  readonly spec: Readonly<Record<string, unknown>>
  readonly files: Readonly<Record<string, string>>
}

const chartYaml = (name: string, more = '') => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`

const configMap = (name: string, data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  ${data}\n`

const CHARTS: readonly TemplateTree[] = [
  {
    name: 'named templates, tpl, and loops over maps and lists',
    engine: 'helm3',
    spec: {
      replicas: 3,
      labels: {zone: 'b', app: 'a'},
      ports: [80, 443],
      greeting: 'from {{ .Release.Name }}',
    },
    files: {
      'Chart.yaml': chartYaml('press'),
      'values.yaml': 'replicas: 1\nlabels: {tier: web}\nports: []\nimage: {name: press, tag: "1.10"}\n',
      'templates/_helpers.tpl': `{{- define "press.labels" -}}
{{- range $key, $value := .Values.labels }}
{{ $key }}: {{ $value | quote }}
{{- end }}
{{- end -}}
`,
      'templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name | trunc 20 }}
  namespace: {{ .Release.Namespace }}
  labels: {{- include "press.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas }}
  template:
    spec:
      containers:
        - name: press
          image: "{{ .Values.image.name }}:{{ .Values.image.tag }}"
          args: [{{ tpl .Values.greeting . | quote }}]
          ports:
            {{- range $index, $port := .Values.ports }}
            - name: port-{{ $index }}
              containerPort: {{ $port }}
            {{- end }}
`,
      'templates/NOTES.txt': 'Installed {{ .Release.Name }}\n',
    },
  },
  {
    name: 'subcharts with conditions, aliases, globals and imported values',
    engine: 'helm3',
    spec: {global: {region: 'north'}, cache: {size: '2Gi'}, other: {enabled: true}},
    files: {
      'Chart.yaml': chartYaml(
        'blog',
        `dependencies:
  - {name: cache, version: 1.0.0}
  - {name: cache, alias: other, version: 1.0.0, condition: other.enabled}
  - {name: search, version: 1.0.0, condition: search.enabled, import-values: [{child: exports, parent: search}]}
`,
      ),
      'values.yaml': 'global: {region: south}\nsearch: {enabled: false}\nother: {enabled: false}\n',
      'templates/config.yaml': configMap('blog', 'region: {{ .Values.global.region }}'),
      'charts/cache/Chart.yaml': chartYaml('cache'),
      'charts/cache/values.yaml': 'size: 1Gi\n',
      'charts/cache/templates/config.yaml': configMap(
        '{{ .Chart.Name }}-{{ .Release.Name }}',
        'size: {{ .Values.size }}{{ .Values.global.region }}',
      ),
      'charts/search/Chart.yaml': chartYaml('search'),
      'charts/search/values.yaml': 'exports: {engine: fast}\n',
      'charts/search/templates/config.yaml': configMap('search', 'never: here'),
    },
  },
  {
    name: 'hooks, the order of kinds, CRDs, and documents in one file',
    engine: 'helm3',
    spec: {},
    files: {
      'Chart.yaml': chartYaml('ordered'),
      'crds/crd.yaml': configMap('not-rendered', 'a: b'),
      'templates/all.yaml': [
        'apiVersion: v1\nkind: Service\nmetadata: {name: one}\n',
        'apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: two}\n',
        'apiVersion: v1\nkind: Secret\nmetadata: {name: three}\nstringData: {a: b}\n',
        'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: four}\n',
        '# only a comment\n',
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: five}\n',
        'apiVersion: v1\nkind: Namespace\nmetadata: {name: six}\n',
      ].join('---\n'),
      'templates/hook.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata:\n  name: hook\n  annotations:\n    helm.sh/hook: pre-install\n',
      'templates/empty.yaml': '{{ if .Values.absent }}never{{ end }}\n',
    },
  },
  {
    name: 'numbers, texts that look like others, and YAML out of values',
    engine: 'helm3',
    spec: {
      big: 9_007_199_254_740_991,
      ratio: 0.5,
      text: 'yes',
      many: {b: [1, {c: null}], a: 'x: y'},
      zero: 0,
    },
    files: {
      'Chart.yaml': chartYaml('numbers'),
      'values.yaml': 'large: 12345678\nport: 08\nmode: 0644\nnothing: null\n',
      'templates/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: numbers
data:
  big: {{ .Values.big | int64 | quote }}
  large: {{ .Values.large | quote }}
  ratio: {{ .Values.ratio | quote }}
  text: {{ .Values.text | quote }}
  mode: {{ .Values.mode | quote }}
  zero: {{ .Values.zero | default 5 | quote }}
  sum: {{ add .Values.large 1 | quote }}
  hash: {{ .Values.text | sha256sum }}
  encoded: {{ .Values.text | b64enc }}
  many: |
    {{- toYaml .Values.many | nindent 4 }}
  json: {{ toJson .Values.many | quote }}
`,
    },
  },
  {
    name: 'files of the chart, capabilities, lookup and versions',
    engine: 'helm3',
    spec: {wanted: '>=1.20.0-0'},
    files: {
      'Chart.yaml': chartYaml('facts', 'appVersion: "7.1"\nkubeVersion: ">=1.16.0-0"\n'),
      '.helmignore': '*.secret\n',
      'values.yaml': '{}\n',
      'files/a.txt': 'first\n',
      'files/b.txt': 'second\n',
      'files/c.secret': 'never\n',
      'templates/config.yaml': `apiVersion: {{ if .Capabilities.APIVersions.Has "v1" }}v1{{ else }}v0{{ end }}
kind: ConfigMap
metadata:
  name: {{ .Chart.Name }}-{{ .Chart.AppVersion | replace "." "-" }}
data:
  {{- (.Files.Glob "files/*").AsConfig | nindent 2 }}
  lines: {{ .Files.Lines "files/a.txt" | len | quote }}
  live: {{ lookup "v1" "Secret" "default" "none" | len | quote }}
  current: {{ semverCompare .Values.wanted .Capabilities.KubeVersion.Version | quote }}
  template: {{ .Template.Name }}
`,
    },
  },
]

const base = {
  'deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: example.org/web:v1
          envFrom: [{configMapRef: {name: settings}}]
`,
  'service.yaml':
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  selector: {app: web}\n  ports: [{port: 80}]\n',
}

const kustomization = (text: string) =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n${text}`

const KUSTOMIZATIONS: readonly TemplateTree[] = [
  {
    name: 'generators whose names have hashes, and names that follow',
    engine: 'kustomize',
    spec: {},
    files: {
      ...base,
      'kustomization.yaml': kustomization(`resources: [deployment.yaml, service.yaml]
configMapGenerator:
  - {name: settings, literals: [a=1, b=two], files: [settings.ini]}
secretGenerator:
  - {name: keys, literals: [key=value], type: Opaque}
`),
      'settings.ini': '[main]\nport = 80\n',
    },
  },
  {
    name: 'prefixes, suffixes, labels, annotations, images and replicas',
    engine: 'kustomize',
    spec: {},
    files: {
      ...base,
      'kustomization.yaml': kustomization(`resources: [service.yaml, deployment.yaml]
namePrefix: pre-
nameSuffix: -post
commonAnnotations: {team: web}
labels: [{pairs: {zone: b}, includeSelectors: true}]
images: [{name: example.org/web, newName: example.org/other, newTag: v2}]
replicas: [{name: web, count: 4}]
`),
    },
  },
  {
    name: 'patches of three kinds, by target and by name',
    engine: 'kustomize',
    spec: {},
    files: {
      ...base,
      'merge.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: web, env: [{name: A, value: "1"}]}]}}}\n',
      'kustomization.yaml': kustomization(`resources: [deployment.yaml, service.yaml]
patches:
  - path: merge.yaml
  - target: {kind: Service}
    patch: '[{"op": "add", "path": "/spec/ports/-", "value": {"port": 443, "name": "tls"}}]'
  - target: {kind: Deployment, name: w.*}
    patch: |-
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: any}
      spec: {paused: true}
`),
    },
  },
  {
    name: 'bases of bases, a component and replacements',
    engine: 'kustomize',
    spec: {},
    files: {
      'base/deployment.yaml': base['deployment.yaml'],
      'base/service.yaml': base['service.yaml'],
      'base/kustomization.yaml': kustomization('resources: [deployment.yaml, service.yaml]\n'),
      'middle/kustomization.yaml': kustomization('resources: [../base]\nnamePrefix: mid-\n'),
      'component/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations: {component: "yes"}\n',
      'kustomization.yaml': kustomization(`resources: [middle]
components: [component]
replacements:
  - source: {kind: Service, fieldPath: spec.ports.0.port}
    targets:
      - select: {kind: Deployment}
        fieldPaths: [metadata.annotations.port]
        options: {create: true}
`),
    },
  },
  {
    name: 'variables, custom name references and an own transformer configuration',
    engine: 'kustomize',
    spec: {},
    files: {
      'widget.yaml':
        'apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: one}\nspec: {service: web, host: $(HOST)}\n',
      'service.yaml': base['service.yaml'],
      'names.yaml': `nameReference:
  - {kind: Service, version: v1, fieldSpecs: [{path: spec/service, kind: Widget}]}
varReference:
  - {path: spec/host, kind: Widget}
`,
      'kustomization.yaml': kustomization(`resources: [widget.yaml, service.yaml]
configurations: [names.yaml]
namePrefix: demo-
vars:
  - {name: HOST, objref: {kind: Service, name: web, apiVersion: v1}, fieldref: {fieldpath: metadata.name}}
`),
    },
  },
]

/** Ten charts and kustomizations, which together use what packages use of both. */
export const TEMPLATE_TREES: readonly TemplateTree[] = [...CHARTS, ...KUSTOMIZATIONS]
