import type {LintRule} from '../lint-rule.js'
import {NAMESPACED_APP, WIDGET_CRD} from './example-files.js'

const SCHEMA = WIDGET_CRD.slice(WIDGET_CRD.indexOf('  validation:'), WIDGET_CRD.indexOf('  version:'))
/** The widget's CRD with another schema of its spec. */
const withSpec = (schema: string) =>
  WIDGET_CRD.replace('spec:\n          type: object\n', `spec:\n          ${schema}`)
const withShortName = (name: string) =>
  WIDGET_CRD.replace('    plural: widgets\n', `    plural: widgets\n    shortNames: [${name}]\n`)
const withMetadata = (field: string, entry: string) =>
  WIDGET_CRD.replace('metadata:\n', `metadata:\n  ${field}:\n    ${entry}\n`)
const passing = {files: {'crd.yaml': WIDGET_CRD}}

/** What can be wrong with the CRDs of a package. */
export const CRD_RULES: readonly LintRule[] = [
  {
    id: 'crd-kind',
    severity: 'error',
    title: 'A CRD file holds something else',
    why: 'Files whose names end in crd.yaml are installed as CRDs, and anything else there is refused by an API server.',
    advice: 'Move the object out of the file: a package brings CRDs and one Deployment, and nothing else.',
    failing: {files: {'crd.yaml': `${WIDGET_CRD}---\napiVersion: v1\nkind: ConfigMap\n`}},
    passing,
  },
  {
    id: 'crd-api-version',
    severity: 'error',
    title: 'A CRD is of no known version of the API',
    why: 'CRDs come as apiextensions.k8s.io/v1beta1, as in all packages of the time, or v1.',
    advice: 'Write one of the two, and the fields that it has.',
    failing: {files: {'crd.yaml': WIDGET_CRD.replace('k8s.io/v1beta1', 'k8s.io/v1alpha1')}},
    passing,
  },
  {
    id: 'crd-field-missing',
    severity: 'error',
    title: 'A CRD lacks a field that it cannot do without',
    why: 'Without its group, kind, plural, name or any version, nobody can serve the kind or give rights over it.',
    advice: 'Add the field that the message names.',
    failing: {files: {'crd.yaml': WIDGET_CRD.replace('    plural: widgets\n', '')}},
    passing,
  },
  {
    id: 'crd-name',
    severity: 'error',
    title: 'A CRD is not named after its plural and group',
    why: 'An API server takes no other name.',
    advice: 'Write metadata.name as the message says.',
    failing: {files: {'crd.yaml': WIDGET_CRD.replace('name: widgets', 'name: widget')}},
    passing,
  },
  {
    id: 'crd-scope',
    severity: 'error',
    title: 'The scope of a CRD is a word that nobody knows',
    why: 'An API server refuses it.',
    advice: 'Write scope: Namespaced or Cluster.',
    failing: {files: {'crd.yaml': WIDGET_CRD.replace('scope: Namespaced', 'scope: Global')}},
    passing,
  },
  {
    id: 'crd-scope-missing',
    severity: 'warning',
    title: 'A CRD does not say its scope',
    why: 'It is taken as Namespaced, as v1beta1 had it; v1 has no such default.',
    advice: 'Write scope: Namespaced.',
    failing: {files: {'crd.yaml': WIDGET_CRD.replace('scope: Namespaced', 'scope: ""')}},
    passing,
  },
  {
    id: 'crd-label',
    severity: 'error',
    title: 'A CRD has a label that Kubernetes does not take',
    why: 'Keys and values of labels are short words: at most 63 letters, digits, -, _ and ., the key with a DNS name and a slash before it at most. An API server refuses the CRD.',
    advice: 'Change the label, or make it an annotation, whose value is free.',
    failing: {files: {'crd.yaml': withMetadata('labels', 'example.org/made-by: the widget team')}},
    passing: {files: {'crd.yaml': withMetadata('labels', 'example.org/made-by: the-widget-team')}},
  },
  {
    id: 'crd-annotation',
    severity: 'error',
    title: 'A CRD has an annotation whose key Kubernetes does not take',
    why: 'A key is a short word: at most 63 letters, digits, -, _ and ., with a DNS name and a slash before it at most. An API server refuses the CRD.',
    advice: 'Change the key.',
    failing: {files: {'crd.yaml': withMetadata('annotations', 'made by: the widget team')}},
    passing: {files: {'crd.yaml': withMetadata('annotations', 'made-by: the widget team')}},
  },
  {
    id: 'crd-cluster-scoped',
    severity: 'error',
    title: 'A Namespaced package owns a cluster-scoped CRD',
    why: 'Its rights end at its namespace, so it could not work with its own kind; and a kind of the whole cluster is not for a namespace to bring.',
    advice: 'Make the CRD Namespaced, or the package permissionScope: Cluster.',
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
    why: 'Which one counts must not depend on a path.',
    advice: 'Keep one; several versions of a kind belong into one CRD.',
    failing: {files: {'v1/crd.yaml': WIDGET_CRD, 'v2/crd.yaml': WIDGET_CRD}},
    passing,
  },
  {
    id: 'crd-empty',
    severity: 'warning',
    title: 'A CRD file is empty',
    why: 'It is ignored. Usually a step of the build failed without stopping it.',
    advice: 'Remove the file, or build again what belongs into it.',
    failing: {files: {'widgets.crd.yaml': WIDGET_CRD, 'gears.crd.yaml': '---\n'}},
    passing: {files: {'widgets.crd.yaml': WIDGET_CRD}},
  },
  {
    id: 'crd-schema-missing',
    severity: 'warning',
    title: 'A CRD has no schema',
    why: 'Every object of the kind is accepted, whatever it says: mistakes are found when the controller meets them, if at all.',
    advice: 'Give every version a schema; a controller written in Go has one generated.',
    failing: {files: {'crd.yaml': WIDGET_CRD.replace(SCHEMA, '')}},
    passing,
  },
  {
    id: 'non-structural',
    severity: 'error',
    title: 'A schema has no structural form',
    why: 'Clusters since 1.22 accept CRDs of v1 only, whose schemas must say the type of every field once, outside of allOf, anyOf, oneOf and not. CRDs of v1beta1 are converted, and most of what they say can be; this cannot. Rendering is refused, unless whoever renders lets the place accept everything.',
    advice: 'Say at that place itself what is common to all alternatives, or leave the alternatives out.',
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
    title: 'An API server refuses the CRD',
    why: 'Names, versions, columns and defaults of a CRD have rules of their own, which an API server of today checks, and which are checked here as it does. A path in the message is as the server prints it. Expressions of x-kubernetes-validations (CEL) are not compiled: only a server knows whether they are well-typed and cheap enough.',
    advice:
      'Change the field at that path: https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/ describes each.',
    failing: {files: {'crd.yaml': withShortName('W')}},
    passing: {files: {'crd.yaml': withShortName('w')}},
  },
  {
    id: 'crd-status',
    severity: 'warning',
    title: 'A CRD comes with a status',
    why: 'It was read from a cluster and not written: the status is left out, and other fields of that cluster may be in it. An empty one, as generators write it, is no matter.',
    advice: 'Generate the CRD from its sources.',
    failing: {files: {'crd.yaml': `${WIDGET_CRD}status:\n  storedVersions: [v1alpha1]\n`}},
    passing: {files: {'crd.yaml': `${WIDGET_CRD}status:\n  storedVersions: []\n`}},
  },
  {
    id: 'crd-file-name',
    severity: 'warning',
    title: 'A CRD file is named after another CRD, or another version of it',
    why: 'Names of CRD files are free. But KIND.VERSION.crd.yaml and GROUP_PLURAL.crd.yaml promise something, and were often copied or left behind by a rename.',
    advice: 'Rename the file, or put the CRD into it that its name promises.',
    failing: {files: {'widget.v1beta1.crd.yaml': WIDGET_CRD}},
    passing: {files: {'widget.v1alpha1.crd.yaml': WIDGET_CRD}},
  },
]
