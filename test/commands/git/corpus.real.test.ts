import {expect, it} from '@jest/globals'
import {join} from 'node:path'
import {programCommand} from '../../built-program.js'
import {CORPUS_ROOT, corpusEntries, describeCorpus} from '../../corpus.js'
import {runCli} from '../../run-cli.js'
import {runProgram} from '../../run-program.js'
import {GitWorlds} from './git-world.js'

/** Settings of a machine, none of which may change the output. */
const ENVIRONMENTS = [
  {TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8'},
  {TZ: 'America/St_Johns', LANG: 'C', LC_ALL: 'C'},
  {TZ: 'Asia/Kathmandu', LANG: 'de_DE.ISO-8859-1', LANGUAGE: 'sv'},
]
const UMASKS = ['0077', '0002', '0000']
const LAYOUTS = [
  'layout: plain',
  'layout: flux',
  'layout: argocd\nargocd: {repoURL: https://git.example.org/team/deploy}',
]

/** All packages of the corpus, with one version of each in every declaration. */
function declarations(): readonly (readonly string[])[] {
  const homes: string[][] = []
  for (const name of corpusEntries('corpus').filter(each => each.includes('@'))) {
    const isSame = (other: string) => other.replace(/@.*/, '') === name.replace(/@.*/, '')
    const free = homes.find(names => !names.some(isSame))
    if (free === undefined) homes.push([name])
    else free.push(name)
  }
  return homes
}

const homes = declarations().map((packages, index) => ({
  packages,
  env: ENVIRONMENTS[index % ENVIRONMENTS.length] ?? {},
  umask: UMASKS[index % UMASKS.length] ?? '',
  layout: LAYOUTS[index % LAYOUTS.length] ?? '',
}))
type CorpusHome = (typeof homes)[number]

function declarationOf({packages, layout}: CorpusHome): string {
  const entries = packages.map(name => `- package: ${name.replace('@', ':')}\n  namespace: team-a\n`)
  return [
    'apiVersion: packages.kubectl-crossplane.dev/v1alpha1',
    'kind: PackageDeclaration',
    layout,
    'packages:',
    entries.join(''),
  ].join('\n')
}

/** Renders in a process of its own, with the settings of another machine. */
async function renderElsewhere({umask, env}: CorpusHome, ...args: readonly string[]) {
  const command = programCommand('package', 'render', ...args).flat()
  return await runProgram('/bin/sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', ...command], {env})
}

describeCorpus('every real package, rendered again in a clone', () => {
  const worlds = new GitWorlds()

  it('is in one of the declarations', () => {
    const names = corpusEntries('corpus').filter(name => name.includes('@'))
    expect(homes.flatMap(({packages}) => packages).sort()).toEqual(names)
    expect(names.length).toBeGreaterThan(homes.length)
  })

  it.each(homes)('has no difference: $packages', async home => {
    const repository = worlds.repository({'deploy/crossplane-packages.yaml': declarationOf(home)})
    repository.git('config', 'core.autocrlf', 'true')
    const from = (root: string) => {
      const at = (name: string) => join(root, 'deploy', name)
      return ['--declaration', at('crossplane-packages.yaml'), '--packages', join(CORPUS_ROOT, 'corpus')]
    }
    const place = [...from(repository.root), '--output-dir', repository.at('deploy/packages')]
    expect(await runCli('package', 'lock', ...from(repository.root))).toMatchObject({status: 0})
    expect(await renderElsewhere(home, ...place)).toMatchObject({status: 0})
    repository.git('add', '--all')
    repository.git('commit', '--quiet', '--message=packages')
    const clone = worlds.clone(repository, '--config', 'core.autocrlf=true')
    const again = ['--output-dir', clone.at('deploy/packages'), ...from(clone.root)]
    const stderr = expect.stringMatching(/: \d{2,} unchanged\n/)
    expect(await runCli('package', 'check', ...again)).toMatchObject({status: 0, stdout: '', stderr})
    expect(clone.status()).toBe('')
  })
})
