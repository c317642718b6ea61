import {expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {CORPUS_ROOT, describeCorpus} from '../corpus.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {declarationWith, type FieldAndFlag, SETTINGS} from './settings-as-flags.js'

const folder = temporaryFolder()
const PACKAGES = ['--packages', join(CORPUS_ROOT, 'corpus')]

/** Settings that change the bytes of each real package. */
const VISIBLE = [
  ...['render.api', 'render.base', 'render.createNamespace'],
  ...['render.includeRequest', 'render.kubeVersion', 'render.crdVersion'],
]

describeCorpus('a setting of a declaration of real packages', () => {
  async function renderedWith(
    reference: string,
    settings: readonly FieldAndFlag[],
    flags: readonly string[] = [],
  ) {
    const root = writeTree(mkdtempSync(join(folder, 'declared-')), {
      'wanted.yaml': declarationWith(settings, `- {package: "${reference}", namespace: team-a}\n`),
    })
    const declaration = ['--declaration', join(root, 'wanted.yaml')]
    const {status, stdout} = await runCli('package', 'render', ...declaration, ...PACKAGES, ...flags)
    return {status, stdout}
  }

  it.each(SETTINGS)('renders as its flag: $field', async setting => {
    for (const reference of ['provider-rook:v0.7.0', 'app-wordpress:v0.5.0']) {
      const byField = await renderedWith(reference, [setting])
      expect(byField).toEqual(await renderedWith(reference, [], setting.flags))
      if (VISIBLE.includes(setting.field)) expect(byField).not.toEqual(await renderedWith(reference, []))
    }
  })
})
