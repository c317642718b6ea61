import type {LintRule} from '../lint-rule.js'
import {WIDGET_CRD} from './example-files.js'

/** Rules for YAML of any kind of file. */
export const YAML_RULES: readonly LintRule[] = [
  {
    id: 'yaml-syntax',
    severity: 'error',
    title: 'The file is not valid YAML',
    why: 'The file cannot be read, so the package cannot be rendered.',
    advice: 'Fix the line, or the one before it: common causes are quotes, brackets and indentation.',
    failing: {files: {'app.yaml': 'title: "Example\npermissionScope: Cluster\n'}},
    passing: {files: {'app.yaml': 'title: "Example"\npermissionScope: Cluster\n'}},
  },
  {
    id: 'yaml-encoding',
    severity: 'error',
    title: 'The file contains text that YAML does not allow',
    why: 'Files must be UTF-8. Control characters and unusual line breaks are rejected by Kubernetes or read differently by other tools.',
    advice: 'Save the file as UTF-8, and write such characters as escapes in double quotes.',
    failing: {files: {'app.yaml': 'title: Exam\u0007ple\npermissionScope: Cluster\n'}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\n'}},
  },
  {
    id: 'yaml-limit',
    severity: 'error',
    title: 'The file exceeds a size limit',
    why: 'Size, depth and repetition are limited, so that a hostile package cannot exhaust memory or time.',
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
    why: 'Kubernetes uses JSON, which has no infinity, and integers of at most 64 bits. The number would be rounded or rejected.',
    advice: 'Quote it if it is text; otherwise, use a smaller number.',
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
    title: 'An alias refers to a value that contains it',
    why: 'Such a value would be infinite.',
    advice: 'Replace the alias with the value.',
    failing: {
      files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nkeywords: &all [widgets, *all]\n'},
    },
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nkeywords: &all [widgets]\n'}},
  },
  {
    id: 'yaml-key',
    severity: 'error',
    title: 'A key is not a string',
    why: 'Kubernetes uses JSON, where keys are strings: a key cannot be a list, a mapping or null.',
    advice: 'Quote the key, or correct it: often a template placeholder was not replaced.',
    failing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\n? [version]\n: v0.1.0\n'}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nversion: v0.1.0\n'}},
  },
  {
    id: 'duplicate-key',
    severity: 'error',
    title: 'A key is given twice',
    why: 'The last value is used and the others are ignored. Other YAML readers reject the file.',
    advice: 'Remove all but one.',
    failing: {
      files: {'app.yaml': 'title: Example\npermissionScope: Cluster\ncategory: Database\ncategory: Cache\n'},
    },
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\ncategory: Cache\n'}},
  },
  {
    id: 'yaml-scalar',
    severity: 'warning',
    title: 'YAML readers disagree about a value or key',
    why: 'Kubernetes reads YAML as Go does: `yes`, `y` and `on` are true, `0777` is 511, `1_000` is 1000, and a date or `12:30` is a string. YAML 1.1 and 1.2 readers read some of these differently. For example, a property named `y` becomes one named `true`.',
    advice:
      'Quote the value if it is text; otherwise, use a form that all readers agree on, such as true or 511.',
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
    title: 'A number or boolean is converted to text',
    why: 'The field is text. It gets the canonical form of the value instead of the characters in the file: `1.10` becomes `1.1`, and `yes` becomes `true`.',
    advice: 'Quote the value.',
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
    why: 'The value cannot be used, so the package cannot be rendered. Text in app.yaml must be a string: an unquoted version `1.0` is a number.',
    advice: 'Use a value of the type that the message names; quote text.',
    failing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nversion: 1.0\n'}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nversion: "1.0"\n'}},
  },
  {
    id: 'unknown-field',
    severity: 'warning',
    title: 'Unknown field',
    why: 'The field is ignored.',
    advice:
      'Remove the field, or correct its name: for example, the description of a package is its overview.',
    failing: {
      files: {'app.yaml': 'title: Example\npermissionScope: Cluster\ndescription: Widgets for all.\n'},
    },
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\noverview: Widgets for all.\n'}},
  },
  {
    id: 'field-case',
    severity: 'error',
    title: 'A field name has the wrong case',
    why: 'Go reads it regardless of case, but other tools do not; if both spellings exist, only one is used.',
    advice: 'Use the name that the message gives.',
    failing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\nCategory: Database\n'}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\ncategory: Database\n'}},
  },
  {
    id: 'too-many',
    severity: 'warning',
    title: 'Not all problems are listed',
    why: 'Only the first 1,000 errors and warnings are listed.',
    advice: 'Fix the listed problems and run lint again: often one mistake repeats.',
    beside: ['unknown-field'],
    failing: {files: {'app.yaml': `title: Example\npermissionScope: Cluster\n${unknownFields(1001)}`}},
    passing: {files: {'app.yaml': 'title: Example\npermissionScope: Cluster\n'}},
  },
]

function unknownFields(count: number): string {
  return `${Array.from({length: count}, (_, index) => `"x-${index}": 1`).join('\n')}\n`
}
