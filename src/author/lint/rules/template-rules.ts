import {DELETION_PRIORITY} from '../../../unpack/templates/deletion-priority.js'
import type {LintRule} from '../lint-rule.js'
import {BEHAVIOR, TEMPLATE_CRD} from './example-files.js'

const FILES = {'behavior.yaml': BEHAVIOR, 'crd.yaml': TEMPLATE_CRD}
const behavior = (text: string) => ({...FILES, 'behavior.yaml': text})
const app = (lines: string) => ({...FILES, 'app.yaml': `title: Example\n${lines}`})

const KUSTOMIZE = `crd:
  apiVersion: example.org/v1alpha1
  kind: Widget
engine:
  type: kustomize
  kustomize:
    overlays:
    - apiVersion: v1
      kind: ConfigMap
      name: widget
      bindings:
      - from: spec.size
        to: data.size
source:
  path: kustomize
`
const KUSTOMIZE_FILES = behavior(KUSTOMIZE)
const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: widget\ndata:\n  size: small\n'
const BASE = {'kustomization.yaml': 'resources: [a.yaml]\n', 'a.yaml': CONFIG_MAP}
const CHART = {'templates/a.yaml': CONFIG_MAP}
const GADGET_CRD = TEMPLATE_CRD.replaceAll('widget', 'gadget').replaceAll('Widget', 'Gadget')
const annotated = (line: string) => ({
  'templates/a.yaml': CONFIG_MAP.replace('  name: widget\n', `  name: widget\n  annotations:\n    ${line}\n`),
})
const creating = (apiVersion: string, kind: string) => ({
  'templates/a.yaml': `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: {{ .Release.Name }}\n`,
})
const OPTIONAL_BUCKET = {
  ...CHART,
  'templates/b.yaml': `{{- if .Values.size }}\n${creating('storage.example.org/v1', 'Bucket')['templates/a.yaml']}{{- end }}\n`,
}
const SMALL = {
  small: 'apiVersion: example.org/v1alpha1\nkind: Widget\nmetadata:\n  name: small\nspec:\n  replicas: 1\n',
}
const DEPENDENT = 'permissionScope: Cluster\ndependsOn:\n- crd: buckets.storage.example.org/v1\n'
const bucket = (version: string) => ({
  group: 'storage.example.org',
  plural: 'buckets',
  singular: 'bucket',
  kind: 'Bucket',
  scope: 'Cluster' as const,
  served: [version],
  stored: version,
})

