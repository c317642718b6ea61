import {WIDGET_CRD} from '../../../src/author/lint/rules/example-files.js'
import {dependsOn, describeFindings} from './lint-case.js'

describeFindings('permissions', [
  {
    name: "Kubernetes' own groups",
    reason: 'rendering rejects permissions on them',
    files: {
      'app.yaml': dependsOn(
        'secrets',
        '*',
        'deployments.apps',
        '*.rbac.authorization.k8s.io',
        'jobs.batch.example.org',
      ),
    },
    want: [
      'app.yaml:4 dependsOn[0].crd [permissions-core]',
      'app.yaml:5 dependsOn[1].crd [permissions-core]',
      'app.yaml:6 dependsOn[2].crd [permissions-core]',
      'app.yaml:7 dependsOn[3].crd [permissions-core]',
    ],
  },
  {
    name: "a CRD in a group of Kubernetes' own",
    reason: 'owning it gives rights over it',
    files: {
      'crd.yaml': WIDGET_CRD.replaceAll('example.org', 'policy.k8s.io').replace(
        '  name: widgets',
        '  annotations: {api-approved.kubernetes.io: "https://github.com/kubernetes/enhancements/pull/1111"}\n  name: widgets',
      ),
    },
    want: ['crd.yaml:7 spec.group [permissions-core]'],
  },
  {
    name: 'what no namespace reaches',
    reason: 'only of kinds whose scope is known',
    files: {
      'app.yaml': dependsOn(
        'nodes/v1',
        'secrets/v1',
        'scopedefinition.core.oam.dev',
        'components.core.oam.dev',
        '*.kubernetes.crossplane.io/v1alpha1',
        'providers.gcp.crossplane.io',
      ).replace('Cluster', 'Namespaced'),
    },
    want: [
      'app.yaml:4 dependsOn[0].crd [permissions-core]',
      'app.yaml:4 dependsOn[0].crd [permissions-unreachable]',
      'app.yaml:5 dependsOn[1].crd [permissions-core]',
      'app.yaml:6 dependsOn[2].crd [depends-on-name]',
      'app.yaml:6 dependsOn[2].crd [permissions-unreachable]',
      'app.yaml:8 dependsOn[4].crd [permissions-wildcard]',
      'app.yaml:8 dependsOn[4].crd [permissions-unreachable]',
    ],
  },
])
