import {SQUARE_PNG} from '../../../src/author/lint/rules/example-files.js'
import {app, describeFindings} from './lint-case.js'

describeFindings('app.yaml', [
  {
    name: 'a version with or without v',
    reason: 'both are common',
    files: {'app.yaml': app('version: 0.1.0')},
    reference: 'a/b:v0.1.0',
    want: [],
  },
  {
    name: 'a version without a known tag',
    reason: 'a folder has none',
    files: {'app.yaml': app('version: 0.1.0')},
    want: [],
  },
  {
    name: 'a version that is only a digest away',
    reason: 'there is no tag to compare with',
    files: {'app.yaml': app('version: 0.1.0')},
    reference: `a/b@sha256:${'0'.repeat(64)}`,
    want: [],
  },
  {
    name: 'a title that is not a text',
    reason: 'it is not missing',
    files: {'app.yaml': 'title: 5\npermissionScope: Cluster\n'},
    want: ['app.yaml:1 title [field-type]'],
  },
  {
    name: 'icons within it',
    reason: 'they are checked like files',
    files: {
      'app.yaml': app(
        'icons:',
        `- {mediatype: image/png, base64Data: ${SQUARE_PNG.base64}}`,
        `- {mediatype: image/gif, base64Data: ${SQUARE_PNG.base64}}`,
        `- {mediatype: image/png, base64Data: iVBORw0KGgo=}`,
      ),
    },
    want: ['app.yaml:5 icons[1] [icon-content]', 'app.yaml:6 icons[2] [icon-corrupt]'],
  },
])
