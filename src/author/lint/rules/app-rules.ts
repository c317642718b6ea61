import {EXAMPLE_APP, type LintRule} from '../lint-rule.js'
import {WIDGET_CRD} from './example-files.js'

const CLUSTER_SCOPED = WIDGET_CRD.replace('scope: Namespaced', 'scope: Cluster')

/** What can be wrong with what app.yaml says of the package as a whole. */
export const APP_RULES: readonly LintRule[] = [
  {
    id: 'app-missing',
    severity: 'error',
    title: 'There is no app.yaml',
    why: 'It makes a folder a package: without it nobody knows its title, its scope and what it needs.',
    advice: 'Add .registry/app.yaml with at least a title and a permissionScope.',
    failing: {files: {'app.yaml': null}},
    passing: {files: {'app.yaml': EXAMPLE_APP}},
  },
  {
    id: 'app-duplicate',
    severity: 'error',
    title: 'There is more than one app.yaml',
    why: 'Files are recognised by their names at any depth, so both are meant. Which one counts must not depend on a path.',
    advice: 'Remove all but one.',
    failing: {files: {'app.yaml': EXAMPLE_APP, 'resources/app.yaml': EXAMPLE_APP}},
    passing: {files: {'app.yaml': EXAMPLE_APP}},
  },
  {
    id: 'app-empty',
    severity: 'error',
    title: 'app.yaml is empty',
    why: 'A file with nothing but comments says nothing of the package.',
    advice: 'Write at least a title and a permissionScope.',
    failing: {files: {'app.yaml': '# title: Example\n'}},
    passing: {files: {'app.yaml': EXAMPLE_APP}},
  },
  {
    id: 'app-documents',
    severity: 'error',
    title: 'app.yaml holds more than one document',
    why: 'Only the first one counts; what the others say is lost.',
    advice: 'Make it one document, without --- in between.',
    failing: {files: {'app.yaml': `${EXAMPLE_APP}---\nversion: v0.1.0\n`}},
    passing: {files: {'app.yaml': `${EXAMPLE_APP}version: v0.1.0\n`}},
  },
  {
    id: 'title-missing',
    severity: 'warning',
    title: 'The package has no title',
    why: 'Every CRD of the package carries the title in an annotation, by which tools group what they show. It would be empty.',
    advice: 'Give app.yaml a title.',
    failing: {files: {'app.yaml': 'permissionScope: Cluster\n'}},
    passing: {files: {'app.yaml': EXAMPLE_APP}},
  },
  {
    id: 'version',
    severity: 'error',
    title: "The version cannot be part of an object's name",
    why: "The version is part of the names of the package's roles, which hold no blanks, slashes or percent signs and end somewhere.",
    advice:
      "Write the version as the image's tag has it, such as v0.1.0, or leave it out: then the tag is the version.",
    failing: {files: {'app.yaml': `${EXAMPLE_APP}version: release/0.1\n`}},
    passing: {files: {'app.yaml': `${EXAMPLE_APP}version: release-0.1\n`}},
  },
  {
    id: 'version-tag',
    severity: 'warning',
    title: 'The version in app.yaml is not the tag of the package',
    why: 'Who asks for one version finds another in the record and in the names of roles. If app.yaml gives a version, it must match the tag.',
    advice:
      'Leave the version out of app.yaml: then the tag is the version. Or release it under its own version.',
    failing: {files: {'app.yaml': `${EXAMPLE_APP}version: v0.1.0\n`}, reference: 'example/widgets:v0.2.0'},
    passing: {files: {'app.yaml': `${EXAMPLE_APP}version: v0.2.0\n`}, reference: 'example/widgets:v0.2.0'},
  },
  {
    id: 'package-type',
    severity: 'warning',
    title: 'packageType is a word that nobody knows',
    why: 'The word is kept, and tools that list providers or applications will not find the package.',
    advice: 'Write Provider, Stack, Application or Addon.',
    failing: {files: {'app.yaml': `${EXAMPLE_APP}packageType: Controller\n`}},
    passing: {files: {'app.yaml': `${EXAMPLE_APP}packageType: Provider\n`}},
  },
  {
    id: 'permission-scope-missing',
    severity: 'warning',
    title: 'The package does not say its permissionScope',
    why: 'It is taken as Namespaced here, which is the safer reading; Crossplane v0.12 refused such a package.',
    advice: 'Write permissionScope: Namespaced, or Cluster if the controller works in all namespaces.',
    failing: {files: {'app.yaml': 'title: Example\n'}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Namespaced\n'}},
  },
  {
    id: 'permission-scope',
    severity: 'error',
    title: 'permissionScope is a word that nobody knows',
    why: 'Whether the rights of the package end at a namespace is not for anybody to guess.',
    advice: 'Write permissionScope: Cluster or Namespaced.',
    failing: {files: {'app.yaml': 'title: Example\npermissionScope: cluster\n', 'crd.yaml': CLUSTER_SCOPED}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\n', 'crd.yaml': CLUSTER_SCOPED}},
  },
]