/** Rules for template stacks: their controllers, kinds and templates. */
export const TEMPLATE_RULES: readonly LintRule[] = [
  {
    id: 'template-core-kind',
    severity: 'warning',
    title: 'The package requires permissions on a kind of Kubernetes for its templates',
    why: 'Templates of a chart create Deployments or Services, and their controller needs the permissions. They are only granted if the user passes --allow-core-permissions; without it, rendering fails.',
    advice: 'Tell users of the package to pass --allow-core-permissions, and why.',
    failing: {files: app('permissionScope: Cluster\ndependsOn:\n- crd: deployments.apps/v1\n')},
    passing: {files: app(DEPENDENT)},
  },
  {
    id: 'controller-image-era',
    severity: 'warning',
    title: 'The controller of the behavior only runs in the Stacks era',
    why: 'The original controller reads StackDefinitions of the Stacks era until v0.3.0, and those of the Packages era since v0.4.0. It ends at once in a cluster of the other era.',
    advice: 'Remove engine.controllerImage: the controller of the package API is the default.',
    failing: {
      files: behavior(
        BEHAVIOR.replace(
          'type: helm3',
          'type: helm3\n  controllerImage: crossplane/templating-controller:v0.2.1',
        ),
      ),
    },
    passing: {
      files: behavior(
        BEHAVIOR.replace(
          'type: helm3',
          'type: helm3\n  controllerImage: crossplane/templating-controller:v0.4.0',
        ),
      ),
    },
  },
  {
    id: 'controller-image-engine',
    severity: 'error',
    title: 'The controller of the behavior does not support its engine',
    why: 'No release of the original controller has the engine gotemplate. It ends at its start, and nothing is ever created.',
    advice: 'Remove engine.controllerImage, or name the image of a controller that has the engine.',
    failing: {
      files: behavior(
        BEHAVIOR.replace(
          'type: helm3',
          'type: gotemplate\n  controllerImage: crossplane/templating-controller:v0.4.0',
        ),
      ),
    },
    passing: {files: behavior(BEHAVIOR.replace('helm3', 'gotemplate'))},
  },
  {
    id: 'crd-status-subresource',
    severity: 'warning',
    title: 'The CRD of a behavior has no status subresource',
    why: 'Without it, the original controller cannot write its conditions, and repeats its work again and again.',
    advice: 'Add subresources: {status: {}} to the CRD.',
    failing: {files: {...FILES, 'crd.yaml': TEMPLATE_CRD.replace('  subresources:\n    status: {}\n', '')}},
    passing: {files: FILES},
  },
  {
    id: 'crd-conditions',
    severity: 'warning',
    title: 'The CRD of a behavior drops the conditions of its status',
    why: 'The controller reports its result and its errors in status.conditions. An API server drops fields that the schema does not have.',
    advice:
      'Add status.conditions to the schema, as an array of objects with x-kubernetes-preserve-unknown-fields.',
    failing: {
      files: {
        ...FILES,
        'crd.yaml': TEMPLATE_CRD.replace('            conditions:', '            results:'),
      },
    },
    passing: {files: FILES},
  },
  {
    id: 'stack-yaml',
    severity: 'warning',
    title: 'The package has a stack.yaml',
    why: 'Crossplane read stack.yaml only between two releases, in January and February 2020. No release reads it, so the package has no behavior.',
    advice: 'Write the same as behavior.yaml, and remove stack.yaml.',
    failing: {
      files: {
        'crd.yaml': TEMPLATE_CRD,
        'stack.yaml': `spec:
  behaviors:
    crds:
      Widget.example.org/v1alpha1:
        hooks:
          reconcile:
          - directory: helm-chart
    engine:
      type: helm2
`,
      },
    },
    beside: ['file-unrecognised'],
    passing: {files: FILES},
  },
  {
    id: 'template-image-copy',
    severity: 'warning',
    title: 'The image of a template stack has no cp',
    why: 'An init container of the image copies the templates with cp. Without it, the controller never starts.',
    advice: 'Build the package on an image with cp (--from), or install it with --templates-from inline.',
    failing: {files: FILES, image: {user: '1000', hasCopy: false}},
    passing: {files: FILES, image: {user: '1000', hasCopy: true}},
  },
  {
    id: 'template-image-user',
    severity: 'warning',
    title: 'The user of the image of a template stack is not a number other than 0',
    why: 'The containers of a package must not run as root. Kubernetes does not start the init container of an image whose user is root or has only a name.',
    advice:
      'Write USER with a number in the Dockerfile, or install the package with --templates-from inline.',
    failing: {files: FILES, image: {user: 'app', hasCopy: true}},
    passing: {files: FILES, image: {user: '65534', hasCopy: true}},
  },
  {
    id: 'template-permission',
    severity: 'error',
    title: 'A template creates a kind that the package has no permissions on',
    why: 'The controller gets permissions only on the kinds of the package and of its dependencies. The API server rejects any other object.',
    advice: 'Add the kind to dependsOn in app.yaml.',
    failing: {files: FILES, templates: creating('storage.example.org/v1', 'Bucket')},
    passing: {files: app(DEPENDENT), templates: creating('storage.example.org/v1', 'Bucket')},
  },
  {
    id: 'template-permission-optional',
    severity: 'warning',
    title: 'A template that no test uses creates a kind that the package has no permissions on',
    why: 'A condition excludes the template for all custom resources of the tests. One that turns it on gets an error: the API server rejects the object.',
    advice: 'Add the kind to dependsOn in app.yaml, or tell users which fields of spec they cannot set.',
    failing: {files: FILES, templates: OPTIONAL_BUCKET, tests: SMALL},
    passing: {files: app(DEPENDENT), templates: OPTIONAL_BUCKET, tests: SMALL},
  },
  {
    id: 'template-version',
    severity: 'warning',
    title: 'A template creates another version of a kind than the package depends on',
    why: 'A dependency is satisfied by its version. Whether the API server also serves the version of the template is not checked.',
    advice: 'Use the same version in the template and in dependsOn.',
    failing: {files: app(DEPENDENT), templates: creating('storage.example.org/v2', 'Bucket')},
    passing: {files: app(DEPENDENT), templates: creating('storage.example.org/v1', 'Bucket')},
  },
  {
    id: 'template-dependency',
    severity: 'error',
    title: 'A template creates a kind that no package serves',
    why: 'The kinds of dependencies were looked up in the packages of --packages and --index. None of those serves the kind in this version, so the API server rejects the object.',
    advice: 'Use a kind and a version that a package serves: kubectl crossplane package provides "*.GROUP".',
    failing: {
      files: app(DEPENDENT),
      templates: creating('storage.example.org/v1', 'Bucket'),
      provided: [bucket('v2')],
    },
    passing: {
      files: app(DEPENDENT),
      templates: creating('storage.example.org/v1', 'Bucket'),
      provided: [bucket('v1')],
    },
  },
  {
    id: 'template-scope',
    severity: 'error',
    title: 'A Namespaced package creates a cluster-scoped kind',
    why: 'The permissions of a Namespaced package hold in its namespace. No such permission allows cluster-scoped objects.',
    advice: 'Set permissionScope to Cluster, or remove the template.',
    failing: {
      files: app('permissionScope: Namespaced\n'),
      templates: creating('v1', 'Namespace'),
    },
    beside: ['template-permission'],
    passing: {files: app('permissionScope: Namespaced\n'), templates: creating('v1', 'ConfigMap')},
  },
  {
    id: 'template-scalar',
    severity: 'warning',
    title: 'A scalar of a template is not a text for Kubernetes',
    why: 'Kubernetes reads YAML 1.1, in which y, yes, no, on and off are booleans, and 010 is the number 8.',
    advice: 'Quote the value.',
    failing: {files: FILES, templates: {'templates/a.yaml': CONFIG_MAP.replace('small', 'on')}},
    passing: {files: FILES, templates: {'templates/a.yaml': CONFIG_MAP.replace('small', '"on"')}},
  },
  {
    id: 'chart-crds',
    severity: 'error',
    title: 'The chart has a crds folder',
    why: 'The controller leaves out the CRDs of a chart. They are the CRDs of the package, which is installed with them.',
    advice: 'Move the CRDs to .registry/resources/.',
    failing: {files: FILES, templates: {...CHART, 'crds/gadget.yaml': GADGET_CRD}},
    passing: {files: FILES, templates: CHART},
  },
  {
    id: 'chart-archive',
    severity: 'error',
    title: 'An archive of a subchart cannot be read',
    why: 'The kinds that the subchart creates and its CRDs are not known. A damaged archive also prevents the chart from being rendered.',
    advice: 'Store the archive again with helm dependency build, or unpack it into a folder.',
    failing: {
      files: FILES,
      templates: {...CHART, 'charts/cache-1.0.0.tgz': 'not an archive'},
      unreadArchives: [{file: 'charts/cache-1.0.0.tgz', reason: 'its gzip data is damaged'}],
    },
    passing: {
      files: FILES,
      templates: {...CHART, 'charts/cache/Chart.yaml': 'name: cache\nversion: 1.0.0\n'},
    },
  },
  {
    id: 'chart-hooks',
    severity: 'warning',
    title: 'The chart has a hook',
    why: 'The controller applies the same objects again and again, and leaves out hooks and tests.',
    advice: 'Remove the hook, or the annotation if the object is needed.',
    failing: {files: FILES, templates: annotated('helm.sh/hook: pre-install')},
    passing: {files: FILES, templates: CHART},
  },
  {
    id: 'deletion-priority',
    severity: 'error',
    title: 'A deletion priority is not an integer',
    why: 'The controller reads the priorities when the custom resource is deleted. With another text, it is never deleted.',
    advice: 'Write an integer in quotes.',
    failing: {files: FILES, templates: annotated(`${DELETION_PRIORITY}: "high"`)},
    passing: {files: FILES, templates: annotated(`${DELETION_PRIORITY}: "-1"`)},
  },
  {
    id: 'overlay-target',
    severity: 'error',
    title: 'An overlay has no target in the kustomization',
    why: 'The engine rejects a patch without a target, so nothing is created for any custom resource.',
    advice: 'Use the apiVersion, kind and name of an object of the kustomization.',
    failing: {
      files: KUSTOMIZE_FILES,
      templates: {...BASE, 'a.yaml': CONFIG_MAP.replace('name: widget', 'name: gadget')},
    },
    passing: {files: KUSTOMIZE_FILES, templates: BASE},
  },
  {
    id: 'binding-source',
    severity: 'error',
    title: 'A binding reads a field that the CRD does not have',
    why: 'An API server drops a field that the schema does not have, so the binding never has an effect. Bindings cannot read items of lists.',
    advice: 'Use a field of the schema, or add it to the CRD.',
    failing: {files: behavior(KUSTOMIZE.replace('from: spec.size', 'from: spec.colour')), templates: BASE},
    passing: {files: KUSTOMIZE_FILES, templates: BASE},
  },
  {
    id: 'binding-target',
    severity: 'error',
    title: 'A binding sets a field of another type',
    why: 'The API server rejects the object as soon as the field is set. Bindings cannot set items of lists.',
    advice: 'Use a field with the same type.',
    failing: {files: behavior(KUSTOMIZE.replace('from: spec.size', 'from: spec.replicas')), templates: BASE},
    passing: {files: KUSTOMIZE_FILES, templates: BASE},
  },
  {
    id: 'binding-twice',
    severity: 'warning',
    title: 'Two bindings set the same field',
    why: 'The later binding replaces the value of the earlier one, and a binding to a map replaces all fields in it.',
    advice: 'Remove one of the bindings, or write the one for the whole first.',
    failing: {
      files: behavior(
        KUSTOMIZE.replace('source:\n', '      - from: spec.name\n        to: data.size\nsource:\n'),
      ),
      templates: BASE,
    },
    passing: {files: KUSTOMIZE_FILES, templates: BASE},
  },
]
