import {writeTree} from '../../../../test/temporary-folder.js'

function crd(
  kind: string,
  plural: string,
  more: {readonly scope?: string; readonly status?: boolean} = {},
): string {
  const {scope = 'Namespaced', status = true} = more
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.demo.example.org}
spec:
  group: demo.example.org
  names: {kind: ${kind}, listKind: ${kind}List, plural: ${plural}, singular: ${kind.toLowerCase()}}
  scope: ${scope}
  versions:
  - name: v1
    served: true
    storage: true
    ${status ? 'subresources: {status: {}}' : ''}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`
}

/** The CRDs of other packages: of a cluster-scoped kind that the stack requires, and of one that it has no rights for. */
export const OTHER_CRDS = [crd('Big', 'bigs', {scope: 'Cluster'}), crd('Extra', 'extras')]

/** Makes a ConfigMap for each name in spec.maps, a Big, and an Extra. */
export const CHART = `{{- range $name, $given := .Values.maps }}
{{- $map := default dict $given }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $.Release.Name }}-{{ $name }}
{{- with $map.namespace }}
  namespace: {{ . }}
{{- end }}
  annotations: {templatestacks.crossplane.io/deletion-priority: {{ $map.priority | default 0 | quote }}}
data:
  size: {{ $.Values.size | quote }}
{{- with $map.extra }}
  extra: {{ . | quote }}
{{- end }}
{{- end }}
{{- with .Values.big }}
---
apiVersion: demo.example.org/v1
kind: Big
metadata: {name: {{ . }}}
{{- end }}
{{- if .Values.needsRights }}
---
apiVersion: demo.example.org/v1
kind: Extra
metadata: {name: {{ .Release.Name }}}
{{- end }}
`

/** A Cluster package with a chart. */
export function chartPackage(folder: string): string {
  return writeTree(folder, {
    '.registry/app.yaml':
      'title: Demo\nversion: v0.1.0\npermissionScope: Cluster\npackageType: Stack\ndependsOn:\n- crd: bigs.demo.example.org/v1\n',
    '.registry/behavior.yaml':
      'crd: {apiVersion: demo.example.org/v1, kind: Demo}\nengine: {type: helm3}\nsource: {path: chart}\n',
    '.registry/resources/demo.crd.yaml': crd('Demo', 'demos'),
    'chart/Chart.yaml': 'apiVersion: v1\nname: demo\nversion: 0.1.0\n',
    'chart/values.yaml': 'size: 1\nmaps: {}\n',
    'chart/templates/all.yaml': CHART,
  })
}

/** A Namespaced package with named templates, for a kind without the subresource of its status. */
export function namedPackage(folder: string): string {
  return writeTree(folder, {
    '.registry/app.yaml': 'title: Plain\nversion: v0.1.0\npermissionScope: Namespaced\npackageType: Stack\n',
    '.registry/behavior.yaml':
      'crd: {apiVersion: demo.example.org/v1, kind: Plain}\nengine: {type: gotemplate}\nsource: {path: templates}\n',
    '.registry/resources/plain.crd.yaml': crd('Plain', 'plains', {status: false}),
    'templates/Plain.demo.example.org_v1/map.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .metadata.name }}-map"}\ndata: {size: {{ .spec.size | quote }}}\n',
    'templates/Plain.demo.example.org_v1/status.yaml':
      '{{ with .map }}seen: {{ .data.size | quote }}{{ end }}\n',
  })
}
