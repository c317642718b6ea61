import type {LintRule} from '../lint-rule.js'
import {NAMESPACED_APP, WIDGET_CRD} from './example-files.js'

const SCHEMA = WIDGET_CRD.slice(WIDGET_CRD.indexOf('  validation:'), WIDGET_CRD.indexOf('  version:'))
/** The widget's CRD with another schema for its spec. */
const withSpec = (schema: string) =>
  WIDGET_CRD.replace('spec:\n          type: object\n', `spec:\n          ${schema}`)
const withShortName = (name: string) =>
  WIDGET_CRD.replace('    plural: widgets\n', `    plural: widgets\n    shortNames: [${name}]\n`)
const withMetadata = (field: string, entry: string) =>
  WIDGET_CRD.replace('metadata:\n', `metadata:\n  ${field}:\n    ${entry}\n`)
const passing = {files: {'crd.yaml': WIDGET_CRD}}

/** Rules for the CRDs of a package. */
export const CRD_RULES: readonly LintRule[] = [
  {
    id: 'crd-kind',
    severity: 'error',
    title: 'A CRD file contains another object',
    why: 'Files whose names end in crd.yaml are installed as CRDs, and an API server rejects other objects there.',
    advice:
      'Move the object out of the file: a package contains CRDs and one Deployment, and no other objects.',
    failing: {files: {'crd.yaml': `${WIDGET_CRD}---\napiVersion: v1\nkind: ConfigMap\n`}},
    passing,
  },
  {
    id: 'crd-api-version',
    severity: 'error',
    title: 'A CRD has an unknown apiVersion',
    why: 'CRDs have the apiVersion apiextensions.k8s.io/v1beta1, as in most packages, or apiextensions.k8s.io/v1.',
    advice: 'Use one of the two, with the fields that it defines.',
    failing: {files: {'crd.yaml': WIDGET_CRD.replace('k8s.io/v1beta1', 'k8s.io/v1alpha1')}},
    passing,
  },
  {
    id: 'crd-field-missing',
    severity: 'error',
    title: 'A CRD lacks a required field',
    why: 'Without group, kind, plural, name and a version, an API server cannot serve the kind and no permissions can be granted on it.',
    advice: 'Add the field that the message names.',
    failing: {files: {'crd.yaml': WIDGET_CRD.replace('    plural: widgets\n', '')}},
    passing,
  },
  {
    id: 'crd-name',
    severity: 'error',
    title: 'The name of a CRD is not PLURAL.GROUP',
    why: 'An API server accepts no other name.',
    advice: 'Set metadata.name to the name in the message.',
    failing: {files: {'crd.yaml': WIDGET_CRD.replace('name: widgets', 'name: widget')}},
    passing,
  },
  {
    id: 'crd-scope',
    severity: 'error',
    title: 'The scope of a CRD has an unknown value',
    why: 'An API server rejects the CRD.',
    advice: 'Set scope to Namespaced or Cluster.',
    failing: {files: {'crd.yaml': WIDGET_CRD.replace('scope: Namespaced', 'scope: Global')}},
    passing,
  },
  {
    id: 'crd-scope-missing',
    severity: 'warning',
    title: 'A CRD has no scope',
    why: 'The CRD is read as Namespaced, the default of v1beta1. There is no default in v1.',
    advice: 'Set scope to Namespaced.',
    failing: {files: {'crd.yaml': WIDGET_CRD.replace('scope: Namespaced', 'scope: ""')}},
    passing,
  },
  {
    id: 'crd-label',
    severity: 'error',
    title: 'A CRD has an invalid label',
    why: 'Values of labels, and keys after an optional DNS prefix and slash, have at most 63 letters, digits, -, _ and . characters. An API server rejects the CRD.',
    advice: 'Change the label, or use an annotation, whose value can be any text.',
    failing: {files: {'crd.yaml': withMetadata('labels', 'example.org/made-by: the widget team')}},
    passing: {files: {'crd.yaml': withMetadata('labels', 'example.org/made-by: the-widget-team')}},
  },
  {
    id: 'crd-annotation',
    severity: 'error',
    title: 'A CRD has an invalid annotation key',
    why: 'A key has at most 63 letters, digits, -, _ and . characters after an optional DNS prefix and slash. An API server rejects the CRD.',
    advice: 'Change the key.',
    failing: {files: {'crd.yaml': withMetadata('annotations', 'made by: the widget team')}},
    passing: {files: {'crd.yaml': withMetadata('annotations', 'made-by: the widget team')}},
  },
  {
    id: 'crd-cluster-scoped',
    severity: 'error',
    title: 'A Namespaced package owns a cluster-scoped CRD',
    why: 'The permissions of the package end at its namespace, so its controller could not use the kind; and a kind for the whole cluster cannot be owned by an install in one namespace.',
    advice: 'Set the scope of the CRD to Namespaced, or the permissionScope of the package to Cluster.',
    failing: {
      files: {
        'app.yaml': NAMESPACED_APP,
        'crd.yaml': WIDGET_CRD.replace('scope: Namespaced', 'scope: Cluster'),
      },
    },
    passing: {files: {'app.yaml': NAMESPACED_APP, 'crd.yaml': WIDGET_CRD}},
  },
  {
    id: 'crd-duplicate',
    severity: 'error',
    title: 'A CRD is defined twice',
    why: 'Which definition wins must not depend on its path.',
    advice: 'Keep one definition. Several versions of a kind belong in one CRD.',
    failing: {files: {'v1/crd.yaml': WIDGET_CRD, 'v2/crd.yaml': WIDGET_CRD}},
    passing,
  },
  {
    id: 'crd-empty',
    severity: 'warning',
    title: 'A CRD file is empty',
    why: 'The file is ignored. Often a step of the build failed without stopping it.',
    advice: 'Remove the file, or generate its contents again.',
    failing: {files: {'widgets.crd.yaml': WIDGET_CRD, 'gears.crd.yaml': '---\n'}},
    passing: {files: {'widgets.crd.yaml': WIDGET_CRD}},
  },
  {
    id: 'crd-schema-missing',
    severity: 'warning',
    title: 'A CRD has no schema',
    why: 'An API server accepts any object of the kind, so mistakes are only found by the controller, if at all.',
    advice: 'Add a schema to every version. For controllers written in Go, controller-gen generates it.',
    failing: {files: {'crd.yaml': WIDGET_CRD.replace(SCHEMA, '')}},
    passing,
  },
  {
    id: 'non-structural',
    severity: 'error',
    title: 'A schema has no structural form',
    why: 'Kubernetes 1.22 and later accept only v1 CRDs, whose schemas must be structural: every field has one type, outside of allOf, anyOf, oneOf and not. v1beta1 CRDs are converted, but this schema cannot be. Rendering fails unless the user passes --non-structural preserve, which accepts any value in that place.',
    advice:
      'Move the common part of the alternatives to the place that the message names, or remove the alternatives.',
    failing: {
      files: {'crd.yaml': withSpec('anyOf:\n          - type: string\n          - type: boolean\n')},
    },
    passing: {
      files: {
        'crd.yaml': withSpec(
          'type: string\n          anyOf:\n          - maxLength: 3\n          - pattern: "^a"\n',
        ),
      },
    },
  },
  {
    id: 'crd-refused',
    severity: 'error',
    title: 'An API server rejects the CRD',
    why: 'The names, versions, printer columns and defaults of a CRD must follow rules of the API server, which lint applies as a current API server does. Paths in messages are those that the server prints. Expressions in x-kubernetes-validations (CEL) are compiled; of their cost, only that of patterns is estimated.',
    advice:
      'Change the field at that path; https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/ describes each field.',
    failing: {files: {'crd.yaml': withShortName('W')}},
    passing: {files: {'crd.yaml': withShortName('w')}},
  },
  {
    id: 'crd-status',
    severity: 'warning',
    title: 'A CRD has a status',
    why: 'The CRD was copied from a cluster instead of generated. The status is ignored, but other fields of that cluster can remain. An empty status, as generators write it, is not reported.',
    advice: 'Generate the CRD from its sources.',
    failing: {files: {'crd.yaml': `${WIDGET_CRD}status:\n  storedVersions: [v1alpha1]\n`}},
    passing: {files: {'crd.yaml': `${WIDGET_CRD}status:\n  storedVersions: []\n`}},
  },
  {
    id: 'crd-file-name',
    severity: 'warning',
    title: 'The name of a CRD file does not match the CRD',
    why: 'CRD files can have any name that ends in crd.yaml. But names like KIND.VERSION.crd.yaml and GROUP_PLURAL.crd.yaml identify a CRD, and a mismatch is often left after copying or renaming.',
    advice: 'Rename the file, or replace its contents with the CRD that the name identifies.',
    failing: {files: {'widget.v1beta1.crd.yaml': WIDGET_CRD}},
    passing: {files: {'widget.v1alpha1.crd.yaml': WIDGET_CRD}},
  },
]
