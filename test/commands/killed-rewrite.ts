import {join} from 'node:path'
import {JOURNAL, STAGING} from '../../src/commit/journal.js'
import {runCli} from '../run-cli.js'
import {writeTree} from '../temporary-folder.js'
import {contentOf, visibleIn} from './folder-content.js'

/** Files in an output folder that the program did not write. */
const FOREIGN = {
  'README.md': 'mine\n',
  'crds/mine.txt': 'mine too\n',
  'installs/mine/deep.yaml': 'kind: Mine\n',
}

/** What a write leaves behind while it goes on: first the new contents, then a journal of what is done with them. */
export const SIGNS = [STAGING, JOURNAL]

const definition = (kind: string, description: string) => `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: ${kind}s.example.org}
spec:
  group: example.org
  names: {kind: ${kind}, plural: ${kind}s}
  scope: Cluster
  version: v1
  validation: {openAPIV3Schema: {type: object, description: '${description}'}}
`

/** A render that changes an output folder, to be killed. */
export interface Rewrite {
  /** The arguments of the program, to which the output folder is added. */
  readonly command: readonly string[]
  /** The folder to start from: rendered before from another package, with files of the user. */
  readonly before: string
  /** The files of an undisturbed run, and those of the user. */
  readonly after: Readonly<Record<string, string>>
  /** Paths of files that are neither as they were nor as they are to be. */
  readonly wrongIn: (folder: string) => readonly string[]
}

/**
 * Prepares in `area` a render of forty CRDs over one of forty others: some files are created, most are replaced, and
 * some are deleted.
 */
export async function prepareRewrite(area: string): Promise<Rewrite> {
  const [before, clean] = [join(area, 'before'), join(area, 'clean')]
  const command = packageOf(area, 'second', 10)
  await runCli(...packageOf(area, 'first', 0), before)
  writeTree(before, FOREIGN)
  await runCli(...command, clean)
  const known = [visibleIn(before), visibleIn(clean)]
  return {
    command,
    before,
    after: {...contentOf(clean), ...FOREIGN},
    wrongIn: folder => {
      const found = visibleIn(folder)
      const odd = Object.keys(found).filter(path => !known.some(files => files[path] === found[path]))
      return [...odd, ...Object.keys(FOREIGN).filter(path => found[path] === undefined)]
    },
  }
}

function packageOf(area: string, name: string, from: number): readonly string[] {
  const kinds = Array.from({length: 40}, (_, index) => `kind${from + index}`)
  writeTree(join(area, name), {
    '.registry/app.yaml': `title: ${name}\nversion: 1.0.0\npermissionScope: Cluster\n`,
    '.registry/all.crd.yaml': kinds.map(kind => definition(kind, name)).join('---'),
  })
  return ['package', 'render', join(area, name), 'many', '--output-dir']
}
