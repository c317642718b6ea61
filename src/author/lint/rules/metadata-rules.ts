import type {LintRule} from '../lint-rule.js'
import {WIDGET_CRD, SQUARE_SVG} from './example-files.js'

const RESOURCE = 'id: widget\ntitle: Widget\ntitlePlural: Widgets\ncategory: Example\n'
const GROUP = 'title: Widgets\ncategory: Example\n'
const GEAR_CRD = WIDGET_CRD.replaceAll('widgets', 'gears')
  .replace('Widget', 'Gear')
  .replaceAll('example.org', 'example.net')

/** What can be wrong with the files that describe CRDs. */
export const METADATA_RULES: readonly LintRule[] = [
  {
    id: 'file-unrecognised',
    severity: 'warning',
    title: 'A file whose name means nothing',
    why: 'Files of a package are recognised by their names, to the letter; others are ignored without a word. `install.yml` installs nothing, and an rbac.yaml gives no rights.',
    advice: 'Rename the file, or leave it out of the package.',
    failing: {files: {'crds.yaml': WIDGET_CRD}},
    passing: {files: {'crd.yaml': WIDGET_CRD}},
  },
  {
    id: 'metadata-documents',
    severity: 'warning',
    title: 'A group.yaml or resource.yaml holds more than one document',
    why: 'Only the first one counts; what the others say is lost.',
    advice: 'Give each its own file.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'resource.yaml': `${RESOURCE}---\nid: gear\n`}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'resource.yaml': RESOURCE}},
  },
  {
    id: 'metadata-orphan',
    severity: 'warning',
    title: 'A file describes no CRD of the package',
    why: 'A group.yaml, resource.yaml, icon or ui-schema applies to CRDs in its own folder and below: by its id or by the kind that its name begins with, in lower case. What matches none is carried along and shown nowhere, often since a kind was renamed or removed.',
    advice: 'Move or rename the file so that it meets its CRD, or remove it.',
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
    title: 'A group.yaml or resource.yaml that never counts',
    why: 'For each CRD the nearest counts, and of several resource.yaml with one id in a folder the last by name. This one is behind another for every CRD it could describe.',
    advice: 'Keep one of the two.',
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
    title: 'A file is for a version that the kind does not have',
    why: 'The version in its name is for people: the file applies to the kind all the same, so it shows something of another version.',
    advice:
      'Bring it up to the version that the CRD has and rename it, or leave the version out of the name.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'widget.v1beta1.icon.svg': SQUARE_SVG}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'widget.v1alpha1.icon.svg': SQUARE_SVG}},
  },
  {
    id: 'group-mismatch',
    severity: 'warning',
    title: 'A group.yaml is for another API group than the CRDs it describes',
    why: 'The group that it names, or that its folder is called after, is not that of the CRDs in its folder and below. Folders mean nothing to Kubernetes, so these CRDs get the description of a group that is not theirs.',
    advice: 'Move the CRDs or the group.yaml, or correct the group in it.',
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
    title: 'One group.yaml describes CRDs of several API groups',
    why: 'It applies to every CRD in its folder and below, whichever group that is of.',
    advice: 'Give each group a folder with a group.yaml of its own.',
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
    title: 'A resource.yaml is named after one kind and describes another',
    why: 'Its id decides, and its name is for people. Usually the file was copied, and now one kind carries the description of another.',
    advice: 'Correct the id or the name of the file.',
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
    why: 'It is matched whatever its case, but only as the kind or in lower case is it what everybody writes; other tools may not find it.',
    advice: 'Write the id as the kind, or in lower case.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'resource.yaml': RESOURCE.replace('id: widget', 'id: WIDGET')}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'resource.yaml': RESOURCE}},
  },
  {
    id: 'ui-schema-encoding',
    severity: 'error',
    title: 'A ui-schema is no UTF-8 text',
    why: 'It is copied into an annotation, which is text.',
    advice: 'Save the file as UTF-8.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': {base64: 'dGl0bGU6IEz8ZnRlcgo='}}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': 'title: Lüfter\n'}},
  },
  {
    id: 'ui-schema-syntax',
    severity: 'warning',
    title: 'A ui-schema is no YAML',
    why: 'It is copied into an annotation as it is, and what draws a form from it will fail. A key that is given twice is an error in YAML, too.',
    advice: 'Mend the line.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': 'version: 0.5\nversion: 0.6\n'}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': 'version: 0.6\n'}},
  },
  {
    id: 'annotations-size',
    severity: 'error',
    title: 'The annotations of a CRD are larger than Kubernetes allows',
    why: 'Title, descriptions, readmes, icon and ui-schema of a CRD become its annotations, which together may take 256 KiB. An API server refuses the CRD, so rendering does.',
    advice: 'Shorten the icon, the readme or the ui-schema that apply to this CRD.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': `# ${'x'.repeat(256 * 1024)}\n`}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': `# ${'x'.repeat(200 * 1024)}\n`}},
  },
  {
    id: 'annotations-large',
    severity: 'warning',
    title: 'The annotations of a CRD take most of what Kubernetes allows',
    why: 'Above 256 KiB an API server refuses the CRD, and above four fifths of that the next readme may be the one too many.',
    advice: 'Shorten the icon, the readme or the ui-schema that apply to this CRD.',
    failing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': `# ${'x'.repeat(250 * 1024)}\n`}},
    passing: {files: {'crd.yaml': WIDGET_CRD, 'ui-schema.yaml': `# ${'x'.repeat(200 * 1024)}\n`}},
  },
]
