import {expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {writeLock} from '../../../src/declaration/write-lock.js'
import {openCheckout} from '../../../src/adapters/git/checkout.js'
import {formerPackage, lockedHistory} from '../../../src/pipeline/home/locked-history.js'
import {homeIn} from '../../../src/plan/folder/home.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {temporaryFolder} from '../../temporary-folder.js'

const SQL = 'registry.example.org/example/sql'
const HASH = `sha256:${'a'.repeat(64)}`
const QUEUE = 'registry.example.org/example/queue'

function lockText(versions: Readonly<Record<string, string>>): string {
  const xpkgs = Object.entries(versions).map(([repository, tag]) => ({
    ...{
      repository,
      tag,
      kind: 'Provider',
      summaryHash: HASH,
      mode: 'requested' as const,
      requires: {},
      more: {},
    },
  }))
  const none = {packages: [], acceptedMismatches: [], assumptions: {}, more: {}}
  return writeLock({requestHash: HASH, renderVersion: 1, ...none, xpkgs})
}

describeReal('the versions in the commits of a lock', missingTool('git'), () => {
  const root = temporaryFolder()
  let seconds = 1_700_000_000
  const git = (...args: readonly string[]) => {
    const env = {...process.env, GIT_COMMITTER_DATE: `${seconds++} +0000`}
    execFileSync('git', ['-C', root, ...args], {env, stdio: 'pipe'})
  }
  const commit = (versions: Readonly<Record<string, string>>, subject: string) => {
    writeFileSync(join(root, 'crossplane-packages.lock'), lockText(versions))
    git('add', '--all')
    git('commit', '--quiet', `--message=${subject}`)
  }

  it('are those of the branch, also where a merged branch had earlier ones', async () => {
    git('init', '--quiet', '--initial-branch=main')
    git('config', 'user.name', 'a')
    git('config', 'user.email', 'a@example.org')
    commit({[SQL]: 'v1.0.0'}, 'first')
    git('branch', 'side')
    commit({[SQL]: 'v2.0.0'}, 'second')
    git('checkout', '--quiet', 'side')
    // By its date, this commit is between those of main.
    commit({[SQL]: 'v1.0.0', [QUEUE]: 'v1.0.0'}, 'side')
    git('checkout', '--quiet', 'main')
    commit({[SQL]: 'v3.0.0'}, 'third')
    git('merge', '--quiet', '--no-commit', '--strategy=ours', 'side')
    commit({[SQL]: 'v3.0.0', [QUEUE]: 'v1.0.0'}, 'merge')

    const checkout = await openCheckout(root)
    const historyOf = async (name: string) => {
      const {revisions} = await lockedHistory(name, homeIn(''), checkout)
      return revisions.map(({version, commit: {subject}}) => `${version ?? ''} ${subject}`)
    }
    expect(await historyOf(SQL)).toEqual(['v1.0.0 first', 'v2.0.0 second', 'v3.0.0 third'])
    expect(await historyOf(QUEUE)).toEqual(['v1.0.0 merge'])
    // The last part of the repository.
    expect(await historyOf('queue')).toEqual(['v1.0.0 merge'])
    const near = expect.arrayContaining(['Did you mean provider.pkg.crossplane.io/example-sql?']) as unknown
    await expect(historyOf('example-sqk')).rejects.toMatchObject({code: 'not-found', suggestions: near})
    await expect(formerPackage({name: 'example-sqk'}, homeIn(''), checkout)).rejects.toMatchObject({
      suggestions: near,
    })
    expect(await formerPackage({name: SQL}, homeIn(''), checkout)).toMatchObject({xpkg: {tag: 'v2.0.0'}})
    commit({[SQL]: 'v3.0.0'}, 'uninstall')
    const rolledBack = formerPackage({name: QUEUE}, homeIn(''), checkout)
    await expect(rolledBack).rejects.toThrow(/: it was uninstalled in [0-9a-f]{12}$/)
    await expect(rolledBack).rejects.toMatchObject({
      suggestions: [expect.stringContaining(`${QUEUE}:v1.0.0`)],
    })
  })
})
