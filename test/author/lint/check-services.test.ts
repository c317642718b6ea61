import {
  CLAIM_CRD,
  CLASS_APP,
  GADGET_CLASS_CRD,
  GADGET_CRD,
  PROVIDER_CRD,
  without,
} from '../../../src/author/lint/rules/service-files.js'
import {DEPLOYMENT, WIDGET_CRD} from '../../../src/author/lint/rules/example-files.js'
import {app, dependsOn, describeFindings} from './lint-case.js'

/** Namespaced, and references to Secrets without a namespace. */
const firstGeneration = (text: string) =>
  without(text.replace('scope: Cluster', 'scope: Namespaced'), 'namespace', 16)

const ofClasses = {'class.crd.yaml': GADGET_CLASS_CRD, 'gadget.crd.yaml': GADGET_CRD}

describeFindings('kinds of managed services', [
  {
    name: 'all roles together',
    reason: 'a claim does not belong to the package of a provider',
    files: {...ofClasses, 'claim.crd.yaml': CLAIM_CRD, 'provider.crd.yaml': PROVIDER_CRD},
    want: ['claim.crd.yaml:8 spec.names.kind [claim-owned]'],
  },
  {
    name: 'the first generation',
    reason: 'all of its kinds were namespaced on purpose',
    files: {
      'gadget.crd.yaml': without(firstGeneration(GADGET_CRD), 'enum', 14),
      'provider.crd.yaml': firstGeneration(PROVIDER_CRD),
    },
    want: [],
  },
  {
    name: 'a namespaced kind of a later generation',
    reason: 'its references to Secrets have a namespace',
    files: {'provider.crd.yaml': PROVIDER_CRD.replace('scope: Cluster', 'scope: Namespaced')},
    want: ['provider.crd.yaml:10 spec.scope [provider-scope]'],
  },
  {
    name: 'a Provider of another program',
    reason: 'the name alone does not make it a provider of services',
    files: {'crd.yaml': WIDGET_CRD.replaceAll('Widget', 'Provider').replaceAll('widget', 'provider')},
    want: [],
  },
  {
    name: 'a version that is not stored',
    reason: 'a kind is recognized by the schema of its stored version',
    files: {
      'gadget.crd.yaml': WIDGET_CRD.replace(/ {2}validation:[^]*/, '').concat(
        '  versions:\n',
        '  - name: v1alpha1\n    served: true\n    storage: false\n',
        '    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {',
        'providerRef: {type: object}, claimRef: {type: object}}}}}}\n',
        '  - name: v1\n    served: true\n    storage: true\n',
        '    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}\n',
      ),
    },
    want: [],
  },
  {
    name: 'a kind of the next generation',
    reason: 'with providerConfigRef, other rules apply',
    files: {
      'gadget.crd.yaml': GADGET_CRD.replaceAll('providerRef', 'providerConfigRef').replace(
        'scope: Cluster',
        'scope: Namespaced',
      ),
    },
    want: [],
  },
  {
    name: 'a class for kinds that have other names',
    reason: 'each kind of the group that has all of its fields can be created from it',
    files: {
      'app.yaml': CLASS_APP,
      'class.crd.yaml': GADGET_CLASS_CRD.replaceAll('Gadget', 'Tool').replaceAll('gadget', 'tool'),
      'gadget.crd.yaml': GADGET_CRD,
    },
    want: [],
  },
  {
    name: 'a class without forProvider',
    reason: 'claims cannot set the fields that only the managed resource has',
    files: {
      ...ofClasses,
      'app.yaml': CLASS_APP,
      'class.crd.yaml': without(GADGET_CLASS_CRD, 'forProvider', 12),
    },
    want: ['class.crd.yaml:15 spec.validation.openAPIV3Schema.properties.specTemplate [class-drift]'],
  },
  {
    name: 'permissions on all claims of a group',
    reason: 'a class is no use without them',
    files: {...ofClasses, 'app.yaml': dependsOn('*.database.crossplane.io', '*.claims.example.com/v1')},
    want: [],
  },
  {
    name: 'permissions on groups without claims',
    reason: 'Crossplane included other kinds there, or none',
    files: {
      ...ofClasses,
      'app.yaml': dependsOn('*.core.crossplane.io/v1alpha1', 'kubernetestargets.workload.crossplane.io'),
    },
    want: ['app.yaml:3 dependsOn [claims-permission]', 'app.yaml:4 dependsOn[0].crd [depends-on-nothing]'],
  },
  {
    name: 'permissions on all kinds of a group, without a controller',
    reason: 'a package that runs nothing of its own has no claims to write',
    files: {'app.yaml': dependsOn('*.claims.example.com/v1'), 'gadget.crd.yaml': GADGET_CRD},
    want: ['app.yaml:4 dependsOn[0].crd [permissions-wildcard]'],
  },
  {
    name: 'permissions on all kinds of a group, without a class that lint recognizes',
    reason: 'the status of claims belongs to the controller, and an entry for a kind does not include it',
    files: {
      'app.yaml': dependsOn('*.cache.crossplane.io/v1alpha1', '*.claims.example.com/v1'),
      'widget.crd.yaml': WIDGET_CRD,
      'install.yaml': DEPLOYMENT,
    },
    want: [],
  },
  {
    name: 'a missing dependsOn',
    reason: 'the rule names the line of app.yaml',
    files: {...ofClasses, 'app.yaml': app()},
    want: ['app.yaml:1 dependsOn [claims-permission]'],
  },
])
