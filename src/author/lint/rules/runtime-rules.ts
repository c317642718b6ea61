import type {LintRule} from '../lint-rule.js'
import {BEHAVIOR, DEPLOYMENT, TEMPLATE_CRD} from './example-files.js'

const OWN_IMAGE = DEPLOYMENT
const named = (image: string) => `${DEPLOYMENT}        image: ${image}\n`

/** Rules for the runtime of a package: its Deployment or its behavior. */
export const RUNTIME_RULES: readonly LintRule[] = [
  {
    id: 'install-duplicate',
    severity: 'error',
    title: 'The package has more than one install.yaml',
    why: 'A package runs one Deployment. Which file wins must not depend on its path.',
    advice: 'Keep one install.yaml and remove the others.',
    failing: {files: {'install.yaml': DEPLOYMENT, 'resources/install.yaml': DEPLOYMENT}},
    passing: {files: {'install.yaml': DEPLOYMENT}},
  },
  {
    id: 'install-kind',
    severity: 'error',
    title: 'install.yaml is not a Deployment',
    why: 'Crossplane v0.12 silently ignored other kinds, so that the package ran no controller.',
    advice: 'Use a Deployment (apps/v1). Convert a Job that prepares something to an init container.',
    failing: {
      files: {'install.yaml': DEPLOYMENT.replace('apps/v1', 'batch/v1').replace('Deployment', 'Job')},
    },
    passing: {files: {'install.yaml': DEPLOYMENT}},
  },
  {
    id: 'install-containers',
    severity: 'error',
    title: 'The Deployment has no containers',
    why: 'An API server rejects a Deployment without containers, often with a less specific message.',
    advice:
      'Add spec.template.spec.containers; check the fields above it for names that a Deployment does not have.',
    failing: {files: {'install.yaml': 'apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 1\n'}},
    passing: {files: {'install.yaml': DEPLOYMENT.replace('spec:\n', 'spec:\n  replicas: 1\n')}},
  },
  {
    id: 'install-refused',
    severity: 'error',
    title: 'An API server rejects the Deployment',
    why: 'The package installs its CRDs and permissions, and then no controller: the Deployment is never created.',
    advice:
      'Correct the field. The Deployment is checked as an install without --allow-full-deployment sends it: with the image of the package, and restricted.',
    failing: {
      files: {
        'install.yaml': `${DEPLOYMENT}        volumeMounts:\n        - {name: cache, mountPath: /cache}\n`,
      },
    },
    passing: {
      files: {
        'install.yaml': `${DEPLOYMENT}        volumeMounts:\n        - {name: cache, mountPath: /cache}\n      volumes:\n      - {name: cache}\n`,
      },
    },
  },
  {
    id: 'install-documents',
    severity: 'warning',
    title: 'install.yaml contains more than one document',
    why: 'Only the first document is used; the other objects are never created.',
    advice:
      'Keep only the Deployment. Roles and service accounts are generated from the CRDs that the package owns and depends on.',
    failing: {files: {'install.yaml': `${DEPLOYMENT}---\napiVersion: v1\nkind: Service\n`}},
    passing: {files: {'install.yaml': DEPLOYMENT}},
  },
  {
    id: 'install-api-version',
    severity: 'warning',
    title: 'The apiVersion of the Deployment is not apps/v1',
    why: 'The Deployment is read as apps/v1, so fields that exist only in the other version are ignored.',
    advice: 'Set apiVersion to apps/v1 and update the fields.',
    failing: {files: {'install.yaml': DEPLOYMENT.replace('apps/v1', 'extensions/v1beta1')}},
    passing: {files: {'install.yaml': DEPLOYMENT}},
  },
  {
    id: 'image-invalid',
    severity: 'warning',
    title: 'An image is not a valid image reference',
    why: 'Nodes cannot pull it, and the source of an install request cannot be applied to it.',
    advice:
      "Use [HOST/]PATH[:TAG][@DIGEST] with a lowercase path, or remove the image to run the package's own.",
    failing: {files: {'install.yaml': named('"Example/Widgets:v0.1.0"')}},
    passing: {files: {'install.yaml': named('"example/widgets:v0.1.0"')}},
  },
  {
    id: 'image-floating',
    severity: 'warning',
    title: 'An image has no tag, or the tag latest',
    why: 'The image that runs is the one that was pushed last, so two installs of one version can differ.',
    advice:
      "Remove the image: the package's own image runs, with the tag and digest of the install. Otherwise, use a tag or a digest.",
    failing: {files: {'install.yaml': named('example/widgets:latest')}},
    passing: {files: {'install.yaml': OWN_IMAGE}},
  },
  {
    id: 'image-version',
    severity: 'warning',
    title: 'The package runs an image with a version other than its own',
    why: 'CRDs of one version and a controller of another one are rarely compatible. Often the version is maintained in two places.',
    advice: "Remove the image: the package's own image runs, with the tag and digest of the install.",
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
    title: 'The package has more than one behavior.yaml',
    why: 'A template stack has one behavior. Which file wins must not depend on its path.',
    advice: 'Keep one behavior.yaml and remove the others.',
    failing: {files: {'behavior.yaml': BEHAVIOR, 'more/behavior.yaml': BEHAVIOR, 'crd.yaml': TEMPLATE_CRD}},
    passing: {files: {'behavior.yaml': BEHAVIOR, 'crd.yaml': TEMPLATE_CRD}},
  },
  {
    id: 'behavior-path',
    severity: 'error',
    title: 'The behavior does not name the folder of its templates',
    why: 'The folder is copied out of the image before the controller starts. The root of the image cannot be copied.',
    advice: 'Set source.path to the folder of the image that contains the templates.',
    failing: {files: {'behavior.yaml': BEHAVIOR.replace('helm-chart', '/'), 'crd.yaml': TEMPLATE_CRD}},
    passing: {files: {'behavior.yaml': BEHAVIOR, 'crd.yaml': TEMPLATE_CRD}},
  },
  {
    id: 'behavior-engine',
    severity: 'error',
    title: 'The engine of the behavior is not supported',
    why: 'The controller of Crossplane ends at its start with an engine that it does not know, and nothing is ever created.',
    advice:
      'Set engine.type to helm3, kustomize or gotemplate. The chart of a package for helm2 renders with helm3.',
    failing: {files: {'behavior.yaml': BEHAVIOR.replace('helm3', 'helm2'), 'crd.yaml': TEMPLATE_CRD}},
    passing: {files: {'behavior.yaml': BEHAVIOR, 'crd.yaml': TEMPLATE_CRD}},
  },
  {
    id: 'behavior-kustomization',
    severity: 'error',
    title: 'The kustomization of a behavior has no kind',
    why: 'The kustomization becomes part of an API object, in which every embedded object must have a kind.',
    advice: 'Add kind: Kustomization.',
    failing: {
      files: {
        'behavior.yaml': BEHAVIOR.replace(
          'helm3\n',
          'kustomize\n  kustomize:\n    kustomization:\n      namePrefix: a-\n',
        ),
        'crd.yaml': TEMPLATE_CRD,
      },
    },
    passing: {
      files: {
        'behavior.yaml': BEHAVIOR.replace(
          'helm3\n',
          'kustomize\n  kustomize:\n    kustomization:\n      kind: Kustomization\n      namePrefix: a-\n',
        ),
        'crd.yaml': TEMPLATE_CRD,
      },
    },
  },
  {
    id: 'behavior-and-install',
    severity: 'error',
    title: 'The package has both a behavior.yaml and an install.yaml',
    why: 'The controller of a template stack is generated, so one of the two would be ignored.',
    advice:
      'Remove install.yaml from a template stack, or behavior.yaml from a package with its own controller.',
    failing: {files: {'behavior.yaml': BEHAVIOR, 'install.yaml': DEPLOYMENT, 'crd.yaml': TEMPLATE_CRD}},
    passing: {files: {'behavior.yaml': BEHAVIOR, 'crd.yaml': TEMPLATE_CRD}},
  },
  {
    id: 'behavior-documents',
    severity: 'warning',
    title: 'behavior.yaml contains more than one document',
    why: 'Only the first document is used; the others are ignored.',
    advice: 'Merge the documents into one, and remove the --- separators.',
    failing: {files: {'behavior.yaml': `${BEHAVIOR}---\nsource:\n  path: more\n`, 'crd.yaml': TEMPLATE_CRD}},
    passing: {files: {'behavior.yaml': BEHAVIOR, 'crd.yaml': TEMPLATE_CRD}},
  },
  {
    id: 'behavior-crd',
    severity: 'warning',
    title: 'The behavior names a kind that the package does not define',
    why: 'The generated controller watches that kind, but has no permissions on it and never does anything.',
    advice: 'Use the apiVersion and kind of a CRD of the package.',
    failing: {files: {'behavior.yaml': BEHAVIOR.replace('v1alpha1', 'v1beta1'), 'crd.yaml': TEMPLATE_CRD}},
    passing: {files: {'behavior.yaml': BEHAVIOR, 'crd.yaml': TEMPLATE_CRD}},
  },
]
