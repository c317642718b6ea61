import type {LintRule} from '../lint-rule.js'
import {WIDGET_CRD, SQUARE_SVG} from './example-files.js'

const RESOURCE = 'id: widget\ntitle: Widget\ntitlePlural: Widgets\ncategory: Example\n'
const GROUP = 'title: Widgets\ncategory: Example\n'
const GEAR_CRD = WIDGET_CRD.replaceAll('widgets', 'gears')
  .replace('Widget', 'Gear')
  .replaceAll('example.org', 'example.net')

/** Rules for the files that describe CRDs. */
export const METADATA_RULES: readonly LintRule[] = [
  {
    id: 'file-unrecognised',
    severity: 'warning',
    title: 'A file has a name without a meaning',
    why: 'Files of a package are recognized by exact names; other files are ignored. For example, `install.yml` installs nothing, and `rbac.yaml` grants no permissions.',
    advice: 'Rename the file, or remove it from the package.',
    failing: {files: {'crds.yaml': WIDGET_CRD}},
    passing: {files: {'crd.yaml': WIDGET_CRD}},
  },
  {
    id: 'metadata-documents',
    severity: 'warning',
    title: 'A group.yaml or resource.yaml contains more than one document',
    why: 'Only the first document is used; the others are ignored.',
    advice: 'Move each document to its own file.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'resource.yaml': `${RESOURCE}---\nid: gear\n`}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'resource.yaml': RESOURCE}},
  },
  {
    id: 'metadata-orphan',
    severity: 'warning',
    title: 'A metadata file matches no CRD of the package',
    why: 'A group.yaml, resource.yaml, icon or ui-schema applies to CRDs in its folder and below: by its id, or by the kind in lowercase that its name starts with. A file that matches none has no effect; often the kind was renamed or removed.',
    advice: 'Move or rename the file so that it matches its CRD, or remove it.',
    failing: {
      files: {
        'resources/widget/crd.yaml': WIDGET_CRD,
        'resources/widget/widgets.icon.svg': SQUARE_SVG,
      },
    },
    passing: {
      files: {
        'resources/widget/crd.yaml': WIDGET_CRD,
        'resources/widget/widget.icon.svg': SQUARE_SVG,
      },
    },
  },
  {
    id: 'metadata-shadowed',
    severity: 'warning',
    title: 'A group.yaml or resource.yaml is never used',
    why: 'For each CRD the nearest file is used, and of several resource.yaml files with one id in a folder the last one by name. Other files take precedence over this one for every CRD that it matches.',
    advice: 'Remove one of the two files.',
    failing: {
      files: {
        'crd.yaml': WIDGET_CRD,
        'widget.resource.yaml': RESOURCE,
        'widget.v1alpha1.resource.yaml': RESOURCE,
      },
    },
    passing: {files: {'crd.yaml': WIDGET_CRD, 'widget.resource.yaml': RESOURCE}},
  },
  {
    id: 'metadata-version',
    severity: 'warning',
    title: 'A metadata file names a version that the kind does not have',
    why: 'The version in the file name is informative: the file applies to the kind, so it can describe another version.',
    advice: 'Update the file for the current version and rename it, or remove the version from the name.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'widget.v1beta1.icon.svg': SQUARE_SVG}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'widget.v1alpha1.icon.svg': SQUARE_SVG}},
  },
  {
    id: 'group-mismatch',
    severity: 'warning',
    title: 'A group.yaml names another API group than its CRDs have',
    why: 'The group in the file, or the name of its folder, is not the group of the CRDs in the folder and below. Folder names have no meaning for Kubernetes, so these CRDs get the description of another group.',
    advice: 'Move the CRDs or the group.yaml, or correct its group.',
    failing: {
      files: {
        'resources/example.net/crd.yaml': WIDGET_CRD,
        'resources/example.net/group.yaml': GROUP,
      },
    },
    passing: {
      files: {
        'resources/example.org/crd.yaml': WIDGET_CRD,
        'resources/example.org/group.yaml': GROUP,
      },
    },
  },
  {
    id: 'group-mixed',
    severity: 'warning',
    title: 'A group.yaml applies to CRDs of several API groups',
    why: 'It applies to every CRD in its folder and below, whatever the group of the CRD.',
    advice: 'Give each group its own folder with a group.yaml.',
    failing: {
      files: {
        'resources/group.yaml': GROUP,
        'resources/widgets.crd.yaml': WIDGET_CRD,
        'resources/gears.crd.yaml': GEAR_CRD,
      },
    },
    passing: {
      files: {
        'resources/widgets/group.yaml': GROUP,
        'resources/widgets/crd.yaml': WIDGET_CRD,
        'resources/gears/crd.yaml': GEAR_CRD,
      },
    },
  },
  {
    id: 'resource-name',
    severity: 'warning',
    title: 'A resource.yaml is named after a kind other than its id',
    why: 'The id decides; the file name is informative. Often the file was copied, so that a kind has the description of another one.',
    advice: 'Correct the id or the file name.',
    failing: {
      files: {
        'gears/crd.yaml': GEAR_CRD,
        'gears/gear.resource.yaml': RESOURCE.replace('id: widget', 'id: gear'),
        'crd.yaml': WIDGET_CRD,
        'gear.resource.yaml': RESOURCE,
      },
    },
    passing: {
      files: {
        'gears/crd.yaml': GEAR_CRD,
        'gears/gear.resource.yaml': RESOURCE.replace('id: widget', 'id: gear'),
        'crd.yaml': WIDGET_CRD,
        'widget.resource.yaml': RESOURCE,
      },
    },
  },
  {
    id: 'resource-id-case',
    severity: 'warning',
    title: 'The id of a resource.yaml differs from the kind in case',
    why: 'The id is matched case-insensitively here, but other tools may expect the kind or its lowercase form.',
    advice: 'Use the kind as the id, or its lowercase form.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'resource.yaml': RESOURCE.replace('id: widget', 'id: WIDGET')}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'resource.yaml': RESOURCE}},
  },
  {
    id: 'ui-schema-encoding',
    severity: 'error',
    title: 'A ui-schema is not valid UTF-8',
    why: 'It is copied to an annotation, which is text.',
    advice: 'Save the file as UTF-8.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': {base64: 'dGl0bGU6IEz8ZnRlcgo='}}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': 'title: Lüfter\n'}},
  },
  {
    id: 'ui-schema-syntax',
    severity: 'warning',
    title: 'A ui-schema is not valid YAML',
    why: 'It is copied to an annotation unchanged, and user interfaces that draw a form from it fail. A duplicate key is also an error in YAML.',
    advice: 'Fix the line.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': 'version: 0.5\nversion: 0.6\n'}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': 'version: 0.6\n'}},
  },
  {
    id: 'annotations-size',
    severity: 'error',
    title: 'The annotations of a CRD exceed the limit of Kubernetes',
    why: 'Title, descriptions, readmes, icon and ui-schema of a CRD become its annotations, which are limited to 256 KiB in total. An API server rejects the CRD, so rendering fails.',
    advice: 'Shorten the icon, the readme or the ui-schema that apply to this CRD.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': `# ${'x'.repeat(256 * 1024)}\n`}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': `# ${'x'.repeat(200 * 1024)}\n`}},
  },
  {
    id: 'annotations-large',
    severity: 'warning',
    title: 'The annotations of a CRD are close to the limit of Kubernetes',
    why: 'An API server rejects a CRD with more than 256 KiB of annotations. This CRD uses more than 80 % of that.',
    advice: 'Shorten the icon, the readme or the ui-schema that apply to this CRD.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': `# ${'x'.repeat(250 * 1024)}\n`}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': `# ${'x'.repeat(200 * 1024)}\n`}},
  },
]
