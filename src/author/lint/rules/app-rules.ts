import {EXAMPLE_APP, type LintRule} from '../lint-rule.js'
import {WIDGET_CRD} from './example-files.js'

const CLUSTER_SCOPED = WIDGET_CRD.replace('scope: Namespaced', 'scope: Cluster')

/** Rules for the fields of app.yaml. */
export const APP_RULES: readonly LintRule[] = [
  {
    id: 'app-missing',
    severity: 'error',
    title: 'app.yaml is missing',
    why: 'app.yaml makes a folder a package. It states the title, the permission scope and the dependencies.',
    advice: 'Add .registry/app.yaml with at least a title and a permissionScope.',
    failing: {files: {'app.yaml': null}},
    passing: {files: {'app.yaml': EXAMPLE_APP}},
  },
  {
    id: 'app-duplicate',
    severity: 'error',
    title: 'The package has more than one app.yaml',
    why: 'Files are recognized by name at any depth, so each of them would apply. Which one wins must not depend on its path.',
    advice: 'Keep one app.yaml and remove the others.',
    failing: {files: {'app.yaml': EXAMPLE_APP, 'resources/app.yaml': EXAMPLE_APP}},
    passing: {files: {'app.yaml': EXAMPLE_APP}},
  },
  {
    id: 'app-empty',
    severity: 'error',
    title: 'app.yaml is empty',
    why: 'A file that contains only comments does not describe a package.',
    advice: 'Add at least a title and a permissionScope.',
    failing: {files: {'app.yaml': '# title: Example\n'}},
    passing: {files: {'app.yaml': EXAMPLE_APP}},
  },
  {
    id: 'app-documents',
    severity: 'error',
    title: 'app.yaml contains more than one document',
    why: 'Only the first document is used; the others are ignored.',
    advice: 'Merge the documents into one, and remove the --- separators.',
    failing: {files: {'app.yaml': `${EXAMPLE_APP}---\nversion: v0.1.0\n`}},
    passing: {files: {'app.yaml': `${EXAMPLE_APP}version: v0.1.0\n`}},
  },
  {
    id: 'title-missing',
    severity: 'warning',
    title: 'The package has no title',
    why: 'Every CRD of the package carries the title in an annotation, by which user interfaces group kinds. The annotation would be empty.',
    advice: 'Add a title to app.yaml.',
    failing: {files: {'app.yaml': 'permissionScope: Cluster\n'}},
    passing: {files: {'app.yaml': EXAMPLE_APP}},
  },
  {
    id: 'version',
    severity: 'error',
    title: 'The version cannot be part of an object name',
    why: "The version is part of the names of the package's roles, which cannot contain spaces, slashes or percent signs and have a maximum length.",
    advice:
      'Use the version of the image tag, such as v0.1.0, or remove the field: then the tag is the version.',
    failing: {files: {'app.yaml': `${EXAMPLE_APP}version: release/0.1\n`}},
    passing: {files: {'app.yaml': `${EXAMPLE_APP}version: release-0.1\n`}},
  },
  {
    id: 'version-tag',
    severity: 'warning',
    title: 'The version in app.yaml differs from the tag of the package',
    why: 'Users who request one version find another one in the record and in the names of roles. If app.yaml has a version, it must match the tag.',
    advice:
      'Remove the version from app.yaml, so that the tag is the version, or push the package with a matching tag.',
    failing: {files: {'app.yaml': `${EXAMPLE_APP}version: v0.1.0\n`}, reference: 'example/widgets:v0.2.0'},
    passing: {files: {'app.yaml': `${EXAMPLE_APP}version: v0.2.0\n`}, reference: 'example/widgets:v0.2.0'},
  },
  {
    id: 'package-type',
    severity: 'warning',
    title: 'packageType has an unknown value',
    why: 'The value is kept, but tools that list providers or applications do not find the package.',
    advice: 'Set packageType to Provider, Stack, Application or Addon.',
    failing: {files: {'app.yaml': `${EXAMPLE_APP}packageType: Controller\n`}},
    passing: {files: {'app.yaml': `${EXAMPLE_APP}packageType: Provider\n`}},
  },
  {
    id: 'permission-scope-missing',
    severity: 'warning',
    title: 'permissionScope is missing',
    why: 'The package is read as Namespaced, which is the safer choice. Crossplane v0.12 rejected such a package.',
    advice: 'Set permissionScope to Namespaced, or to Cluster if the controller works in all namespaces.',
    failing: {files: {'app.yaml': 'title: Example\n'}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Namespaced\n'}},
  },
  {
    id: 'permission-scope',
    severity: 'error',
    title: 'permissionScope has an unknown value',
    why: 'Whether the permissions of a package end at its namespace must not be guessed.',
    advice: 'Set permissionScope to Cluster or Namespaced.',
    failing: {files: {'app.yaml': 'title: Example\npermissionScope: cluster\n', 'crd.yaml': CLUSTER_SCOPED}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\n', 'crd.yaml': CLUSTER_SCOPED}},
  },
]
