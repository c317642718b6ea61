import {expect, it} from '@jest/globals'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {lockedXpkgs} from '../locked-xpkgs.js'
import {GitWorlds, Repository} from './git-world.js'

describeReal('settings of a declaration in a repository', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const world = lockedXpkgs()

  /** A repository with a package whose declaration has these settings. */
  async function repository(xpkg: string) {
    const {name, publish} = world()
    publish('base', 'v1.0.0')
    publish('app', 'v1.0.0', {requires: {base: '>=v1.0.0'}})
    const made = new Repository(worlds.folder(), worlds.packages)
    made.git('init', '--quiet', '--initial-branch=main')
    const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
    made.write({'crossplane-packages.yaml': `${head}xpkg:\n${xpkg}packages: []\n`})
    made.git('add', '--all')
    made.git('commit', '--quiet', '--message=first')
    await made.committed(made.install(name('app:v1.0.0')))
    return made
  }

  it.each([
    {
      name: 'on, with its name',
      before: '  # of all clusters\n  resolver: off # for now\n',
      flags: ['--resolver=on'],
      after: '  # of all clusters\n  resolver: on # for now\n',
    },
    {
      name: 'on, without digests',
      before: '  pin: digest\n  resolver: off\n',
      flags: ['--pin=config', '--resolver=on'],
      after: '  pin: config\n  resolver: on\n',
    },
    {
      name: 'off, as package import leaves tags',
      before: '  pin: tag\n',
      flags: ['--resolver=off'],
      after: "  resolver: 'off'\n  pin: config\n",
    },
    {
      name: 'off, with digests',
      before: '  pin: tag\n  resolver: on\n',
      flags: ['--pin=digest', '--resolver=off'],
      after: '  pin: digest\n  resolver: off\n',
    },
  ])('are replaced by a change of the resolver: $name', async ({before, flags, after}) => {
    const made = await repository(before)
    const lock = made.text('crossplane-packages.lock')
    const rejected = await made.upgrade(...flags)
    expect(rejected).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Try: Pass --change-settings to replace it, or leave out the flag.\n'),
    })
    await made.committed(made.upgrade(...flags, '--change-settings'))
    expect(made.text('crossplane-packages.yaml')).toContain(`xpkg:\n${after}`)
    expect(made.text('crossplane-packages.lock')).toBe(lock)
    const off = flags.includes('--resolver=off')
    expect(made.git('show', '--format=')).toMatch(off ? /^\+ {2}skipDep/m : /^- {2}skipDep/m)
  })

  it.each([
    {
      resolver: 'off',
      flags: ['--resolver=off'],
      before: 'pin: tag # for now',
      after: 'pin: config # for now',
    },
    {
      ...{resolver: 'off', flags: ['--resolver=off', '--pin=digest']},
      ...{before: 'pin: "tag"', after: 'pin: "digest"'},
    },
  ])('are also those of one entry: $before', async ({flags, before, after}) => {
    const made = await repository('  activate: all\n')
    const declaration = made.text('crossplane-packages.yaml')
    const entry = /^( *)- (package: .*\n)/m
    made.write({'crossplane-packages.yaml': declaration.replace(entry, `$1- $2$1  ${before}\n`)})
    made.git('commit', '--quiet', '--all', '--message=pin')
    await made.committed(made.upgrade())
    const rejected = await made.upgrade(...flags)
    expect(rejected).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /--resolver=off and pin: tag of \S+ in \S+ are mutually exclusive\nTry: Pass --change-settings to replace it/,
      ),
    })
    await made.committed(made.upgrade(...flags, '--change-settings'))
    expect(made.text('crossplane-packages.yaml')).toContain(`${after}\n`)
    expect(made.git('show', '--format=')).toMatch(/^\+ {2}skipDep/m)
  })

  it('are not those that a switch changes, which is left out first', async () => {
    const made = new Repository(worlds.folder(), worlds.packages)
    made.git('init', '--quiet', '--initial-branch=main')
    await made.committed(made.install('x/as:v1.0.0'))
    const {status, stderr} = await made.install('x/bs:v1.0.0', '--no-pin-image')
    expect({status, tries: stderr.match(/^Try: .*(?:\n(?!Try|Error).+)*/gm)}).toEqual({
      status: 5,
      tries: ['Try: Leave out --no-pin-image.', 'Try: Pass --change-settings to change the settings.'],
    })
    await made.committed(made.install('x/bs:v1.0.0'))
    await made.committed(made.install('x/as:v1.0.0', '--no-pin-image', '--change-settings'))
  })
})
