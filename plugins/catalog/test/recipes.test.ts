import {describe, expect, it} from '@jest/globals'
import {chmodSync, existsSync, mkdtempSync, readFileSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {asObject, asObjects, asText, asTexts, type JsonObject, readYaml} from 'kubectl-crossplane/plugin'
import {IndexedWorlds} from '../../../test/commands/indexed-world.js'
import {runCliWith} from '../../../test/run-cli.js'
import {runProgram} from '../../../test/run-program.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'

const SRC = join(import.meta.dirname, '../src')
const home = temporaryFolder()
const worlds = new IndexedWorlds()
const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/catalog.md'), 'utf8')

/** The recipe of docs/catalog.md whose first line names a file. */
function recipe(file: string): JsonObject {
  const [, text = ''] =
    new RegExp(`\`\`\`yaml\n# ${file.replaceAll('.', '\\.')}\n([^]*?)\`\`\``).exec(PAGE) ?? []
  return asObject(readYaml(Buffer.from(text), file)[0]?.value)
}

/** Returns the words that each command of a script passes to kubectl, as the shell of a runner splits them. */
async function kubectlWords(lines: readonly string[]): Promise<readonly (readonly string[])[]> {
  const record = join(mkdtempSync(join(home, 'run-')), 'words')
  writeTree(home, {'bin/kubectl': `#!/bin/sh\nprintf '%s\\n' "$@" -- >> '${record}'\n`})
  chmodSync(join(home, 'bin/kubectl'), 0o755)
  const env = {PATH: [join(home, 'bin'), process.env.PATH].join(delimiter)}
  const run = await runProgram('bash', ['-e', '-o', 'pipefail', '-c', lines.join('\n')], {env})
  expect(run).toMatchObject({status: 0, stderr: ''})
  const commands = readFileSync(record, 'utf8').split('--\n').slice(0, -1)
  return commands.map(command => command.trimEnd().split('\n'))
}

/** Runs a script twice, with the files of the first run in the cache, and returns how each ended. */
async function runTwice(lines: readonly string[], folder: string) {
  const [words = [], ...others] = await kubectlWords(lines)
  expect([words[0], others]).toEqual(['crossplane', []])
  const world = await worlds.filled()
  const cwd = mkdtempSync(join(home, 'checkout-'))
  const places = new Map([
    ['registry.example.org/index', world.root],
    [folder, join(cwd, folder)],
  ])
  const args = words.slice(1).map(word => places.get(word) ?? word)
  const run = async () => await runCliWith(SRC, ...args, '--cache-dir', world.cache)
  return {first: await run(), second: await run(), isBuilt: existsSync(join(cwd, folder, 'index.html'))}
}

/** What both runs end with. */
const ENDED = {
  first: {status: 0},
  second: {status: 0, stderr: expect.stringMatching(/: 0 written, 0 deleted/)},
  isBuilt: true,
}

describe('the recipes of docs/catalog.md', () => {
  it('build a site on GitHub, of the folder that is kept in the cache and published', async () => {
    const workflow = recipe('.github/workflows/catalog.yaml')
    expect(workflow.permissions).toEqual({contents: 'read', pages: 'write', 'id-token': 'write'})
    const {environment, steps: all} = asObject(asObject(workflow.jobs).catalog)
    expect(environment).toEqual({name: 'github-pages'})
    const steps = asObjects(all)
    const actions = steps.flatMap(({uses}) =>
      uses === undefined ? [] : [asText(uses).replace(/@v\d+$/, '')],
    )
    expect(actions).toEqual(['actions/cache', 'actions/upload-pages-artifact', 'actions/deploy-pages'])
    const paths = steps.flatMap(step => asText(asObject(step.with).path) || [])
    expect(paths).toEqual(['site', 'site'])
    const lines = steps.flatMap(({run}) => asText(run) || [])
    expect(await runTwice(lines, 'site')).toMatchObject(ENDED)
  })

  it('build a site on GitLab, of the folder that its job publishes', async () => {
    const {pages} = recipe('.gitlab-ci.yml')
    const {script, artifacts, cache} = asObject(pages)
    expect([asObject(artifacts).paths, asObject(cache).paths]).toEqual([['public'], ['public']])
    expect(await runTwice(asTexts(script), 'public')).toMatchObject(ENDED)
  })
})
