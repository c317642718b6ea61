import {describe, expect, it} from '@jest/globals'
import {createHash} from 'node:crypto'
import {existsSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {done, IndexedWorlds} from '../../../test/commands/indexed-world.js'
import {runCliWith} from '../../../test/run-cli.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {formatState, readState, type VersionRecord} from '../src/site-state.js'
import {builtSites} from './built-sites.js'
import {SAMPLES} from './sample-packages.js'

const SRC = join(import.meta.dirname, '../src')
const home = temporaryFolder()
const worlds = new IndexedWorlds()
const {at, buildOf, filesOf, page} = builtSites(home)

/** What would run, load or mislead. */
const CODE = /<script>|<img src=x|onerror=hostile\(\)>|href="(?:javascript:|data:[^,])|src="data:text|\u202e/

const STATE = '.kubectl-crossplane/catalog.jsonl'

/** What of a line of the state is changed. */
interface StoredRecord {
  readonly pages: readonly {readonly path?: string}[]
  readonly summary: {
    readonly version: unknown
    readonly requirements: unknown
    readonly presentation: object
  }
}

const RECORD: VersionRecord = {
  ...{key: '', pages: [], omissions: []},
  summary: {
    ...{package: 'team/a', version: 'v1.0.0', folder: 'p/a/v1.0.0', isInFolder: true, isNamespaced: false},
    ...{format: 'xpkg', kinds: [], requirements: [], images: [], about: [], unread: []},
    permissions: {scope: 'listed', rules: []},
    presentation: {
      ...{type: '', title: '', overview: '', readme: '', category: '', company: '', license: '', website: ''},
      ...{source: '', icon: '', keywords: [], maintainers: []},
    },
  },
}

/** A registry with an index, and what publishes versions of a package. */
async function indexed(name: string) {
  const world = await worlds.empty()
  const publish = async (tag: string, served: string) =>
    await done(world.publish(name, tag, {plural: name, served}, '--index', world.root))
  return {server: world.server, root: world.root, publish}
}

/** Packages of which each has been built once, and the site. */
async function built(name: string, files: Readonly<Record<string, string>> = SAMPLES) {
  writeTree(at(`${name}-packages`), files)
  const build = async (...more: readonly string[]) => await buildOf(`${name}-packages`, name, ...more)
  const afresh = async () => {
    rmSync(at(`${name}-afresh`), {recursive: true, force: true})
    await buildOf(`${name}-packages`, `${name}-afresh`)
    return filesOf(`${name}-afresh`)
  }
  expect(await build()).toMatchObject({status: 0})
  return {
    build,
    afresh,
    change: (more: Readonly<Record<string, string>>) => writeTree(at(`${name}-packages`), more),
  }
}

describe('a catalog that is built again', () => {
  it('has a new version if the registry lost the one before, whether that was built before or not', async () => {
    const {server, root, publish} = await indexed('gears')
    await publish('v0.9.0', 'v1')
    await publish('v1.0.0', 'v2')
    const build = async (folder: string) => {
      const {status, stderr} = await runCliWith(
        SRC,
        ...['catalog', 'build', '--index', root, '--output-dir', at(folder), '--no-cache'],
      )
      return {status, stderr}
    }
    expect(await build('lost')).toMatchObject({status: 0})
    await publish('v2.0.0', 'v3')
    const gears = server.contents.repository('team/gears')
    gears?.manifests.delete(gears.tags.get('v1.0.0') ?? '')
    gears?.tags.delete('v1.0.0')
    const ofNew = (folder: string) =>
      [...filesOf(folder)].filter(([path]) => /\/v2\.0\.0\/(?!index)/.test(path))
    const again = await build('lost')
    expect(again).toEqual({
      status: 0,
      stderr: expect.stringMatching(
        /gears:v2\.0\.0: it is not compared with v1\.0\.0: .*\[catalog-omitted\]/,
      ),
    })
    expect(await build('lost-afresh')).toMatchObject({status: 0})
    expect(ofNew('lost').map(([path]) => path)).toContainEqual(expect.stringContaining('changes.html'))
    expect(ofNew('lost')).toEqual(ofNew('lost-afresh'))
    expect(await build('lost')).toMatchObject({status: 0, stderr: expect.stringMatching(/: 0 written/)})
  })

  it('reads and writes only the package that changed, and has the bytes of a build of everything', async () => {
    const site = await built('again')
    site.change({
      'team/sql@v1.1.0/crd.yaml': SAMPLES['team/sql@v1.1.0/crd.yaml']!.replace('Its size.', 'How large.'),
    })
    const {stderr, stdout} = await site.build('-o', 'json')
    const {written} = JSON.parse(stdout) as {written: readonly string[]}
    expect({written, stderr}).toEqual({
      written: [
        'p/team_sql/v1.1.0/forms/dbs.sql.example.org.html',
        'p/team_sql/v1.1.0/kinds/dbs.sql.example.org.html',
      ],
      stderr: expect.not.stringContaining('catalog-state-ignored'),
    })
    expect(filesOf('again')).toEqual(await site.afresh())
  })

  it('compares the version after one that changed once more', async () => {
    const site = await built('former')
    site.change({
      'team/sql@v1.0.0/crd.yaml': SAMPLES['team/sql@v1.0.0/crd.yaml']!.replace('size: {', 'extent: {'),
    })
    await site.build()
    expect(page('former', 'p/team_sql/v1.1.0/changes.html')).toMatch(/spec\.extent/)
    expect(filesOf('former')).toEqual(await site.afresh())
  })

  it('follows packages that come and go', async () => {
    const site = await built('moving')
    site.change({
      'team/more@v1.0.0/crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: more}\n',
    })
    rmSync(at('moving-packages/team/sql@v1.0.0'), {recursive: true})
    await site.build()
    expect(existsSync(at('moving/p/team_sql/v1.0.0'))).toBe(false)
    expect(filesOf('moving')).toEqual(await site.afresh())
  })

  it('makes pages again that were deleted, and stops at those that were edited', async () => {
    const site = await built('edited')
    const path = 'p/team_sql/v1.0.0/kinds/dbs.sql.example.org.html'
    const before = page('edited', path)
    rmSync(at(`edited/${path}`))
    expect((await site.build()).stderr).toMatch(/: 1 written, 0 deleted/)
    expect(page('edited', path)).toBe(before)
    writeFileSync(at(`edited/${path}`), 'mine')
    expect(await site.build()).toMatchObject({status: 5, stderr: expect.stringContaining('[edited-file]')})
    expect(page('edited', path)).toBe('mine')
  })

  it('says again what is left out', async () => {
    const site = await built('omitting')
    const warnings = (text: string) => text.split('\n').filter(line => line.includes('[catalog-omitted]'))
    const [again, afresh] = [await site.build(), await buildOf('omitting-packages', 'omitting-other')]
    expect(warnings(again.stderr).length).toBeGreaterThan(0)
    expect(warnings(again.stderr)).toEqual(warnings(afresh.stderr))
  })

  /** Changes the first version that is remembered. */
  const line = (change: (record: StoredRecord) => StoredRecord) => (text: string) => {
    const [head = '', first = '', ...others] = text.split('\n')
    return [head, JSON.stringify(change(JSON.parse(first) as StoredRecord)), ...others].join('\n')
  }
  const withSummary = (fields: Partial<StoredRecord['summary']>) =>
    line(record => ({...record, summary: {...record.summary, ...fields}}))
  const withPage = (path: string) =>
    line(({pages: [page, ...pages], ...record}) => ({...record, pages: [{...page, path}, ...pages]}))

  it.each([
    {what: 'is cut', change: (text: string) => text.slice(0, text.length / 2)},
    {what: 'is empty', change: () => ''},
    {what: 'is not JSON', change: () => '<<<<<<< ours\n'},
    {what: 'is of another form', change: () => '{"format":"other"}\n'},
    {what: 'has a list in place of a text', change: withSummary({version: []})},
    {what: 'has no requirements', change: withSummary({requirements: undefined})},
    {
      what: 'has a requirement of no kind',
      change: withSummary({requirements: [{form: 'package'}]}),
    },
    {
      what: 'has more fields than names',
      change: (text: string) => text.replace('"fields":[0,', '"fields":[900000,'),
    },
    {what: 'has a page elsewhere', change: withPage('../../outside.html')},
    {what: 'has the page of another version', change: withPage('index.html')},
    {
      what: 'has a prototype',
      change: (text: string) => text.replace('"summary":{', '"summary":{"__proto__":{"folder":1},'),
    },
  ])('ignores what was remembered if it $what', async ({what, change}) => {
    const name = `state-${what.replace(/\W/g, '-')}`
    const site = await built(name)
    writeFileSync(at(`${name}/${STATE}`), change(page(name, STATE)))
    const {status, stderr} = await site.build()
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('[catalog-state-ignored]')})
    expect(filesOf(name)).toEqual(await site.afresh())
  })

  it('makes nothing of addresses and markup that others put into it', async () => {
    const site = await built('planted')
    const plant = line(record => {
      const texts = {
        title: '<script>hostile()</script>',
        website: 'javascript:hostile()',
        icon: 'data:text/html,<script>hostile()</script>',
      }
      const presentation = {...record.summary.presentation, ...texts}
      return {...record, summary: {...record.summary, presentation}}
    })
    writeFileSync(at(`planted/${STATE}`), plant(page('planted', STATE)))
    await site.build()
    for (const [path, content] of filesOf('planted'))
      if (path.endsWith('.html'))
        expect({path, code: CODE.exec(content)?.[0]}).toEqual({path, code: undefined})
  })

  it('makes a page again that was changed together with its hash', async () => {
    const site = await built('changed')
    const [, own = ''] = page('changed', STATE).split('\n')
    const {pages} = JSON.parse(own) as {pages: readonly {path: string; after: string}[]}
    const {path = '', after = ''} = pages[0] ?? {}
    const before = page('changed', path)
    const text = before.replace('</body>', '<p>Planted.</p></body>')
    writeFileSync(at(`changed/${path}`), text)
    writeFileSync(
      at(`changed/${STATE}`),
      page('changed', STATE).replace(after, createHash('sha256').update(text).digest('hex')),
    )
    expect(await site.build()).toMatchObject({status: 5, stderr: expect.stringContaining('[edited-file]')})
    rmSync(at('changed/.kubectl-crossplane/files.sha256'))
    expect(await site.build()).not.toMatchObject({status: 0})
    rmSync(at(`changed/${path}`))
    expect(await site.build()).toMatchObject({status: 0})
    expect(page('changed', path)).toBe(before)
  })

  it('remembers no versions whose lines would be too large to be read: in bytes, as the reader counts', () => {
    const head = {program: '0.1.0', title: 'T'}
    const of = (readme: string) => formatState(head, [{...RECORD, omissions: [readme]}])
    const [small, large] = ['x', '\u20ac'].map(letter => of(letter.repeat(17 * 1024 * 1024)))
    expect([small?.isTooLarge, large?.isTooLarge]).toEqual([false, true])
    expect(large?.text.split('\n')).toHaveLength(2)
    expect(readState(large?.text, head)).toEqual({records: new Map(), isBroken: false})
  })

  it('names no signer that is only remembered', async () => {
    const site = await built('signed')
    const before = filesOf('signed')
    const rows = page('signed', STATE).replaceAll(
      '"about":[',
      '"about":[{"name":"Signed by","text":"the planted key"},',
    )
    writeFileSync(at(`signed/${STATE}`), rows)
    expect(await site.build()).toMatchObject({status: 0})
    expect(filesOf('signed')).toEqual(before)
  })

  it('builds everything if another program or title made it', async () => {
    const site = await built('program')
    const before = filesOf('program')
    writeFileSync(
      at(`program/${STATE}`),
      page('program', STATE)
        .replace(/"program":"[^"]+"/, '"program":"0.0.0"')
        .replaceAll('"Db"', '"Other"'),
    )
    expect(await site.build()).toMatchObject({status: 0, stderr: expect.not.stringContaining('ignored')})
    expect(filesOf('program')).toEqual(before)
    expect((await site.build('--site-title', 'Ours')).stderr).toMatch(/: [1-9]\d+ written/)
  })
})
