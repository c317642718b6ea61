import {expect, it} from '@jest/globals'
import {cpSync, rmSync} from 'node:fs'
import {runTool} from '../../../test/commands/git/git-world.js'
import {schemaOf, schemaViolations} from '../../../test/json-schema.js'
import {missingTool} from '../../../test/missing-tool.js'
import {describeReal} from '../../../test/real-parts.js'
import {type Homes, NAME, runFleet, threeHomes} from './homes-world.js'

/** Git in the folder of homes, with an author. */
function gitIn({root}: Homes) {
  return (...args: readonly string[]) =>
    runTool('git', '-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args)
}

describeReal('the homes of package fleet in a repository', missingTool('git'), () => {
  it('wait for a commit of what is rendered, in a repository', async () => {
    const homes = await threeHomes(['v1.1.0', 'v1.1.0', 'v1.0.0'])
    const git = gitIn(homes)
    const fleet = async (...args: readonly string[]) =>
      await runFleet('package', 'fleet', homes.at('clusters'), ...args)
    git('init', '--quiet')
    const before = await fleet()
    expect(before.stdout).toContain(`canary ${NAME}: not committed\n`)
    expect(before.status).toBe(1)
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Add homes')
    expect(await fleet()).toMatchObject({status: 0})
    // All files are as those of another home, which are not committed here.
    for (const name of ['crossplane-packages.yaml', 'crossplane-packages.lock', 'packages'])
      cpSync(homes.at(`clusters/canary/${name}`), homes.at(`clusters/production/${name}`), {recursive: true})
    const after = await fleet('--output', 'wide')
    expect(after.stdout).toMatch(
      /production +\S+ +v1\.1\.0 +v1\.1\.0 +v1\.1\.0 +v1\.0\.0 +the last commit has v1\.0\.0\n/,
    )
    expect(after.status).toBe(1)
    const json = await fleet('--output', 'json')
    expect(schemaViolations(schemaOf('package-fleet'), JSON.parse(json.stdout))).toEqual([])
    expect(json.stdout).toContain('"inGit": "v1.0.0"')
    expect(json.stdout).not.toContain('isInGit')
  })

  it('wait for a commit of files that git ignores, or takes as they are', async () => {
    const homes = await threeHomes(['v1.1.0', 'v1.1.0', 'v1.0.0'])
    const git = gitIn(homes)
    homes.write({'clusters/canary/.gitignore': 'packages/\n'})
    git('init', '--quiet')
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Add homes')
    git('update-index', '--assume-unchanged', ...homes.requests('clusters/production'))
    for (const name of ['crossplane-packages.yaml', 'crossplane-packages.lock', 'packages'])
      cpSync(homes.at(`clusters/staging/${name}`), homes.at(`clusters/production/${name}`), {recursive: true})
    const {status, stdout} = await runFleet('package', 'fleet', homes.at('clusters'))
    expect(stdout).toContain(`canary ${NAME}: not committed\n`)
    expect(stdout).toContain(`production ${NAME}: the last commit has v1.0.0\n`)
    expect(stdout).not.toContain(`staging ${NAME}`)
    expect(status).toBe(1)
  })

  it('are compared with no commit where git does not open the repository, and a warning says so once', async () => {
    const homes = await threeHomes(['v1.1.0', 'v1.1.0', 'v1.0.0'])
    gitIn(homes)('init', '--quiet')
    const fleet = async (...args: readonly string[]) =>
      await runFleet('package', 'fleet', homes.at('clusters'), ...args)
    homes.write({'.git/config': '[core'})
    const {status, stdout, stderr} = await fleet('--output', 'prometheus')
    expect(stderr.split('Warning:')).toEqual([
      '',
      expect.stringMatching(
        /^ whether packages are committed is not known: cannot open the repository .*: bad config .*\[fleet-commit-unread\]\n$/,
      ),
    ])
    const home = homes.at('clusters/canary')
    expect(stdout).toContain(`crossplane_package_fleet_up{home="${home}",context=""} 0\n`)
    expect(status).toBe(0)
    // Git sees no repository here.
    homes.write({'.git/HEAD': ''})
    rmSync(homes.at('.git/config'))
    const outside = await fleet('--output', 'prometheus')
    expect(outside).toMatchObject({status: 0, stderr: ''})
    expect(outside.stdout).not.toMatch(/fleet_up.* 0\n/)
  })
})
