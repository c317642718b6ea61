import {type LintExample, type LintRule, EXAMPLE_APP} from '../lint-rule.js'
import {CLAIM_CRD, CLASS_APP, GADGET_CLASS_CRD, GADGET_CRD, PROVIDER_CRD, without} from './service-files.js'

const gadgetClass = (text: string): LintExample => ({
  files: {'app.yaml': CLASS_APP, 'class.crd.yaml': text, 'gadget.crd.yaml': GADGET_CRD},
})
const claim = (text: string): LintExample => ({files: {'claim.crd.yaml': text}})
const provider = (text: string): LintExample => ({files: {'provider.crd.yaml': text}})
const ofClass = gadgetClass(GADGET_CLASS_CRD)
const ofClaim = claim(CLAIM_CRD)
const ofProvider = provider(PROVIDER_CRD)
const STATUS_SUBRESOURCE = '  subresources:\n    status: {}\n'

/** Rules for classes, claims and providers. */
export const SERVICE_RULES: readonly LintRule[] = [
  {
    id: 'class-scope',
    severity: 'warning',
    title: 'A class is namespaced',
    why: 'Claims of every namespace use the same classes, and name them without a namespace. Classes of the first generation, without writeConnectionSecretsToNamespace, are not reported.',
    advice: 'Set scope to Cluster.',
    failing: gadgetClass(GADGET_CLASS_CRD.replace('scope: Cluster', 'scope: Namespaced')),
    passing: ofClass,
  },
  {
    id: 'class-status',
    severity: 'warning',
    title: 'A class has a status',
    why: 'A class is a template: no controller works on it, so its status stays empty. Often the fields of the managed resource were copied.',
    advice: 'Remove the status and its subresource from the CRD.',
    failing: gadgetClass(GADGET_CLASS_CRD.replace('  validation:', `${STATUS_SUBRESOURCE}  validation:`)),
    passing: ofClass,
  },
  {
    id: 'class-spec',
    severity: 'warning',
    title: 'A class has a spec',
    why: 'Managed resources are created of specTemplate. What users write to spec has no effect.',
    advice: 'Move the fields to specTemplate.',
    failing: gadgetClass(
      GADGET_CLASS_CRD.replace(
        '        specTemplate:',
        '        spec:\n          type: object\n        specTemplate:',
      ),
    ),
    passing: ofClass,
  },
  {
    id: 'class-spec-template',
    severity: 'warning',
    title: 'The specTemplate of a class lacks a field',
    why: 'A managed resource takes its provider, the namespace of its connection Secret and its reclaim policy from the class. An API server drops fields that the schema does not declare.',
    advice: 'Add the fields that the message names.',
    failing: gadgetClass(without(GADGET_CLASS_CRD, 'reclaimPolicy', 12)),
    passing: ofClass,
  },
  {
    id: 'class-drift',
    severity: 'warning',
    title: 'A class and its managed resource have different fields',
    why: 'The parameters of a class become those of the managed resource. Fields that only the class has are lost, and fields that only the managed resource has cannot be set for claims.',
    advice: 'Use the same type for forProvider of both.',
    failing: gadgetClass(GADGET_CLASS_CRD.replace('storageGb', 'diskGb')),
    passing: ofClass,
  },
  {
    id: 'class-version',
    severity: 'warning',
    title: 'A class and its managed resource have different versions',
    why: 'Users write both, and expect that the fields of one version are those of the other.',
    advice: 'Serve both kinds in the same version.',
    failing: gadgetClass(GADGET_CLASS_CRD.replace('version: v1alpha1', 'version: v1beta1')),
    passing: ofClass,
  },
  {
    id: 'claim-scope',
    severity: 'warning',
    title: 'A claim is cluster-scoped',
    why: 'Applications make claims in their namespaces, where the connection Secret is written. A cluster-scoped claim has none.',
    advice: 'Set scope to Namespaced.',
    failing: claim(CLAIM_CRD.replace('scope: Namespaced', 'scope: Cluster')),
    passing: ofClaim,
  },
  {
    id: 'claim-status',
    severity: 'warning',
    title: 'A claim has no status subresource',
    why: 'Controllers write to the status subresource only. Without it, users never see that the claim is bound, or why it is not.',
    advice: 'Add subresources: {status: {}} to the CRD.',
    failing: claim(CLAIM_CRD.replace(STATUS_SUBRESOURCE, '')),
    passing: ofClaim,
  },
  {
    id: 'claim-spec',
    severity: 'warning',
    title: 'A claim lacks a field of bindings',
    why: 'An API server drops fields that the schema does not declare. Then no class can be selected, the managed resource is not recorded, or the connection Secret has no name.',
    advice: 'Add the fields that the message names, with the types that Crossplane gives them.',
    failing: claim(without(CLAIM_CRD, 'classSelector', 12)),
    passing: ofClaim,
  },
  {
    id: 'claim-owned',
    severity: 'warning',
    title: 'A provider owns a claim',
    why: 'Claims are portable: several providers serve one kind. Only one package can own its CRD, so a second provider of the claim cannot be installed beside this one.',
    advice: 'Move the CRD to a package of its own, and name its group in dependsOn.',
    failing: {files: {'claim.crd.yaml': CLAIM_CRD, 'gadget.crd.yaml': GADGET_CRD}},
    passing: ofClaim,
  },
  {
    id: 'provider-scope',
    severity: 'warning',
    title: 'A kind Provider is namespaced',
    why: 'Managed resources are cluster-scoped, and name their provider without a namespace. Kinds of the first generation, whose references to Secrets have no namespace, are not reported.',
    advice: 'Set scope to Cluster.',
    failing: provider(PROVIDER_CRD.replace('scope: Cluster', 'scope: Namespaced')),
    passing: ofProvider,
  },
  {
    id: 'provider-credentials',
    severity: 'warning',
    title: 'A credentialsSecretRef has unusual fields',
    why: 'Credentials are one key of a Secret in some namespace. Without one of the three, a controller has to guess it, and users cannot choose.',
    advice: 'Declare namespace, name and key, and nothing else.',
    failing: provider(without(PROVIDER_CRD, 'key', 16)),
    passing: ofProvider,
  },
  {
    id: 'claims-permission',
    severity: 'warning',
    title: 'A package with classes has no permissions on claims',
    why: 'A class is used by claims of other groups, whose status the controller of the package writes. It has permissions only on kinds that dependsOn names, with their status only for all kinds of a group.',
    advice: 'Add the group of the claims to dependsOn, such as "*.database.crossplane.io".',
    failing: {
      files: {'app.yaml': EXAMPLE_APP, 'class.crd.yaml': GADGET_CLASS_CRD, 'gadget.crd.yaml': GADGET_CRD},
    },
    passing: ofClass,
  },
]
