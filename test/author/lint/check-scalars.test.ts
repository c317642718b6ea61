import {BEHAVIOR, WIDGET_CRD} from '../../../src/author/lint/rules/example-files.js'
import {app, describeFindings} from './lint-case.js'

describeFindings('scalars', [
  {
    name: 'a value that is at fault anyway',
    reason: 'one finding is enough',
    files: {'app.yaml': app('version: yes', 'keywords: [1_0, no]')},
    want: [
      'app.yaml:3 version [field-type]',
      'app.yaml:4 keywords[0] [field-type]',
      'app.yaml:4 keywords[1] [field-type]',
    ],
  },
  {
    name: 'every file that is read as YAML',
    reason: 'and none that is not',
    files: {
      'behavior.yaml': BEHAVIOR.replace('helm3', 'kustomize\n  kustomize: {kustomization: {kind: K, on: 1}}'),
      'crd.yaml': WIDGET_CRD.replace('type: object\n', 'type: object\n      default: {a: 0777}\n'),
      'ui-schema.yaml': 'a: yes\n',
    },
    want: [
      'behavior.yaml:6 engine.kustomize.kustomization.on [yaml-scalar]',
      'crd.yaml:5 spec [crd-status-subresource]',
      'crd.yaml:5 spec [crd-conditions]',
      'crd.yaml:14 spec.validation.openAPIV3Schema.default.a [yaml-scalar]',
    ],
  },
  {
    name: 'numbers and booleans in place of text',
    reason: 'in a CRD and its metadata they become text, whole',
    files: {
      'crd.yaml': WIDGET_CRD.replace(
        '  name: widgets',
        '  labels: {a: 1.0, b: "2", c: true}\n  name: widgets',
      ),
      'resource.yaml': 'id: widget\ntitle: 1e3\ntitlePlural: 0x10\ncategory: ""\n',
    },
    want: [
      'crd.yaml:4 metadata.labels.a [text-converted]',
      'crd.yaml:4 metadata.labels.c [text-converted]',
      'resource.yaml:2 title [text-converted]',
      'resource.yaml:3 titlePlural [text-converted]',
    ],
  },
  {
    name: 'numbers in place of text in a CRD of an unknown API version',
    reason: 'its type is known, although the package cannot be read',
    files: {
      'crd.yaml': WIDGET_CRD.replace(/k8s.io\/v1beta1/, 'k8s.io/v1alpha1').replace(
        '  name: widgets',
        '  labels: {a: 1.0}\n  name: widgets',
      ),
    },
    want: ['crd.yaml:1 apiVersion [crd-api-version]', 'crd.yaml:4 metadata.labels.a [text-converted]'],
  },
])
