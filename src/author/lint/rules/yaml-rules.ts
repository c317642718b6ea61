import type {LintRule} from '../lint-rule.js'
import {WIDGET_CRD} from './example-files.js'

/** What can be wrong with a file before anybody asks what it means. */
export const YAML_RULES: readonly LintRule[] = [
  {
    id: 'yaml-syntax',
    severity: 'error',
    title: 'The file is no YAML',
    why: 'Nothing in the file can be read, so the package cannot be rendered.',
    advice: 'Mend the line, or the one before it: quotes, brackets and indentation are the usual causes.',
    failing: {files: {'app.yaml': 'title: "Example\npermissionScope: Cluster\n'}},
    passing: {files: {'app.yaml': 'title: "Example"\npermissionScope: Cluster\n'}},
  },
  {
    id: 'yaml-encoding',
    severity: 'error',
    title: 'The file is no text that readers of YAML take',
    why: 'YAML is UTF-8 here. Control characters and line breaks that only some readers know are refused by Kubernetes, or read differently.',
    advice: 'Save the file as UTF-8, and write such characters as escapes within double quotes.',
    failing: {files: {'app.yaml': 'title: Exam\u0007ple\npermissionScope: Cluster\n'}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\n'}},
  },
  {
    id: 'yaml-limit',
    severity: 'error',
    title: 'The file is larger, deeper or more repetitive than a file of a package may be',
    why: 'Every size is bounded, so that a hostile package cannot exhaust the machine of those who look at it.',
    advice: 'Split or flatten the file.',
    failing: {
      files: {
        'group.yaml': `title: ${'['.repeat(101)}${']'.repeat(101)}\n`,
        'crd.yaml': WIDGET_CRD,
      },
    },
    passing: {files: {'group.yaml': 'title: Widgets\n', 'crd.yaml': WIDGET_CRD}},
  },
  {
    id: 'yaml-number',
    severity: 'error',
    title: 'A number is too large for JSON',
    why: 'Kubernetes works with JSON, which has no infinities, and integers of at most 64 bits. Such a number would be rounded or refused.',
    advice: 'Quote it if it is text; else write one that fits.',
    failing: {
      files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nversion: 20200601120000000000\n'},
    },
    passing: {
      files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nversion: "20200601120000000000"\n'},
    },
  },
  {
    id: 'yaml-alias-cycle',
    severity: 'error',
    title: 'An alias stands inside of what it repeats',
    why: 'Such a value would be endless.',
    advice: 'Write the value out.',
    failing: {
      files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nkeywords: &all [widgets, *all]\n'},
    },
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nkeywords: &all [widgets]\n'}},
  },
  {
    id: 'yaml-key',
    severity: 'error',
    title: 'A key is none in JSON',
    why: 'Kubernetes works with JSON, where a key is text: it can be no list, no mapping and not null.',
    advice: 'Quote the key, or write what was meant: often a template was never filled in.',
    failing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\n? [version]\n: v0.1.0\n'}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nversion: v0.1.0\n'}},
  },
  {
    id: 'duplicate-key',
    severity: 'error',
    title: 'A key is given twice',
    why: 'The last one counts and the others are lost, while other readers refuse the file.',
    advice: 'Remove all but one.',
    failing: {
      files: {'app.yaml': 'title: Example\npermissionScope: Cluster\ncategory: Database\ncategory: Cache\n'},
    },
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\ncategory: Cache\n'}},
  },
  {
    id: 'yaml-scalar',
    severity: 'warning',
    title: 'Readers of YAML disagree on a value or key',
    why: 'Kubernetes reads YAML as Go does: `yes`, `y` and `on` are true, `0777` is 511, `1_000` is 1000, and a date or `12:30` is text. Readers of YAML 1.2 and 1.1 take some of these for something else, and so may whoever wrote the file. A property called `y` becomes one called `true`.',
    advice: 'Quote it if it is text; else write it as everybody reads it, such as true or 511.',
    failing: {
      files: {
        'crd.yaml': WIDGET_CRD.replace(
          '          type: object\n',
          '          type: object\n          properties:\n            x:\n              type: integer\n            y:\n              type: integer\n',
        ),
      },
    },
    passing: {
      files: {
        'crd.yaml': WIDGET_CRD.replace(
          '          type: object\n',
          '          type: object\n          properties:\n            x:\n              type: integer\n            "y":\n              type: integer\n',
        ),
      },
    },
  },
  {
    id: 'text-converted',
    severity: 'warning',
    title: 'A number or boolean stands where text is wanted, and becomes text',
    why: 'The text is what the value means and not what was written: `1.10` becomes `1.1`, and `yes` becomes `true`.',
    advice: 'Quote it.',
    failing: {
      files: {'group.yaml': 'title: 1.10\ncategory: Database\n', 'crd.yaml': WIDGET_CRD},
    },
    passing: {
      files: {'group.yaml': 'title: "1.10"\ncategory: Database\n', 'crd.yaml': WIDGET_CRD},
    },
  },
  {
    id: 'field-type',
    severity: 'error',
    title: 'A field has a value of the wrong type',
    why: 'What the field says cannot be used, so the package cannot be rendered. In app.yaml, text has to be text: a version `1.0` is a number.',
    advice: 'Write a value of the type that the message names; quote what is text.',
    failing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nversion: 1.0\n'}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nversion: "1.0"\n'}},
  },
  {
    id: 'unknown-field',
    severity: 'warning',
    title: 'A field is not known here',
    why: 'It is left out, so nobody who installs the package will see what it says.',
    advice: 'Remove it, or give it the name that was meant: a description of a package is its overview.',
    failing: {
      files: {'app.yaml': 'title: Example\npermissionScope: Cluster\ndescription: Widgets for all.\n'},
    },
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\noverview: Widgets for all.\n'}},
  },
  {
    id: 'field-case',
    severity: 'error',
    title: 'A field is written in the wrong case',
    why: 'Go reads it all the same, other tools do not; and where it is given in both cases only one counts.',
    advice: 'Write it as the message says.',
    failing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nCategory: Database\n'}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\ncategory: Database\n'}},
  },
  {
    id: 'too-many',
    severity: 'warning',
    title: 'More was found than is listed',
    why: 'Nobody reads more than a thousand lines; what is not listed may be anything.',
    advice: 'Mend what is listed and run lint again: often one mistake repeats.',
    beside: ['unknown-field'],
    failing: {files: {'app.yaml': `title: Example\npermissionScope: Cluster\n${unknownFields(1001)}`}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\n'}},
  },
]

function unknownFields(count: number): string {
  return `${Array.from({length: count}, (_, index) => `"x-${index}": 1`).join('\n')}\n`
}
