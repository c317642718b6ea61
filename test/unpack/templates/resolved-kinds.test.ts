import {describe, expect, it} from '@jest/globals'
import type {Behavior} from '../../../src/unpack/package.js'
import {templateKinds} from '../../../src/unpack/templates/template-kinds.js'

const BEHAVIOR = {engine: {type: 'helm3'}, source: {path: 'chart'}} as unknown as Behavior
const FILES = {
  'values.yaml': 'scaled: {api: keda.sh/v1alpha1}\ngroup: example.org\n',
  'charts/sub/values.yaml': 'api: sub.example.org/v1\n',
  'templates/_helpers.tpl': `{{- define "app.pdb" -}}
{{- if .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" -}}policy/v1{{- else -}}{{ print "policy/v1beta1" }}{{- end -}}
{{- end -}}
{{- define "app.loop" -}}{{ include "app.loop" . }}{{- end -}}
`,
}

function kindsOf(apiVersion: string, kind: string, path = 'templates/a.yaml'): readonly string[] {
  const text = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n`
  const files = Object.entries({...FILES, [path]: text}).map(([file, content]) => ({
    path: file,
    bytes: Buffer.from(content),
  }))
  return templateKinds(BEHAVIOR, files).map(
    ({apiVersion: version = '?', kind: name = '?'}) => `${version} ${name}`,
  )
}

describe('kinds whose fields are expressions', () => {
  it.each<{name: string; apiVersion: string; kind: string; path?: string; want: readonly string[]}>([
    {
      name: 'a choice, of which the most stable version counts',
      apiVersion:
        '{{ ternary "policy/v1beta1" "policy/v1" (semverCompare "<1.21.0-0" .Capabilities.KubeVersion.Version) }}',
      kind: 'PodDisruptionBudget',
      want: ['policy/v1 PodDisruptionBudget'],
    },
    {
      name: 'a default value',
      apiVersion: '{{ .Values.scaled.api }}',
      kind: 'ScaledObject',
      want: ['keda.sh/v1alpha1 ScaledObject'],
    },
    {
      name: 'a default value of a subchart',
      apiVersion: '{{ $.Values.api | quote }}',
      kind: 'Foo',
      path: 'charts/sub/templates/a.yaml',
      want: ['sub.example.org/v1 Foo'],
    },
    {
      name: 'a named template, without the group that it only asks for',
      apiVersion: '{{ include "app.pdb" . }}',
      kind: 'PodDisruptionBudget',
      want: ['policy/v1 PodDisruptionBudget'],
    },
    {
      name: 'a choice within the line',
      apiVersion: 'apps/v1',
      kind: '{{ if .Values.stateful }}StatefulSet{{ else }}Deployment{{ end }}',
      want: ['apps/v1 StatefulSet', 'apps/v1 Deployment'],
    },
    {
      name: 'a part of the text',
      apiVersion: '{{ .Values.group }}/v1beta2',
      kind: 'Foo',
      want: ['example.org/v1beta2 Foo'],
    },
    {
      name: 'a kind of Kubernetes, by its name alone',
      apiVersion: '{{ template "app.missing" . }}',
      kind: 'Ingress',
      want: ['networking.k8s.io/v1 Ingress'],
    },
    {
      name: 'no part of a text',
      apiVersion: '{{ printf "%s/%s" "keda.sh" "v1alpha1" }}',
      kind: 'ScaledObject',
      want: ['? ScaledObject'],
    },
    {name: 'no text at all', apiVersion: '{{ include "app.loop" . }}', kind: 'Foo', want: ['? Foo']},
  ])('are found for $name', ({apiVersion, kind, path, want}) => {
    expect(kindsOf(apiVersion, kind, path)).toEqual(want)
  })
})
