import {WIDGET_CRD} from '../../../src/author/lint/rules/example-files.js'
import {crdOf, describeFindings} from './lint-case.js'

describeFindings('CRDs', [
  {
    name: 'schemas of each version',
    reason: 'one without is enough to accept anything',
    files: {
      'crd.yaml': WIDGET_CRD.replace(/ {2}validation:[^]*/, '').concat(
        '  versions:\n',
        '  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n',
        '  - {name: v2, served: true, storage: false}\n',
      ),
    },
    want: ['crd.yaml:5 spec [crd-schema-missing]'],
  },
  {
    name: 'an error of v1',
    reason: 'a v1 CRD without a schema is rejected, so nothing is accepted',
    files: {
      'crd.yaml': WIDGET_CRD.replace('v1beta1', 'v1')
        .replace(/ {2}validation:[^]*/, '')
        .concat('  versions:\n', '  - {name: v1, served: true, storage: true}\n'),
    },
    want: ['crd.yaml:12 spec.versions[0].schema.openAPIV3Schema [crd-refused]'],
  },
  {
    name: 'names of files',
    reason: 'only two forms promise something',
    files: {
      'very.descriptive.name.crd.yaml': WIDGET_CRD,
      'example.org_gadget.crd.yaml': crdOf('Gadget'),
      'example.org_gizmos.crd.yaml': crdOf('Gizmo'),
      'gears.v1alpha1.crd.yaml': crdOf('Gear'),
      'nut.v1alpha1.crd.yaml': crdOf('Bolt'),
      'crd.yaml': crdOf('Screw'),
    },
    want: [
      'example.org_gadget.crd.yaml:8 spec.names.kind [crd-file-name]',
      'nut.v1alpha1.crd.yaml:8 spec.names.kind [crd-file-name]',
    ],
  },
  {
    name: 'what has no structural form, and what is wrong besides',
    reason: 'both are reported, each at its own line',
    files: {
      'crd.yaml': WIDGET_CRD.replace('    plural', '    shortNames: [W]\n    plural').replace(
        'spec:\n          type: object',
        'spec:\n          not: {type: string}',
      ),
    },
    want: [
      'crd.yaml:9 spec.names.shortNames[0] [crd-refused]',
      'crd.yaml:17 spec.validation.openAPIV3Schema.properties.spec.not.type [non-structural]',
    ],
  },
  {
    name: 'a status that a cluster wrote',
    reason: 'but not the empty one of generators',
    files: {
      'a.crd.yaml': `${WIDGET_CRD}status:\n  acceptedNames: {kind: "", plural: ""}\n  conditions: []\n  storedVersions: []\n`,
      'b.crd.yaml': `${crdOf('Gadget')}status:\n  conditions: [{type: Established}]\n`,
    },
    want: ['b.crd.yaml:18 status [crd-status]'],
  },
  {
    name: 'a kind that is a number, and names in upper case',
    reason: 'reading accepts both, as Go did; a server rejects the kind 1.5',
    files: {
      'number.crd.yaml': WIDGET_CRD.replace('kind: Widget', 'kind: 1.5'),
      'upper.crd.yaml': crdOf('Gadget')
        .replace('  names:', '  NAMES:')
        .replace('plural: gadgets', 'plural: gadgets\n    shortNames: [G]'),
    },
    want: [
      'number.crd.yaml:7 spec.names.singular [crd-refused]',
      'number.crd.yaml:7 spec.names.listKind [crd-refused]',
      'number.crd.yaml:8 spec.names.kind [crd-refused]',
      'upper.crd.yaml:5 spec.names.shortNames[0] [crd-refused]',
      'upper.crd.yaml:7 spec.NAMES [field-case]',
    ],
  },
])
