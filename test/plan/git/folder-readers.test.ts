import {describe, expect, it} from '@jest/globals'
import {folderReaders} from '../../../src/plan/git/folder-readers.js'

const FOLDER = 'deploy/packages/packages'
const MOVING = {folder: FOLDER, names: ['kustomization.yaml', 'sql.yaml']}
const application = (source: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: mine}\nspec:\n  ${source}\n`
const sets = (path: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec:\n  generators:\n  - git:\n      directories:\n      - path: "${path}"\n`
const fileSets = (path: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec:\n  generators:\n  - git: {files: [{path: "${path}"}]}\n  template: {spec: {source: {path: '{{path}}'}}}\n`
const flux = (path: string) =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: mine}\nspec: {path: ${path}}\n`

describe('files that have a controller apply a folder', () => {
  it.each<{name: string; path?: string; in: string; want: readonly string[]}>([
    {name: 'an Application', in: application(`source: {path: ${FOLDER}}`), want: ['Application mine:5']},
    {
      name: 'one of its sources',
      in: application(`sources: [{path: x}, {path: ./${FOLDER}/}]`),
      want: ['Application mine:5'],
    },
    {name: 'a folder for each Application', in: sets('deploy/packages/*'), want: ['ApplicationSet all:8']},
    {name: 'a folder for each Application at any depth', in: sets('**'), want: ['ApplicationSet all:8']},
    {name: 'other folders for Applications', in: sets('deploy/*'), want: []},
    ...[
      'deploy/**/kustomization.yaml',
      'deploy/packages/**/packages/*.yaml',
      '**/*.yaml',
      'deploy/*/kustomization.yaml',
      `${FOLDER}/sql.yaml`,
    ].map(path => ({name: `its files ${path}`, in: fileSets(path), want: ['ApplicationSet all:6']})),
    ...['deploy/**/config.json', 'deploy/packages/kustomization.yaml', 'apps/**/kustomization.yaml'].map(
      path => ({name: `other files, ${path}`, in: fileSets(path), want: []}),
    ),
    ...[
      {what: 'the folder', path: FOLDER, want: []},
      {what: 'all beside the tree', path: 'deploy/packages/*', want: []},
      {what: 'another folder', path: 'deploy/packages/flux', want: ['ApplicationSet all:8']},
    ].map(({what, path, want}) => ({
      name: `a folder for each Application, without ${what}`,
      in: `${sets('deploy/packages/*')}      - {path: ${path}, exclude: true}\n`,
      want,
    })),
    {
      name: 'its files, without those of another folder',
      in: fileSets('**/*.yaml').replace('}]}', '}, {path: "apps/**", exclude: true}]}'),
      want: ['ApplicationSet all:6'],
    },
    {
      name: 'only what a generator leaves out',
      in: sets('apps/*').replace('"apps/*"', `apps/*\n      - path: ${FOLDER}\n        exclude: true`),
      want: [],
    },
    {
      name: 'an Application in a List',
      in: `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap}\n- apiVersion: argoproj.io/v1alpha1\n  kind: Application\n  metadata: {name: mine}\n  spec: {source: {path: ${FOLDER}}}\n`,
      want: ['Application mine:8'],
    },
    {
      name: 'an Application in a list of its kind',
      in: `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationList\nitems:\n- apiVersion: argoproj.io/v1alpha1\n  kind: Application\n  metadata: {name: mine}\n  spec: {source: {path: ${FOLDER}}}\n`,
      want: ['Application mine:7'],
    },
    {name: 'a Kustomization of Flux', in: flux(`./${FOLDER}`), want: ['Kustomization mine:4']},
    {name: 'the whole tree', in: flux('./deploy/packages'), want: []},
    {name: 'a similar name', in: flux(`./${FOLDER}-old`), want: []},
    {
      name: 'a kustomization beside the tree',
      path: 'deploy/kustomization.yaml',
      in: 'resources:\n- other\n- packages/packages\n',
      want: ['the Kustomization:3'],
    },
    {
      name: 'a kustomization elsewhere',
      path: 'clusters/a/kustomization.yml',
      in: `resources: [../../${FOLDER}/provider.yaml, https://example.org/x]\n`,
      want: ['the Kustomization:1'],
    },
    {
      name: 'a pipeline',
      path: '.github/workflows/ci.yaml',
      in: `on: {push: {paths: [${FOLDER}/**]}}\n`,
      want: [],
    },
    {
      name: 'another object',
      in: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {path: ${FOLDER}}\n`,
      want: [],
    },
    {
      name: 'a kustomization without an extension',
      path: 'deploy/Kustomization',
      in: 'resources:\n- packages/packages\n',
      want: ['the Kustomization:2'],
    },
    {
      name: 'JSON',
      path: 'apps/a.json',
      in: `{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "a"},\n"spec": {"source": {"path": "${FOLDER}"}}}`,
      want: ['Application a:2'],
    },
    {name: 'a text', path: 'README.md', in: application(`source: {path: ${FOLDER}}`), want: []},
  ])('are $name', ({path = 'apps/a.yaml', in: text, want}) => {
    const rejections = folderReaders([{path, bytes: Buffer.from(text)}], MOVING)
    expect(
      rejections.map(({message, line}) => `${message.split(' applies ')[0] ?? ''}:${line ?? 0}`),
    ).toEqual(want)
    expect(rejections.every(({file, rule}) => file === path && rule === 'move-between-applications')).toBe(
      true,
    )
  })

  it.each([
    {
      name: 'a template',
      path: 'charts/a/templates/a.yaml',
      in: `{{- range .x }}\n${sets('packages/*')}`,
      want: true,
    },
    {
      name: 'a broken kustomization',
      path: 'deploy/kustomization.yaml',
      in: 'resources: [packages',
      want: true,
    },
    {
      name: 'a template of something else',
      path: 'charts/a/templates/b.yaml',
      in: '{{- range .x }}\napiVersion: v1\nmetadata: {annotations: {argocd.argoproj.io/sync-wave: packages}}',
      want: false,
    },
  ])('are possible where $name cannot be parsed: $want', ({path, in: text, want}) => {
    const warnings = folderReaders([{path, bytes: Buffer.from(text)}], MOVING)
    expect(warnings.map(({severity, rule, file}) => ({severity, rule, file}))).toEqual(
      want ? [{severity: 'warning', rule: 'move-unread-file', file: path}] : [],
    )
  })
})
