import type {LintExample, LintRule} from '../lint-rule.js'
import {CLASS_APP, GADGET_CLASS_CRD, GADGET_CRD, without} from './service-files.js'

const gadget = (text: string): LintExample => ({files: {'gadget.crd.yaml': text}})
const passing = gadget(GADGET_CRD)
const FIRST =
  'Kinds of the first generation, whose references to Secrets have no namespace, are not reported: they are namespaced on purpose.'

/** Rules for managed resources, which are recognized by `spec.providerRef` beside the fields of bindings. */
export const MANAGED_RULES: readonly LintRule[] = [
  {
    id: 'managed-scope',
    severity: 'warning',
    title: 'A managed resource is namespaced',
    why: `Claims are in the namespaces of applications, and bind to managed resources without a namespace. ${FIRST}`,
    advice: 'Set scope to Cluster.',
    failing: gadget(GADGET_CRD.replace('scope: Cluster', 'scope: Namespaced')),
    passing,
  },
  {
    id: 'managed-status',
    severity: 'warning',
    title: 'A managed resource has no status subresource',
    why: 'Controllers write to the status subresource only. Without it, conditions and bindingPhase are never stored, and a claim waits for the resource without end.',
    advice: 'Add subresources: {status: {}} to the CRD.',
    failing: gadget(GADGET_CRD.replace('  subresources:\n    status: {}\n', '')),
    passing,
  },
  {
    id: 'managed-spec',
    severity: 'warning',
    title: 'A managed resource lacks a field of bindings',
    why: 'An API server drops fields that the schema does not declare. Then a claim cannot be bound, its class is not recorded, or its connection Secret is not written.',
    advice: 'Add the fields that the message names, with the types that Crossplane gives them.',
    failing: gadget(without(GADGET_CRD, 'claimRef', 12)),
    passing,
  },
  {
    id: 'managed-provider-ref',
    severity: 'warning',
    title: 'A managed resource does not require providerRef',
    why: 'Without a provider, a controller has no credentials and can only report that it cannot connect. A schema can reject such objects when they are created.',
    advice: 'Add providerRef to the required fields of spec.',
    failing: gadget(GADGET_CRD.replace('[providerRef, forProvider]', '[forProvider]')),
    passing,
  },
  {
    id: 'managed-for-provider',
    severity: 'warning',
    title: 'A managed resource has no forProvider',
    why: 'Fields of the external resource are in spec.forProvider, apart from those of Crossplane. Where the class has them there, or the version is beta or stable, users expect the same here. Early versions are not reported: they are older than this convention.',
    advice: 'Move the fields of the external resource to spec.forProvider in a new version.',
    failing: {
      files: {
        'gadget.crd.yaml': without(GADGET_CRD, 'forProvider', 12)
          .replace(', forProvider]', ']')
          .replace('version: v1alpha1', 'version: v1beta1'),
      },
    },
    passing: gadget(GADGET_CRD.replace('version: v1alpha1', 'version: v1beta1')),
  },
  {
    id: 'managed-reclaim-policy',
    severity: 'warning',
    title: 'A reclaimPolicy accepts other values than Retain and Delete',
    why: 'Controllers compare the policy with Delete. Any other text, such as delete, keeps the external resource after its object is deleted. The package is reported once.',
    advice: 'Add enum: [Retain, Delete] to the schema of reclaimPolicy.',
    failing: gadget(without(GADGET_CRD, 'enum', 14)),
    passing,
  },
  {
    id: 'managed-field-case',
    severity: 'warning',
    title: 'A field of forProvider is not in lowerCamelCase',
    why: 'Fields of Kubernetes objects are written in lowerCamelCase, also where the API of the provider has other names. Users guess the names accordingly.',
    advice: 'Rename the field in a new version.',
    failing: gadget(GADGET_CRD.replace('storageGb', 'storage_gb')),
    passing,
  },
  {
    id: 'managed-undocumented',
    severity: 'warning',
    title: 'Fields of forProvider have no description',
    why: 'kubectl explain and catalogs show descriptions. Without them, users need the documentation of the API of the provider.',
    advice: 'Describe each field: what it sets, its unit, and its default.',
    failing: gadget(without(GADGET_CRD, 'description', 18)),
    passing,
  },
  {
    id: 'class-managed',
    severity: 'warning',
    title: 'A class has no managed resource',
    why: 'A class is a template for managed resources: for those of its name without Class, or for kinds of its group that have all of its fields. This package has neither, so no claim can use the class.',
    advice: 'Add the CRD of the managed resource, or remove the class.',
    failing: {files: {'app.yaml': CLASS_APP, 'class.crd.yaml': GADGET_CLASS_CRD}},
    passing: {
      files: {'app.yaml': CLASS_APP, 'class.crd.yaml': GADGET_CLASS_CRD, 'gadget.crd.yaml': GADGET_CRD},
    },
  },
]
