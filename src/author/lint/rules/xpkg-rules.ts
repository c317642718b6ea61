import type {LintRule} from '../lint-rule.js'
import {CRD, depending, exampleOf, metadata, xpkg} from './xpkg-examples.js'

const PROVIDER = 'provider: xpkg.crossplane.io/crossplane-contrib/provider-helm'
const EXACT = depending(PROVIDER, 'version: v1.4.0')

/** A Configuration that is limited to some versions of Crossplane. */
function requiring(version: string) {
  return xpkg(metadata('Configuration', `  crossplane:\n    version: "${version}"`))
}

/** Rules for the metadata of packages for a current Crossplane, and for their dependencies. */
export const XPKG_RULES: readonly LintRule[] = [
  {
    id: 'xpkg-metadata',
    severity: 'error',
    title: 'A package does not have exactly one metadata object',
    why: 'The Provider, Configuration or Function of meta.pkg.crossplane.io is the metadata of the package. Crossplane rejects a package without one, and one with several.',
    advice: 'Keep exactly one metadata object.',
    failing: xpkg(metadata('Provider'), metadata('Provider')),
    passing: xpkg(metadata('Provider')),
  },
  {
    id: 'xpkg-kind',
    severity: 'error',
    title: 'A document is not of a kind that packages can contain',
    why: 'Crossplane rejects a package as a whole if it has a document of any other kind, such as a ConfigMap, a role, an EnvironmentConfig or a List, or of an unknown API version. The case of letters matters.',
    advice: 'Remove the document from the package, or correct its apiVersion and kind.',
    failing: xpkg(
      metadata('Configuration'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n',
    ),
    passing: xpkg(metadata('Configuration')),
  },
  {
    id: 'xpkg-base-layers',
    severity: 'error',
    title: 'Several layers of an image are marked as the package',
    why: 'Crossplane up to 2.2 rejects an image with two layers that have the annotation `io.crossplane.xpkg: base`. Later versions read only the first.',
    advice: 'Build the image again, with one such layer.',
    failing: {...xpkg(metadata('Configuration')), baseLayers: 2},
    passing: {...xpkg(metadata('Configuration')), baseLayers: 1},
  },
  {
    id: 'xpkg-example',
    severity: 'error',
    title: 'A document in examples/ is not an object',
    why: 'The examples of a package are built into its image. Building fails for a document that is not valid YAML, or has no apiVersion and kind.',
    advice: 'Correct the document, or leave the file out with --ignore when you build and lint the package.',
    failing: {xpkg: {'crossplane.yaml': metadata('Configuration'), 'examples/values.yaml': 'size: 3\n'}},
    passing: {
      xpkg: {
        'crossplane.yaml': metadata('Configuration'),
        'examples/database.yaml': 'apiVersion: example.org/v1\nkind: Database\nmetadata:\n  name: example\n',
      },
    },
  },
  {
    id: 'xpkg-example-invalid',
    severity: 'warning',
    title: 'An example of a Configuration is invalid',
    why: 'Users copy examples, and an API server rejects this one, or drops a field of it. Known are the kinds of the package, and of what it depends on if a lock in its folder or a parent, or --packages, has it.',
    advice: 'Correct the example.',
    failing: exampleOf('colour: blue'),
    passing: exampleOf('color: blue'),
  },
  {
    id: 'xpkg-separator',
    severity: 'warning',
    title: 'A separator of documents has further text on its line',
    why: 'Crossplane separates documents at lines of `---` alone. After any other separator, the rest of the document is ignored without a message.',
    advice: 'Write `---` on a line of its own.',
    failing: {xpkg: {'package.yaml': `${metadata('Provider')}--- # kinds\n${CRD}`}},
    passing: {xpkg: {'package.yaml': `${metadata('Provider')}---\n# kinds\n${CRD}`}},
  },
  {
    id: 'xpkg-removed-field',
    severity: 'warning',
    title: 'The metadata has a field of an earlier Crossplane',
    why: 'Crossplane ignores the image and the permissions that metadata named before. It runs the image of the package itself, which may contain no program.',
    advice: 'Remove the field, and build the package with the program in its image.',
    failing: xpkg(metadata('Provider', '  controller:\n    image: example/controller:v1')),
    passing: xpkg(metadata('Provider')),
  },
  {
    id: 'xpkg-capability',
    severity: 'warning',
    title: 'A capability has no effect',
    why: 'Crossplane knows the capabilities `safe-start` of Providers, and `composition` and `operation` of Functions. Others are accepted and ignored, so that an error in the name remains unnoticed.',
    advice: 'Correct the name, or remove the capability.',
    failing: xpkg(metadata('Provider', '  capabilities: [safestarts]')),
    passing: xpkg(metadata('Provider', '  capabilities: [safe-start]')),
  },
  {
    id: 'xpkg-core-constraint',
    severity: 'error',
    title: 'The constraint on the version of Crossplane cannot be read',
    why: 'Crossplane rejects the package. Up to 2.2, conditions are separated by a comma; a space between them is an error.',
    advice: 'Use a constraint that all versions of Crossplane read, such as ">=v1.20.0, <v3.0.0".',
    failing: requiring('>=v1.20.0 <v3.0.0'),
    passing: requiring('>=v1.20.0, <v3.0.0'),
  },
  {
    id: 'xpkg-constraint',
    severity: 'error',
    title: 'The constraint of a dependency cannot be read',
    why: 'Building the package succeeds, but Crossplane cannot install it: a constraint such as `latest`, an empty or missing one, and one with a space between conditions (up to Crossplane 2.2) are satisfied by no version.',
    advice: 'Use a version, a range such as ">=v1.0.0, <v2.0.0", or a digest.',
    failing: depending(PROVIDER, 'version: latest'),
    passing: EXACT,
  },
  {
    id: 'xpkg-constraint-meaning',
    severity: 'warning',
    title: 'A constraint means something else for another version of Crossplane',
    why: 'Crossplane 2.3 reads constraints by other rules than earlier versions. For example, `<2` accepts v2.5.0 up to 2.2, `v1.2` is only v1.2.0 up to 2.2 but any v1.2 later, and `^0.1.0` accepts v0.9.0 up to 2.2. An upgrade of Crossplane can therefore make a package unhealthy.',
    advice: 'Write complete versions, such as "<v2.0.0" or ">=v0.1.0, <v0.2.0".',
    failing: depending(PROVIDER, 'version: "<2"'),
    passing: depending(PROVIDER, 'version: "<v2.0.0"'),
  },
  {
    id: 'xpkg-dependency',
    severity: 'error',
    title: 'An entry of dependsOn names no package',
    why: 'An entry has either provider, configuration or function, or all of apiVersion, kind and package. Building the package succeeds otherwise, but Crossplane cannot install it.',
    advice: 'Name the package by one of the two forms.',
    failing: depending('package: xpkg.crossplane.io/crossplane-contrib/provider-helm', 'version: v1.4.0'),
    passing: depending(
      'apiVersion: pkg.crossplane.io/v1',
      'kind: Provider',
      'package: xpkg.crossplane.io/crossplane-contrib/provider-helm',
      'version: v1.4.0',
    ),
  },
  {
    id: 'xpkg-dependency-names',
    severity: 'error',
    title: 'An entry of dependsOn names several packages',
    why: 'Each entry is one dependency. Crossplane reads apiVersion, kind and package if all are there, and otherwise the first of configuration, provider and function. It ignores the others without a message.',
    advice: 'Write an entry for each package.',
    failing: depending(
      PROVIDER,
      'function: xpkg.crossplane.io/crossplane-contrib/function-auto-ready',
      'version: v1.4.0',
    ),
    passing: EXACT,
  },
  {
    id: 'xpkg-dependency-name',
    severity: 'error',
    title: 'A dependency is not a repository with its registry',
    why: 'There is no default registry any more, and a tag or digest belongs into version. Crossplane cannot create a request for any other name, and no registry has capitals or blanks in the path of a repository.',
    advice: 'Write the host of the registry and the path in lowercase, without a tag.',
    failing: depending('provider: crossplane-contrib/provider-helm', 'version: v1.4.0'),
    passing: EXACT,
  },
  {
    id: 'xpkg-dependency-kind',
    severity: 'error',
    title: 'A dependency is not of a kind of packages',
    why: 'Crossplane creates an object of this kind for the dependency. Only Provider, Configuration and Function of pkg.crossplane.io/v1 install packages.',
    advice: 'Use one of these kinds.',
    failing: depending(
      'apiVersion: v1',
      'kind: ConfigMap',
      'package: xpkg.crossplane.io/crossplane-contrib/provider-helm',
      'version: v1.4.0',
    ),
    passing: EXACT,
  },
  {
    id: 'xpkg-dependency-twice',
    severity: 'warning',
    title: 'A package is a dependency twice',
    why: 'One version of a package is installed, so that both constraints have to hold. Crossplane selects the version by the first one only.',
    advice: 'Keep one entry, with both conditions.',
    failing: depending(PROVIDER, 'version: v1.4.0\n  - ' + PROVIDER, 'version: ">=v1.0.0"'),
    passing: EXACT,
  },
]
