import type {LintRule} from '../lint-rule.js'
import {BEHAVIOR, TEMPLATE_CRD} from './example-files.js'

const FILES = {'behavior.yaml': BEHAVIOR, 'crd.yaml': TEMPLATE_CRD}
const CHART_YAML = 'apiVersion: v1\nname: widget\nversion: 0.1.0\n'
const USES_ALL =
  '  size: {{ .Values.size }}\n  name: {{ .Values.name }}\n  replicas: "{{ .Values.replicas }}"\n'
const configMap = (data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n${data}`
const chart = (data: string, others: Readonly<Record<string, string>> = {}) => ({
  'Chart.yaml': CHART_YAML,
  'templates/a.yaml': configMap(data),
  ...others,
})
const PASSING = chart(USES_ALL)
const NAMED_FILES = {...FILES, 'behavior.yaml': BEHAVIOR.replace('helm3', 'gotemplate')}
const named = (name: string) => ({
  'Widget.example.org_v1alpha1/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ ${name} }}
data:
  all: {{ toJson .spec | quote }}
`,
})
const testOf = (spec: string) => ({
  small: `apiVersion: example.org/v1alpha1\nkind: Widget\nmetadata:\n  name: small\nspec:\n  ${spec}\n`,
})

/** Rules for templates that their engines check: `template lint`, and `package lint` of a package with templates. */
export const ENGINE_RULES: readonly LintRule[] = [
  {
    id: 'template-syntax',
    severity: 'error',
    foundByEngine: {
      file: 'helm-chart/templates/b.yaml',
      line: 2,
      message: 'unexpected EOF',
    },
    title: 'A template cannot be parsed',
    why: 'The engine stops at the first error of a chart, so nothing is created for any custom resource.',
    advice: 'Correct the syntax.',
    failing: {files: FILES, templates: chart(USES_ALL, {'templates/b.yaml': '{{ if .Values.size }}\n'})},
    passing: {files: FILES, templates: PASSING},
  },
  {
    id: 'template-function',
    severity: 'error',
    foundByEngine: {
      file: 'helm-chart/templates/a.yaml',
      line: 9,
      message: 'the function randAlphaNum is not allowed: it returns another value at each call',
    },
    title: 'A template calls a function that is not allowed',
    why: 'Objects are rendered again and again. A function of randomness, time, network or environment would change them each time.',
    advice: 'Use a field of spec, or a Secret that exists before the objects.',
    failing: {files: FILES, templates: chart(`${USES_ALL}  id: {{ randAlphaNum 5 }}\n`)},
    passing: {files: FILES, templates: PASSING},
  },
  {
    id: 'template-field-missing',
    severity: 'warning',
    foundByEngine: {
      file: 'helm-chart/templates/a.yaml',
      line: 9,
      message: 'the template reads .Values.colour, which neither the schema of the CRD nor values.yaml has',
    },
    title: 'A template reads a field that nothing sets',
    why: 'An API server drops fields that the schema of the CRD does not have, and the chart has no default for this one. It is always empty.',
    advice: 'Add the field to the schema of the CRD, or to values.yaml, or correct its name.',
    failing: {files: FILES, templates: chart(`${USES_ALL}  colour: {{ .Values.colour }}\n`)},
    passing: {
      files: FILES,
      templates: chart(`${USES_ALL}  colour: {{ .Values.colour }}\n`, {'values.yaml': 'colour: red\n'}),
    },
  },
  {
    id: 'template-field-unused',
    severity: 'warning',
    foundByEngine: {
      file: '.registry/crd.yaml',
      message: 'no template reads spec.size of Widget',
    },
    title: 'No template reads a field of spec',
    why: 'Users can set the field, but it changes nothing.',
    advice: 'Use the field in a template, or remove it from the CRD.',
    failing: {files: FILES, templates: chart(USES_ALL.replace(/ {2}size.*\n/, ''))},
    passing: {files: FILES, templates: PASSING},
  },
  {
    id: 'gotemplate-identity',
    severity: 'error',
    foundByEngine: {
      file: 'helm-chart/Widget.example.org_v1alpha1/config.yaml',
      message:
        'apiVersion, kind and metadata.name must be known before anything is read: they can use .metadata.name, .metadata.namespace and .metadata.uid only',
    },
    title: 'The identity of an object depends on more than the custom resource',
    why: 'The apiVersion, kind and name of an object are read before everything else. If they changed with a field, the former object would be left behind.',
    advice: 'Use only .metadata.name, .metadata.namespace and .metadata.uid there, in lines of their own.',
    failing: {files: NAMED_FILES, templates: named('.spec.name')},
    passing: {files: NAMED_FILES, templates: named('.metadata.name')},
  },
  {
    id: 'chart-dependency',
    severity: 'error',
    foundByEngine: {
      file: 'helm-chart/Chart.yaml',
      message: 'the chart redis, on which widget depends, is not in the folder charts',
    },
    title: 'The chart lacks a chart that it depends on',
    why: 'Nothing is downloaded when objects are rendered. Rendering fails without the chart.',
    advice: 'Run helm dependency update, and add the folder charts to the image.',
    failing: {
      files: FILES,
      templates: {
        ...PASSING,
        'Chart.yaml': `${CHART_YAML.replace('v1', 'v2')}dependencies:\n- name: redis\n  version: 1.0.0\n  repository: https://charts.example.org\n`,
      },
    },
    passing: {files: FILES, templates: PASSING},
  },
  {
    id: 'chart-library',
    severity: 'error',
    foundByEngine: {
      file: 'helm-chart/Chart.yaml',
      message: 'widget is a library chart, which renders no objects',
    },
    title: 'The chart is a library',
    why: 'A library has templates for other charts, and renders no objects.',
    advice: 'Use a chart of type application.',
    failing: {
      files: FILES,
      templates: {...PASSING, 'Chart.yaml': `${CHART_YAML.replace('v1', 'v2')}type: library\n`},
    },
    passing: {files: FILES, templates: PASSING},
  },
  {
    id: 'template-render',
    severity: 'error',
    foundByEngine: {file: 'helm-chart/templates/a.yaml', line: 9, message: 'set spec.name'},
    title: 'The custom resource of a test cannot be rendered',
    why: 'Users who create such a custom resource get no objects.',
    advice: 'Correct the template or the test, or write the expected error to error.txt of the test.',
    failing: {
      files: FILES,
      templates: chart(`${USES_ALL}  max: {{ required "set spec.name" .Values.name }}\n`),
      tests: testOf('size: small'),
    },
    passing: {files: FILES, templates: PASSING, tests: testOf('size: small')},
  },
]
