import type {LintRule} from '../lint-rule.js'
import {COMPOSITION, CRD, metadata, WEBHOOKS, WITH_FUNCTION, xpkg, XRD} from './xpkg-examples.js'

const COMPLETE = xpkg(WITH_FUNCTION, XRD, COMPOSITION)

const LONG_NAME = 'databases-with-replicas-in-several-regions-for-the-teams-of-the-platform'
const LONG_GROUP = 'networking.platform.engineering.departments.europe.example.org'

function patching(field: string): string {
  return `${COMPOSITION}    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      resources:
      - name: settings
        base:
          apiVersion: v1
          kind: ConfigMap
        patches:
        - fromFieldPath: metadata.name
          ${field}: data.owner
`
}

/** Rules for the objects in packages for a current Crossplane. */
export const XPKG_OBJECT_RULES: readonly LintRule[] = [
  {
    id: 'xpkg-object-kind',
    severity: 'error',
    title: 'An object does not belong into this kind of package',
    why: 'Providers contain CRDs, ManagedResourceDefinitions and webhook configurations; Configurations contain XRDs, Compositions, activation policies and operations. Crossplane up to 2.2 rejects the package otherwise, and later versions skip the object without a message.',
    advice: 'Move the object into a package of the other kind.',
    failing: xpkg(metadata('Provider'), XRD),
    passing: xpkg(metadata('Configuration'), XRD),
  },
  {
    id: 'xpkg-function-object',
    severity: 'warning',
    title: 'A Function contains an object',
    why: 'Crossplane 2.3 and later install no objects of a Function, and no longer update those that an earlier version installed. The CRDs of inputs are for documentation and tools only.',
    advice: 'Do not rely on the object; install it by a Configuration if it is needed.',
    failing: xpkg(metadata('Function'), CRD),
    passing: xpkg(metadata('Function')),
  },
  {
    id: 'xpkg-duplicate-object',
    severity: 'error',
    title: 'Two objects of a package have the same kind and name',
    why: 'Building the package succeeds, but Crossplane cannot create the second object, and the package stays unhealthy.',
    advice: 'Remove one of them, or rename it.',
    failing: xpkg(metadata('Provider'), CRD, CRD),
    passing: xpkg(metadata('Provider'), CRD),
  },
  {
    id: 'xpkg-object-name',
    severity: 'error',
    title: 'The name of an object is missing or invalid',
    why: 'No API server accepts the object, so that the package stays unhealthy.',
    advice: 'Use lowercase letters, digits, - and . in metadata.name.',
    failing: xpkg(WITH_FUNCTION, XRD, COMPOSITION.replace('name: databases', 'name: Databases')),
    passing: COMPLETE,
  },
  {
    id: 'xpkg-object-namespace',
    severity: 'warning',
    title: 'An object of a package has a namespace',
    why: 'All objects of packages are cluster-scoped. The namespace is ignored.',
    advice: 'Remove metadata.namespace.',
    failing: xpkg(metadata('Configuration'), XRD.replace('metadata:\n', 'metadata:\n  namespace: default\n')),
    passing: xpkg(metadata('Configuration'), XRD),
  },
  {
    id: 'xpkg-composition-fails',
    severity: 'error',
    title: 'A part of a Composition fails',
    why: 'function-patch-and-transform, Crossplane or the API server rejects it for each composite resource: an unknown setting, a patch set that does not exist, a target that the schema does not have, a type that a transform or a field cannot take, a version of a kind that is not served. What only has no effect is xpkg-composition-dropped. Known are the kinds of the package, and of what it depends on if a lock in its folder or a parent, or --packages, has it. Without an input, nothing is judged.',
    advice: 'Correct the part. With the packages that it depends on, package validate finds more.',
    failing: xpkg(WITH_FUNCTION, XRD, patching('toFieldpath')),
    passing: xpkg(WITH_FUNCTION, XRD, patching('toFieldPath')),
  },
  {
    id: 'xpkg-composition-dropped',
    severity: 'warning',
    title: 'A part of a Composition has no effect',
    why: 'Crossplane drops it without an error, and composes the resource without it: what a patch writes to a composite resource outside of its status, and labels, annotations or a name that are not text. One label that is not text removes all labels.',
    advice: 'Write to the status of the composite resource, or convert the value to text.',
    failing: xpkg(
      WITH_FUNCTION,
      XRD,
      patching('toFieldPath')
        .replace('- fromFieldPath', '- type: ToCompositeFieldPath\n          fromFieldPath')
        .replace('data.owner', 'metadata.annotations.settings'),
    ),
    passing: xpkg(WITH_FUNCTION, XRD, patching('toFieldPath')),
  },
  {
    id: 'xpkg-crd-version',
    severity: 'error',
    title: 'A CRD is of v1beta1',
    why: 'Crossplane accepts the package, but Kubernetes 1.22 and later do not have this version of CRDs.',
    advice: 'Convert the CRD to apiextensions.k8s.io/v1.',
    failing: xpkg(
      metadata('Provider'),
      `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.org
spec:
  group: example.org
  version: v1
  names:
    kind: Widget
    plural: widgets
  scope: Namespaced
`,
    ),
    passing: xpkg(metadata('Provider'), CRD),
  },
  {
    id: 'xpkg-crd-schema',
    severity: 'error',
    title: 'A version of a CRD has no schema',
    why: 'No API server accepts the CRD. Crossplane makes a ManagedResourceDefinition of it and reports the package as healthy, but the kind never appears.',
    advice: 'Add schema.openAPIV3Schema to the version.',
    failing: xpkg(metadata('Provider'), CRD.replace(/ {4}schema:\n.*\n.*\n/, '')),
    passing: xpkg(metadata('Provider'), CRD),
  },
  {
    id: 'xpkg-webhook',
    severity: 'error',
    title: 'A webhook configuration cannot be installed',
    why: 'Crossplane sets the service of each webhook, which a URL excludes, and gives all webhook configurations of a kind in one package the same name.',
    advice: 'Use a service instead of a URL, and one webhook configuration of each kind.',
    failing: xpkg(
      metadata('Provider'),
      CRD,
      WEBHOOKS.replace(/ {4}service:\n(.*\n){3}/, '    url: https://example.org/validate\n'),
    ),
    passing: xpkg(metadata('Provider'), CRD, WEBHOOKS),
  },
  {
    id: 'xpkg-xrd-name',
    severity: 'error',
    title: 'The name of an XRD is not that of the CRD it defines',
    why: 'Crossplane installs the XRD under any name and reports the package as healthy, but gives the CRD the same name. An API server accepts only PLURAL.GROUP for it, so that the kind never appears.',
    advice: 'Use PLURAL.GROUP as the name.',
    failing: xpkg(metadata('Configuration'), XRD.replace('name: databases.example.org', 'name: databases')),
    passing: xpkg(metadata('Configuration'), XRD),
  },
  {
    id: 'xpkg-crd-refused',
    severity: 'error',
    title: 'An API server rejects the CRD of an XRD or ManagedResourceDefinition',
    why: 'Crossplane derives a CRD from each XRD, a second one for its claims, and one from each active ManagedResourceDefinition. It reports the package as healthy, but the kind never appears if an API server rejects the CRD. Schemas, names and expressions in CEL are checked as for a CRD of its own; the paths in messages are those of the derived CRD.',
    advice: 'Change the field at that path.',
    failing: xpkg(
      metadata('Configuration'),
      XRD.replace(
        'type: object\n',
        'type: object\n        properties:\n          spec:\n            type: object\n            properties:\n              sizes:\n                type: array\n',
      ),
    ),
    passing: xpkg(
      metadata('Configuration'),
      XRD.replace(
        'type: object\n',
        'type: object\n        properties:\n          spec:\n            type: object\n            properties:\n              sizes:\n                type: array\n                items:\n                  type: string\n',
      ),
    ),
  },
  {
    id: 'xpkg-object-refused',
    severity: 'error',
    title: 'An API server rejects an object',
    why: 'An API server with the CRDs of Crossplane 2.3 rejects the object for its schema or its rules in CEL, so that the package stays unhealthy, or for a label or annotation that no object can have.',
    advice: 'Change the field at that path.',
    failing: xpkg(WITH_FUNCTION, XRD, `${COMPOSITION}${COMPOSITION.slice(COMPOSITION.indexOf('  - step:'))}`),
    passing: COMPLETE,
  },
  {
    id: 'xpkg-composition',
    severity: 'error',
    title: 'A Composition has no pipeline',
    why: 'Crossplane 2 has no other mode than Pipeline: the API server rejects a Composition with resources, and the package stays unhealthy.',
    advice: 'Convert it: crossplane beta convert pipeline-composition.',
    failing: xpkg(WITH_FUNCTION, XRD, COMPOSITION.replace(/ {2}pipeline:\n(.*\n)*/, '')),
    passing: COMPLETE,
  },
  {
    id: 'xpkg-composition-type',
    severity: 'warning',
    title: 'No XRD defines the kind of a Composition',
    why: 'Crossplane installs the Composition, but nothing uses it. The rule does not apply to packages that depend on other Configurations, which could define the kind.',
    advice: 'Add the XRD, correct compositeTypeRef, or depend on the Configuration with the XRD.',
    failing: xpkg(WITH_FUNCTION, COMPOSITION),
    passing: COMPLETE,
  },
  {
    id: 'xpkg-composition-version',
    severity: 'warning',
    title: 'A Composition is for a version that is not referenceable',
    why: 'Crossplane uses a Composition only for the version of the XRD that is referenceable: it is installed, but no composite resource uses it.',
    advice: 'Use the referenceable version in compositeTypeRef.',
    failing: xpkg(WITH_FUNCTION, XRD, COMPOSITION.replace('example.org/v1', 'example.org/v1beta1')),
    passing: COMPLETE,
  },
  {
    id: 'xpkg-composition-name',
    severity: 'error',
    title: 'The name of a Composition is longer than a label',
    why: 'Crossplane labels the revisions of a Composition with its name. An API server accepts labels of 63 characters, so that no revision can be created and the Composition is never used.',
    advice: 'Use a name with at most 63 characters.',
    failing: xpkg(WITH_FUNCTION, XRD, COMPOSITION.replace('name: databases', `name: ${LONG_NAME}`)),
    passing: COMPLETE,
  },
  {
    id: 'xpkg-xrd-roles',
    severity: 'error',
    title: 'The name of an XRD is longer than a label',
    why: 'Crossplane up to 1.20 labels the roles of an XRD with its name. An API server accepts labels of 63 characters, so that the roles cannot be created and Crossplane may not work with the kind. The rule does not apply to packages that require Crossplane 2.',
    advice: 'Use a shorter group or plural, or require Crossplane 2: spec.crossplane.version ">=v2.0.0".',
    failing: xpkg(metadata('Configuration'), XRD.replaceAll('example.org', LONG_GROUP)),
    passing: xpkg(
      metadata('Configuration', '  crossplane:\n    version: ">=v2.0.0"'),
      XRD.replaceAll('example.org', LONG_GROUP),
    ),
  },
  {
    id: 'xpkg-composition-function',
    severity: 'warning',
    title: 'No dependency brings the function of a pipeline',
    why: 'Crossplane names the functions that it installs for dependencies after their repositories. A pipeline with any other name fails for each composite resource unless a user installs a Function under that name. The rule does not apply to packages that depend on other Configurations.',
    advice: 'Add the function to dependsOn, and use the name of its repository with - in place of /.',
    failing: xpkg(metadata('Configuration'), XRD, COMPOSITION),
    passing: COMPLETE,
  },
]
