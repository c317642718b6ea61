import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, it} from '@jest/globals'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {schemaOf, schemaViolations} from '../json-schema.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {FORMATS, STORIES, STORY_PACKAGE, storyDeclaration, storyObject, UsageWorld} from './usage-world.js'

const CASES = STORIES.flatMap(story => FORMATS.map(format => ({...story, format})))
const UPGRADE = [
  'upgrade',
  `${STORY_PACKAGE}:v2.0.0`,
  '--git',
  '.',
  '--assume-no-instances',
  '--yes',
] as const

describeReal('an upgrade that concerns objects of the declaration', missingTool('git'), () => {
  const folder = temporaryFolder()

  it.each(CASES)('is judged and stopped: $name, $format', async ({format, want, ...story}) => {
    const world = new UsageWorld(folder, format, story)
    await world.committed()

    const impact = await world.run('impact', `${STORY_PACKAGE}:v2.0.0`, '-o', 'json')
    const {findings} = JSON.parse(impact.stdout) as {findings: {verdict: string; path: string}[]}
    expect(findings.map(({verdict, path}) => `${verdict} ${path}`)).toEqual(want)
    expect(impact.status).toBe(1)

    const [command, ...words] = UPGRADE
    const stopped = await world.run(command, ...words)
    expect(stopped.status).toBe(5)
    expect(stopped.stderr).toMatch(/^ {2}clusters\/db.yaml:\d+: Db main spec\b/m)
    expect(stopped.stderr).toMatch(/^(?:breaks|lost)[a-z, ]* {2}clusters\/db.yaml:\d+ {2}Db main spec\b/m)
    expect(stopped.stderr).toContain('--accept-impact')
    expect(world.git('rev-list', '--count', 'HEAD').trim()).toBe('1')
  })

  it.each(FORMATS)('is found by a check, and accepted by finding: %s', async format => {
    const [story] = STORIES
    if (story === undefined) throw new Error('no story')
    const world = new UsageWorld(folder, format, story)
    await world.committed()
    const [command, ...words] = UPGRADE
    const withoutBase = await world.run('check', '--git', '.')
    expect(withoutBase).toMatchObject({status: 7, stderr: expect.stringContaining('Pass --since') as unknown})

    world.git('branch', 'base')
    world.git('checkout', '--quiet', '-b', 'bump')
    world.write({'crossplane-packages.yaml': storyDeclaration('v2.0.0')})
    expect(await world.rendered()).toContain('[usage-impact]')
    world.commit('bump by hand')
    const found = await world.run('check', '--git', '.', '--since', 'base')
    expect(found.status).toBe(1)
    expect(found.stdout).toContain('not accepted')
    expect(found.stdout).toContain('clusters/db.yaml')
    const since = ['--accept-impact', '--since', 'base']
    expect(await world.run('lock', ...since)).toMatchObject({status: 0})
    expect(await world.run('check', '--git', '.', '--since', 'base')).toMatchObject({status: 0})
    const [lock] = readYaml(Buffer.from(world.text('crossplane-packages.lock')), 'lock')
    expect(schemaViolations(schemaOf('package-lock'), lock?.value)).toEqual([])
    // Another object is another effect.
    world.write({'clusters/other.yaml': storyObject(story.spec, 'other')})
    const more = await world.run('check', '--git', '.', '--since', 'base', '-o', 'json')
    expect(more.status).toBe(1)
    expect(schemaViolations(schemaOf('folder-check'), JSON.parse(more.stdout))).toEqual([])
    world.git('reset', '--quiet', '--hard')
    world.git('clean', '--quiet', '-fd')
    world.git('checkout', '--quiet', 'main')

    const accepted = await world.run(command, ...words, '--accept-impact')
    expect({status: accepted.status, stderr: accepted.stderr}).toMatchObject({status: 0})
    const message = world.git('log', '-1', '--format=%B')
    expect(message).toContain('Effects on 1 object: ')
    expect(message).toContain(`clusters/db.yaml:`)
    const passed = await world.run('check', '--git', '.', '--since', 'base')
    expect(passed).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('accepted in the lock') as unknown,
    })
    expect(passed.stderr).toContain('[impact-accepted]')
    expect(world.text('crossplane-packages.lock')).toMatch(
      /acceptedImpacts:\n {2}registry.example.org\/example\/sql:\n/,
    )
  })
  it('is judged by what the declaration activates', async () => {
    const fields = 'size: {type: integer}'
    const world = new UsageWorld(folder, 'xpkg', {old: fields, now: fields, spec: 'size: 3'})
    writeTree(join(world.packages, 'example/sql@v2.0.0'), {
      'crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: sql}\nspec: {capabilities: [safe-start]}\n',
    })
    const activation = 'coreVersion: v2.3.4\nxpkg: {activate: [others.example.org]}\n'
    world.write({'crossplane-packages.yaml': storyDeclaration('v1.0.0', activation)})
    await world.committed()
    world.git('branch', 'base')
    const [command, ...words] = UPGRADE
    const stopped = await world.run(command, ...words)
    expect(stopped).toMatchObject({status: 5, stderr: expect.stringContaining('unserved') as unknown})
    world.write({'crossplane-packages.yaml': storyDeclaration('v2.0.0', activation)})
    const upgraded = await world.run('lock', '--upgrade', STORY_PACKAGE)
    expect(upgraded).toMatchObject({status: 5, stderr: expect.stringContaining('unserved') as unknown})
    await world.rendered()
    const found = await world.run('check', '--git', '.', '--since', 'base')
    expect(found).toMatchObject({status: 1, stdout: expect.stringContaining('unserved') as unknown})
    // A lock beside a declaration is as this activates: the object was not served before either.
    world.write({'now.lock': world.text('crossplane-packages.lock')})
    const same = await world.run('impact', '--old', 'now.lock', '--new', 'crossplane-packages.yaml')
    expect(same.status).toBe(0)
  })
  it('is found where the declaration is moved in the same change, and a new one is named', async () => {
    const [story] = STORIES
    if (story === undefined) throw new Error('no story')
    const world = new UsageWorld(folder, 'xpkg', story)
    await world.committed()
    world.git('branch', 'base')
    const moved = storyDeclaration('v2.0.0').replace('[clusters]', '[../clusters]')
    world.write({'prod/crossplane-packages.yaml': moved})
    const file = ['--declaration', 'prod/crossplane-packages.yaml']
    const locked = await world.run('lock', ...file)
    expect(locked.status).toBe(0)
    expect((await world.run('render', ...file, '--output-dir', 'prod/packages')).status).toBe(0)
    const check = ['--git', '.', '--path', 'prod', '--since', 'base']
    const added = await world.run('check', ...check)
    expect(added.stderr).toMatch(/Warning: base has no \S*prod\/crossplane-packages.lock: /)
    expect(added.stderr).not.toContain('no package changes')
    for (const path of ['crossplane-packages.yaml', 'crossplane-packages.lock'])
      world.git('rm', '--quiet', path)
    world.commit('move')
    const found = await world.run('check', ...check)
    expect(found).toMatchObject({status: 1, stdout: expect.stringContaining('not accepted') as unknown})
    expect(found.stderr).toContain('compared with crossplane-packages.lock of base')
    // A list without paths guards nothing.
    const none = moved.replace('[../clusters]', '[]')
    world.write({'prod/crossplane-packages.yaml': none})
    const unguarded = await world.run('check', ...check)
    expect(unguarded.stderr).toContain('--since requires usage.objects')
  })
  it('counts objects with one generated name in an acceptance', async () => {
    const [story] = STORIES
    if (story === undefined) throw new Error('no story')
    const world = new UsageWorld(folder, 'xpkg', story)
    const generated = storyObject(story.spec).replace('name: main', 'generateName: main-')
    world.write({'clusters/db.yaml': generated})
    await world.committed()
    world.git('branch', 'base')
    const [command, ...words] = UPGRADE
    expect((await world.run(command, ...words, '--accept-impact')).status).toBe(0)
    const check = ['--git', '.', '--since', 'base']
    expect((await world.run('check', ...check)).status).toBe(0)
    world.write({'clusters/db.yaml': `${generated}---\n${generated}`})
    expect((await world.run('check', ...check)).status).toBe(1)
  })

  it('is not judged in silence: paths without objects, and other content under the same tag', async () => {
    const [story] = STORIES
    if (story === undefined) throw new Error('no story')
    const world = new UsageWorld(folder, 'xpkg', story)
    await world.committed()
    world.git('branch', 'base')
    const check = ['--git', '.', '--since', 'base']
    expect((await world.run('check', ...check)).stderr).toContain(
      `only the tag is compared of ${STORY_PACKAGE}`,
    )
    const release = join(world.packages, 'example/sql@v1.0.0/crd.yaml')
    writeFileSync(release, readFileSync(release, 'utf8').replaceAll('dbs', 'bases'))
    const again = await world.run('lock', '--upgrade', STORY_PACKAGE)
    expect(again.stderr).toContain('other content under the same tag')
    const other = await world.run('check', ...check)
    expect(other.stderr).toContain(`Warning: ${STORY_PACKAGE} has other content under the same tag`)
    world.git('mv', 'clusters/db.yaml', 'db.yaml')
    world.write({'clusters/README.md': 'moved\n'})
    world.commit('move')
    const [command, ...words] = UPGRADE
    expect((await world.run(command, ...words)).stderr).toContain('Warning: no objects in clusters')
    world.git('checkout', '--quiet', '-b', 'bump', 'HEAD~1')
    world.write({'crossplane-packages.yaml': storyDeclaration('v2.0.0')})
    expect((await world.run('lock')).stderr).toContain('Warning: no objects in clusters')
    expect((await world.run('check', ...check)).stderr).toContain('Warning: no objects in clusters')
  })
  it('does not suggest an acceptance that a policy forbids', async () => {
    const [story] = STORIES
    if (story === undefined) throw new Error('no story')
    const world = new UsageWorld(folder, 'xpkg', story)
    const policy =
      'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\nreject: {acceptedImpacts: true}\n'
    world.write({
      'policy.yaml': policy,
      'crossplane-packages.yaml': storyDeclaration('v1.0.0', 'policy: policy.yaml\n'),
    })
    await world.committed()
    const [command, ...words] = UPGRADE
    const {status, stderr} = await world.run(command, ...words)
    expect(status).toBe(5)
    expect(stderr).toContain('[usage-impact]')
    expect(stderr).not.toContain('Pass --accept-impact')
  })
})
