import type {LintRule} from '../lint-rule.js'
import {BEHAVIOR, DEPLOYMENT, WIDGET_CRD} from './example-files.js'

const OWN_IMAGE = DEPLOYMENT
const named = (image: string) => `${DEPLOYMENT}        image: ${image}\n`

/** What can be wrong with what a package runs: its Deployment, or its behavior. */
export const RUNTIME_RULES: readonly LintRule[] = [
  {
    id: 'install-duplicate',
    severity: 'error',
    title: 'There is more than one install.yaml',
    why: 'A package runs one Deployment, and which one counts must not depend on a path.',
    advice: 'Remove all but one.',
    failing: {files: {'install.yaml': DEPLOYMENT, 'resources/install.yaml': DEPLOYMENT}},
    passing: {files: {'install.yaml': DEPLOYMENT}},
  },
  {
    id: 'install-kind',
    severity: 'error',
    title: 'install.yaml is no Deployment',
    why: 'Crossplane v0.12 ignored other kinds without a word, and the package ran nothing.',
    advice: 'Make it a Deployment (apps/v1). A Job that prepares something can be an init container of it.',
    failing: {
      files: {'install.yaml': DEPLOYMENT.replace('apps/v1', 'batch/v1').replace('Deployment', 'Job')},
    },
    passing: {files: {'install.yaml': DEPLOYMENT}},
  },
  {
    id: 'install-containers',
    severity: 'error',
    title: 'The Deployment has no containers',
    why: 'A Deployment without containers is refused by the API server, which names less of the reason.',
    advice:
      'Give it spec.template.spec.containers; look for a field above it that is not a field of a Deployment.',
    failing: {files: {'install.yaml': 'apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 1\n'}},
    passing: {files: {'install.yaml': DEPLOYMENT.replace('spec:\n', 'spec:\n  replicas: 1\n')}},
  },
  {
    id: 'install-documents',
    severity: 'warning',
    title: 'install.yaml holds more than one document',
    why: 'Only the first one counts: the other objects are never created.',
    advice:
      'Keep the Deployment only. Roles and accounts are made from what the package owns and depends on.',
    failing: {files: {'install.yaml': `${DEPLOYMENT}---\napiVersion: v1\nkind: Service\n`}},
    passing: {files: {'install.yaml': DEPLOYMENT}},
  },
  {
    id: 'install-api-version',
    severity: 'warning',
    title: 'The Deployment is not of apps/v1',
    why: 'Whatever it says, it is read as apps/v1: fields that only its own version has are lost.',
    advice: 'Write apiVersion: apps/v1, and bring the fields up to it.',
    failing: {files: {'install.yaml': DEPLOYMENT.replace('apps/v1', 'extensions/v1beta1')}},
    passing: {files: {'install.yaml': DEPLOYMENT}},
  },
  {
    id: 'image-invalid',
    severity: 'warning',
    title: 'An image is no image reference',
    why: 'No node can pull it, and the source of an install request cannot be put before it.',
    advice:
      'Write [HOST/]PATH[:TAG][@DIGEST], the path in lower case; or no image at all, for that of the package itself.',
    failing: {files: {'install.yaml': named('"Example/Widgets:v0.1.0"')}},
    passing: {files: {'install.yaml': named('"example/widgets:v0.1.0"')}},
  },
  {
    id: 'image-floating',
    severity: 'warning',
    title: 'An image without a tag, or with the tag latest',
    why: 'What runs is whatever was pushed last, so that two installs of one version of the package differ.',
    advice:
      "Leave the image out: then the package's own runs, under the tag and digest that it was installed by. Else name a tag or digest.",
    failing: {files: {'install.yaml': named('example/widgets:latest')}},
    passing: {files: {'install.yaml': OWN_IMAGE}},
  },
  {
    id: 'image-version',
    severity: 'warning',
    title: 'The package runs an image of another version than its own',
    why: 'CRDs of one version and a controller of another seldom fit. It happens where the version has to be written in two places.',
    advice:
      "Leave the image out: then the package's own runs, under the tag and digest that it was installed by.",
    failing: {
      files: {
        'app.yaml': 'title: Example\npermissionScope: Cluster\nversion: v0.2.0\n',
        'install.yaml': named('example/widgets:v0.1.0'),
      },
    },
    passing: {
      files: {
        'app.yaml': 'title: Example\npermissionScope: Cluster\nversion: v0.2.0\n',
        'install.yaml': OWN_IMAGE,
      },
    },
  },
  {
    id: 'behavior-duplicate',
    severity: 'error',
    title: 'There is more than one behavior.yaml',
    why: 'A template stack has one behavior, and which one counts must not depend on a path.',
    advice: 'Remove all but one.',
    failing: {files: {'behavior.yaml': BEHAVIOR, 'more/behavior.yaml': BEHAVIOR, 'crd.yaml': WIDGET_CRD}},
    passing: {files: {'behavior.yaml': BEHAVIOR, 'crd.yaml': WIDGET_CRD}},
  },
  {
    id: 'behavior-path',
    severity: 'error',
    title: 'The behavior does not say where its templates are',
    why: 'The folder is copied out of the image before the controller starts; the whole image is too much, and no folder too little.',
    advice: 'Name the folder of the image that holds the templates in source.path.',
    failing: {files: {'behavior.yaml': BEHAVIOR.replace('helm-chart', '/'), 'crd.yaml': WIDGET_CRD}},
    passing: {files: {'behavior.yaml': BEHAVIOR, 'crd.yaml': WIDGET_CRD}},
  },
  {
    id: 'behavior-kustomization',
    severity: 'error',
    title: 'The kustomization of a behavior has no kind',
    why: 'It becomes part of an object of the API, where every embedded object carries its kind.',
    advice: 'Write kind: Kustomization into it.',
    failing: {
      files: {
        'behavior.yaml': BEHAVIOR.replace(
          'helm3\n',
          'kustomize\n  kustomize:\n    kustomization:\n      namePrefix: a-\n',
        ),
        'crd.yaml': WIDGET_CRD,
      },
    },
    passing: {
      files: {
        'behavior.yaml': BEHAVIOR.replace(
          'helm3\n',
          'kustomize\n  kustomize:\n    kustomization:\n      kind: Kustomization\n      namePrefix: a-\n',
        ),
        'crd.yaml': WIDGET_CRD,
      },
    },
  },
  {
    id: 'behavior-and-install',
    severity: 'error',
    title: 'The package has both a behavior.yaml and an install.yaml',
    why: 'A template stack is run by a controller that is generated for it, so one of the two would be lost.',
    advice:
      'Remove install.yaml from a template stack, or behavior.yaml from a package with a controller of its own.',
    failing: {files: {'behavior.yaml': BEHAVIOR, 'install.yaml': DEPLOYMENT, 'crd.yaml': WIDGET_CRD}},
    passing: {files: {'behavior.yaml': BEHAVIOR, 'crd.yaml': WIDGET_CRD}},
  },
  {
    id: 'behavior-documents',
    severity: 'warning',
    title: 'behavior.yaml holds more than one document',
    why: 'Only the first one counts; what the others say is lost.',
    advice: 'Make it one document, without --- in between.',
    failing: {files: {'behavior.yaml': `${BEHAVIOR}---\nsource:\n  path: more\n`, 'crd.yaml': WIDGET_CRD}},
    passing: {files: {'behavior.yaml': BEHAVIOR, 'crd.yaml': WIDGET_CRD}},
  },
  {
    id: 'behavior-crd',
    severity: 'warning',
    title: 'The behavior is for a kind that the package does not define',
    why: 'The controller that is made from it watches that kind, has no right to, and never does anything.',
    advice: "Write the apiVersion and kind of the package's own CRD.",
    failing: {files: {'behavior.yaml': BEHAVIOR.replace('v1alpha1', 'v1beta1'), 'crd.yaml': WIDGET_CRD}},
    passing: {files: {'behavior.yaml': BEHAVIOR, 'crd.yaml': WIDGET_CRD}},
  },
]
