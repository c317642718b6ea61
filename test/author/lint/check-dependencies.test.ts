import {WIDGET_CRD} from '../../../src/author/lint/rules/example-files.js'
import {app, dependsOn, describeFindings} from './lint-case.js'

describeFindings('dependencies', [
  {
    name: 'kinds of other packages',
    reason: 'nothing is known of them',
    files: {'app.yaml': dependsOn('gears.example.net', 'gear.example.net/v7', 'x.gcp.crossplane.io/v1')},
    want: [],
  },
  {
    name: "kinds of Crossplane's own",
    reason: 'they are known by plural, version and group',
    files: {
      'app.yaml': dependsOn(
        'buckets.storage.crossplane.io',
        'buckets.storage.crossplane.io/v1alpha1',
        'bucket.storage.crossplane.io/v1',
        'pails.storage.crossplane.io',
        'stackinstalls.stacks.crossplane.io/v1alpha1',
      ),
    },
    want: [
      'app.yaml:6 dependsOn[2].crd [depends-on-name]',
      'app.yaml:6 dependsOn[2].crd [depends-on-version]',
      'app.yaml:7 dependsOn[3].crd [depends-on-name]',
    ],
  },
  {
    name: 'kinds of the package itself',
    reason:
      'they are recognized by plural, singular and kind; others of their group can belong to another package',
    files: {
      'app.yaml': dependsOn(
        'widgets.example.org/v1alpha1',
        'widgy.example.org',
        'widget.example.org/v1',
        'gears.example.org/v1',
      ),
      'crd.yaml': WIDGET_CRD.replace('    plural', '    singular: widgy\n    plural'),
    },
    want: [
      'app.yaml:5 dependsOn[1].crd [depends-on-name]',
      'app.yaml:6 dependsOn[2].crd [depends-on-name]',
      'app.yaml:6 dependsOn[2].crd [depends-on-version]',
    ],
  },
  {
    name: 'whole groups',
    reason: 'every permission on kinds that are not known yet, at a version that some kind of the group has',
    files: {
      'app.yaml': dependsOn(
        '*.core.oam.dev/v1alpha2',
        '*.core.oam.dev/v1',
        '*.example.net/v1',
        '*.core.crossplane.io',
      ),
    },
    want: [
      'app.yaml:4 dependsOn[0].crd [permissions-wildcard]',
      'app.yaml:5 dependsOn[1].crd [depends-on-version]',
      'app.yaml:5 dependsOn[1].crd [permissions-wildcard]',
      'app.yaml:6 dependsOn[2].crd [permissions-wildcard]',
      'app.yaml:7 dependsOn[3].crd [depends-on-nothing]',
    ],
  },
  {
    name: 'packages',
    reason: 'any version of them will do',
    files: {
      'app.yaml': app(
        'dependsOn:',
        '- package: example.org:5000/a/b',
        '- package: a/b:v1',
        `- package: a/b@sha256:${'0'.repeat(64)}`,
        '- package: "A B"',
      ),
    },
    want: [
      'app.yaml:5 dependsOn[1].package [depends-on-package]',
      'app.yaml:6 dependsOn[2].package [depends-on-package]',
      'app.yaml:7 dependsOn[3].package [depends-on-package]',
    ],
  },
  {
    name: 'an invalid name',
    reason: 'it is reported once',
    files: {'app.yaml': dependsOn('.example.org', '/v1', '')},
    want: [
      'app.yaml:4 dependsOn[0] [depends-on]',
      'app.yaml:5 dependsOn[1] [depends-on]',
      'app.yaml:6 dependsOn[2] [depends-on]',
    ],
  },
])
