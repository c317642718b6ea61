import type {LintRule} from '../lint-rule.js'
import {COMPOSITION, CRD, metadata, WEBHOOKS, WITH_FUNCTION, xpkg, XRD} from './xpkg-examples.js'

const COMPLETE = xpkg(WITH_FUNCTION, XRD, COMPOSITION)

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
    severity: 'warning',
    title: 'The name of an XRD is not that of the CRD it defines',
    why: 'Crossplane installs the XRD under any name, but the CRD is named by plural and group, so that users do not find one by the other.',
    advice: 'Use PLURAL.GROUP as the name.',
    failing: xpkg(metadata('Configuration'), XRD.replace('name: databases.example.org', 'name: databases')),
    passing: xpkg(metadata('Configuration'), XRD),
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
    id: 'xpkg-composition-function',
    severity: 'warning',
    title: 'No dependency brings the function of a pipeline',
    why: 'Crossplane names the functions that it installs for dependencies after their repositories. A pipeline with any other name fails for each composite resource unless a user installs a Function under that name. The rule does not apply to packages that depend on other Configurations.',
    advice: 'Add the function to dependsOn, and use the name of its repository with - in place of /.',
    failing: xpkg(metadata('Configuration'), XRD, COMPOSITION),
    passing: COMPLETE,
  },
]
