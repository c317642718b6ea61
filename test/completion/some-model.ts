import {modelOfManifests} from '../../src/completion/model-of-manifests.js'

const FLAGS = {
  output: {name: 'output', char: 'o', type: 'option', options: ['json', 'yaml'], summary: 'Output format'},
  format: {name: 'format', type: 'option', helpValue: 'FORMAT'},
  declaration: {name: 'declaration', type: 'option', helpValue: 'FILE', summary: 'Declaration'},
  'output-dir': {name: 'output-dir', type: 'option', helpValue: 'DIR'},
  index: {name: 'index', type: 'option', multiple: true, helpValue: 'ROOT|FILE'},
  explain: {name: 'explain', type: 'option', helpValue: 'RULE'},
  namespace: {name: 'namespace', char: 'n', type: 'option', helpValue: 'NAME'},
  kubeconfig: {name: 'kubeconfig', type: 'option', helpValue: 'FILE'},
  context: {name: 'context', type: 'option', helpValue: 'NAME'},
  locked: {name: 'locked', type: 'boolean', summary: 'Use the lock'},
  cluster: {name: 'cluster', char: 'c', type: 'boolean', hidden: true},
} as const

/** Commands with a flag and an argument of each kind. */
export const SOME_MODEL = modelOfManifests(
  [
    {
      commands: {
        version: {summary: 'Print the version', flags: {output: FLAGS.output}},
        'package:render': {summary: 'Render', flags: FLAGS, args: {ref: {name: 'ref'}, name: {name: 'name'}}},
        'package:pull': {strict: false, args: {ref: {name: 'ref'}}},
        'package:why': {args: {name: {name: 'name'}}},
        'package:migrate': {args: {crd: {name: 'crd'}}, strict: false},
        'package:uninstall': {args: {name: {name: 'name'}}},
        'package:secret': {hidden: true},
        'registry:index:import': {args: {file: {name: 'file'}}},
        'registry:logout': {summary: 'Log out', args: {host: {name: 'host'}}},
        completion: {args: {shell: {name: 'shell', options: ['bash', 'zsh']}}},
      },
    },
    {commands: {trace: {summary: 'Trace'}}},
  ],
  {
    package: {description: 'Packages'},
    registry: {description: 'Registries'},
    'registry:index': {description: 'Indexes'},
  },
  [
    {id: 'app-missing', title: 'app.yaml is missing'},
    {id: 'crd-name', title: 'The name is wrong'},
  ],
)
