import {describe, expect, it} from '@jest/globals'
import {existsSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCliWith} from '../../../test/run-cli.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {builtSites} from './built-sites.js'
import {CLAIMS, FORMS, REQUIRING, SAMPLES} from './sample-packages.js'

const SRC = join(import.meta.dirname, '../src')
const home = temporaryFolder()
const {at, buildOf, filesOf, page} = builtSites(home)
writeTree(at('packages'), SAMPLES)

async function build(folder: string, ...more: readonly string[]) {
  return await buildOf('packages', folder, ...more)
}

describe('catalog build', () => {
  it('writes a start, packages, kinds and what changed between versions', async () => {
    expect(await build('site')).toMatchObject({status: 0})
    expect([...filesOf('site').keys()]).toEqual(
      expect.arrayContaining([
        'index.html',
        'p/team_sql/v1.0.0/index.html',
        'p/team_sql/v1.1.0/changes.html',
        'p/team_sql/v1.1.0/kinds/dbs.sql.example.org.html',
        'search-data.js',
        'site.css',
        'site.js',
      ]),
    )
    expect(page('site', 'p/team_sql/v1.1.0/changes.html')).toMatch(/breaking.*spec\.size.*type changes/s)
    expect(page('site', 'p/team_sql/v1.1.0/index.html')).toMatch(
      /Required by.*team\/platform.*&gt;=v1\.0\.0/s,
    )
    expect(page('site', 'p/team_platform/v2.0.0/index.html')).toMatch(/other\/absent.*not in this catalog/s)
    const kind = page('site', 'p/team_sql/v1.0.0/kinds/dbs.sql.example.org.html')
    expect(kind).toMatch(/id="v1\.spec\.size".*integer.*required.*Its size\..*minimum <code>1<\/code>/s)
    expect(kind).toMatch(/id="v1\.spec\.tags\[\]\.key"/)
    expect(kind).not.toContain('id="v0')
    expect(kind).toContain('<a href="../groups/sql.example.org.html">')
    expect(page('site', 'p/team_sql/v1.1.0/changes.html')).toContain(
      '<h2><a href="kinds/dbs.sql.example.org.html">Db (dbs.sql.example.org)</a></h2>',
    )
    expect(page('site', 'p/team_sql/v1.0.0/index.html')).toMatch(/A newer version .*v1\.1\.0\/index\.html/s)
    expect(page('site', 'p/team_sql/v1.1.0/index.html')).not.toContain('A newer version')
  })

  it('writes the same bytes again, and no file that stays the same', async () => {
    await build('one')
    await build('other')
    expect(filesOf('other')).toEqual(filesOf('one'))
    expect((await build('one')).stderr).toMatch(/: 0 written, 0 deleted, \d+ unchanged\n$/)
  })

  it('removes what is no longer made, if it has written it', async () => {
    await build('fewer')
    writeFileSync(at('fewer/CNAME'), 'packages.example.org\n')
    await build('fewer', '--versions', '1')
    expect(existsSync(at('fewer/p/team_sql/v1.0.0'))).toBe(false)
    expect(existsSync(at('fewer/p/team_sql/v1.1.0/index.html'))).toBe(true)
    expect(page('fewer', 'p/team_sql/v1.1.0/index.html')).toContain('1 older not shown')
    expect(page('fewer', 'CNAME')).toBe('packages.example.org\n')
  })

  it('leaves a tree of rendered packages alone', async () => {
    const render = ['package', 'render', 'team/old:v0.1.0', '--packages', at('packages')]
    const rendered = await runCliWith(SRC, ...render, '--output-dir', at('tree'), '--offline')
    expect(rendered).toMatchObject({status: 0})
    const before = filesOf('tree')
    const {status, stderr} = await build('tree')
    expect({isRefused: status !== 0, stderr}).toEqual({
      isRefused: true,
      stderr: expect.stringContaining('it has files of another command'),
    })
    expect(filesOf('tree')).toEqual(before)
  })

  it('is left alone by package render', async () => {
    await build('rendered-over')
    const before = filesOf('rendered-over')
    const render = ['package', 'render', 'team/old:v0.1.0', '--packages', at('packages')]
    const args = ['--output-dir', at('rendered-over'), '--offline']
    expect(await runCliWith(SRC, ...render, ...args)).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('it has the files of a catalog'),
    })
    expect(filesOf('rendered-over')).toEqual(before)
  })

  it('names what it cannot read, and shows the rest', async () => {
    writeTree(at('broken'), {...SAMPLES, 'team/bad@v1.0.0/crossplane.yaml': 'kind: Provider\n'})
    const {status, stderr} = await buildOf('broken', 'partly')
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('[catalog-unread]')})
    expect(stderr.split('\n')[0]?.match(/team\/bad/g)).toHaveLength(1)
    expect(page('partly', 'index.html')).toMatch(/Not readable.*team\/bad:v1\.0\.0/s)
    rmSync(at('broken'), {recursive: true})
  })

  it('leaves a site as it is if the registry of an index does not answer, or nothing can be read', async () => {
    const index = at('index.jsonl')
    const folder = ['--packages', at('platform')]
    writeTree(at('platform'), {
      'team/a@v1.0.0/.registry/app.yaml': 'title: A\npermissionScope: Cluster\n',
    })
    const exported = await runCliWith(
      SRC,
      ...['registry', 'index', 'export', ...folder, '--output-file', index],
    )
    expect(exported).toMatchObject({status: 0})
    await buildOf('platform', 'kept')
    const before = filesOf('kept')
    const args = ['--index', index, '--default-source', 'localhost:1', '--output-dir', at('kept')]
    const {status, stderr} = await runCliWith(SRC, 'catalog', 'build', ...args)
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining('the site was not changed')})
    writeTree(at('unreadable'), {'team/bad@v1.0.0/crossplane.yaml': 'kind: Provider\n'})
    expect(await buildOf('unreadable', 'kept')).not.toMatchObject({status: 0})
    expect(filesOf('kept')).toEqual(before)
  })

  it('shows at a claim only the Compositions of its own composite', async () => {
    writeTree(at('claims'), CLAIMS)
    await buildOf('claims', 'claims-site')
    const claim = page('claims-site', 'p/team_own/v1.0.0/kinds/nets.own.example.org.html')
    expect([claim.includes('of-nets'), claim.includes('of-disks')]).toEqual([true, false])
  })

  it('links to versions that satisfy requirements, and names those that none satisfies', async () => {
    writeTree(at('requiring'), REQUIRING)
    await buildOf('requiring', 'requiring-site')
    const of = (path: string) => page('requiring-site', `p/team_${path}/index.html`)
    expect(of('pinned/v1.0.0')).toMatch(/href="[./]*p\/team_sql\/v1\.0\.0\/index\.html">registry\.example/)
    expect(of('ahead/v1.0.0')).toContain('no version in this catalog satisfies it')
    expect(of('sql/v1.0.0')).toMatch(/Required by.*team\/pinned/s)
    expect(of('sql/v1.1.0')).not.toContain('team/pinned')
    expect(of('sql/v1.1.0')).not.toContain('team/ahead')
    expect(of('sql/v1.1.0')).toMatch(/Required by.*team\/app/s)
    const app = of('app/v0.1.0')
    expect(app).toMatch(/p\/team_sql\/v1\.1\.0\/index\.html">team\/sql<\/a> <code>db\.sql\.example\.org\/v1</)
    expect(app).toMatch(/\*\.core\.crossplane\.io <code>v1alpha1.*always satisfied/)
    expect(app).toMatch(
      /kubernetesapplications\.workload\.crossplane\.io <code>v1alpha1.*included in Crossplane/,
    )
    expect(app).toMatch(/absents\.other\.example\.org <code>v1alpha1.*not in this catalog/)
    expect(app).toMatch(/<svg.*absents\.other\.example\.org.*<\/svg>/s)
    expect(app).not.toMatch(/<text[^>]*>\s*v1alpha1/)
  })

  it('shows lines that install a package: with its folder, and with a namespace if it needs one', async () => {
    await buildOf('requiring', 'requiring-site')
    const app = page('requiring-site', 'p/team_app/v0.1.0/index.html')
    const words = (text: string) => text.replaceAll(/<\/?span[^>]*>/g, '')
    expect(words(app)).toContain('package install team/app:v0.1.0 --namespace NAMESPACE --packages DIR<')
    const pinned = page('requiring-site', 'p/team_pinned/v1.0.0/index.html')
    expect(words(pinned)).toContain('package install team/pinned:v1.0.0 --packages DIR<')
    expect(pinned).not.toContain('kind: Configuration')
  })

  it('compares only versions, and shows the newest stable one', async () => {
    await buildOf('requiring', 'requiring-site')
    const paths = [...filesOf('requiring-site').keys()].filter(path => path.startsWith('p/team_tags/'))
    expect(paths.filter(path => path.endsWith('changes.html'))).toEqual([
      'p/team_tags/v1.1.0-rc.1/changes.html',
    ])
    expect(page('requiring-site', 'index.html')).toMatch(/href="p\/team_tags\/v1\.0\.0\/index\.html"/)
  })

  it('shows readmes of kinds, initials of titles, short badges, and what is left out', async () => {
    const long = 'x'.repeat(300)
    const schema = JSON.stringify({
      type: 'object',
      properties: {a: {type: 'string', description: 'y'.repeat(30_000)}},
    })
    writeTree(at('shown'), {
      'team/zed@v1.0.0/.registry/app.yaml': `title: Zed ${long}\npermissionScope: Cluster\ncategory: ${long}\nkeywords: [${long}]\n`,
      'team/zed@v1.0.0/.registry/resources/zeds.crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: zeds.zed.example.org}
spec:
  group: zed.example.org
  scope: Cluster
  names: {plural: zeds, kind: Zed, singular: zed, listKind: ZedList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ${schema}}}]
`,
      'team/zed@v1.0.0/.registry/resources/zeds.resource.yaml': `id: zed\nreadme: |\n  Read *this*. ${'w '.repeat(108_000)}\n`,
    })
    const {stderr} = await buildOf('shown', 'shown-site')
    expect(stderr).toContain('the end of the readme is not shown')
    const start = page('shown-site', 'index.html')
    expect(start).toMatch(/aria-hidden="true"\s*>Z</)
    expect(start.replace(/(?:value|data-category)="x+"/g, '')).not.toMatch(/x{120}/)
    const own = page('shown-site', 'p/team_zed/v1.0.0/index.html')
    expect(own).not.toMatch(/x{120}/)
    const kind = page('shown-site', 'p/team_zed/v1.0.0/kinds/zeds.zed.example.org.html')
    expect(kind).toContain('Read <em>this</em>')
    expect(kind).toContain('The end of the readme is not shown.')
    expect(kind).toContain('the end of the description is not shown')
  })

  it('has a page for each API group, and the kinds to filter by', async () => {
    const kind = (name: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${name}s.zed.example.org}
spec:
  group: zed.example.org
  scope: Cluster
  names: {plural: ${name}s, kind: ${name.toUpperCase()}, singular: ${name}, listKind: ${name}List}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>hostile()</script></svg>'
    writeTree(at('grouped'), {
      'team/zed@v1.0.0/.registry/app.yaml': 'title: Zed\npermissionScope: Cluster\n',
      'team/zed@v1.0.0/.registry/resources/zed/group.yaml':
        'title: Zeds\noverviewShort: All of Zed.\nreadme: |\n  Group of *zeds*. <b>no</b>\n',
      'team/zed@v1.0.0/.registry/resources/zed/icon.svg': svg,
      'team/zed@v1.0.0/.registry/resources/zed/one.crd.yaml': kind('one'),
      'team/zed@v1.0.0/.registry/resources/zed/two.crd.yaml': kind('two'),
      'team/zed@v1.0.0/.registry/resources/zed/two.resource.yaml':
        'id: two\ntitle: Second\ncategory: Numbers\n',
    })
    await buildOf('grouped', 'grouped-site')
    const group = page('grouped-site', 'p/team_zed/v1.0.0/groups/zed.example.org.html')
    expect(group).toMatch(
      /<h1>Zeds<\/h1>.*All of Zed\..*Group of <em>zeds<\/em>\. &lt;b&gt;.*\.\.\/kinds\/ones\..*Second/s,
    )
    expect(group).toContain(`src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}"`)
    expect(page('grouped-site', 'p/team_zed/v1.0.0/index.html')).toContain(
      'href="groups/zed.example.org.html"',
    )
    expect(page('grouped-site', 'p/team_zed/v1.0.0/kinds/twos.zed.example.org.html')).toMatch(
      /Category<\/dt>\s*<dd>Numbers/,
    )
    expect(page('grouped-site', 'index.html')).toMatch(/Kind\s*<input.*data-kinds="one two"/s)
  })

  it('names the fields of a ui-schema that a form does not have', async () => {
    writeTree(at('forms'), FORMS)
    expect(await buildOf('forms', 'forms-site')).toMatchObject({status: 0})
    const form = page('forms-site', 'p/team_forms/v0.1.0/forms/dbs.forms.example.org.html')
    expect(form.match(/<code>[^<]*(?=: the form has no such field)/g)).toEqual(['<code>metadata.labels'])
  })

  it.each([
    {words: ['./nope'], want: '--packages ./nope --output-dir site'},
    {words: ['./nope', '--output-dir', 'o'], want: '--packages ./nope --output-dir o'},
    {words: ['--packages', './p', '-o', 'site'], want: '--packages ./p --output-dir site'},
    {words: ['--output', 'public', '--packages', './p'], want: '--output-dir public --packages ./p'},
    {words: ['--packages', './p', '-o', 'jsn'], want: '--packages ./p -o json'},
  ])('suggests a command that works for $words', async ({words, want}) => {
    const {status, stderr} = await runCliWith(SRC, 'catalog', 'build', ...words)
    expect({status, stderr}).toEqual({
      status: 2,
      stderr: expect.stringContaining(`Try: kubectl crossplane catalog build ${want}\n`),
    })
  })

  it('asks for packages, and refuses a folder without any', async () => {
    const none = await runCliWith(SRC, 'catalog', 'build', '--output-dir', at('none'))
    expect(none).toMatchObject({status: 2, stderr: expect.stringContaining('no packages selected')})
    writeTree(at('empty'), {'readme.txt': ''})
    const empty = await buildOf('empty', 'none')
    expect(empty.stderr).toContain('no packages found')
    expect(existsSync(at('none'))).toBe(false)
  })
})

/** What would run, load or mislead. */
const CODE = /<script>|<img src=x|onerror=hostile\(\)>|href="(?:javascript:|data:[^,])|src="data:text|\u202e/
/** Scripts of the site, and data. */
const SCRIPT = /^<script (?:src="[./a-z-]+" defer|type="application\/json" id="[a-z-]+")>$/

describe('pages of a hostile package', () => {
  it('have its texts as text', async () => {
    await build('hostile')
    const pages = [...filesOf('hostile')].filter(([path]) => path.endsWith('.html'))
    for (const [path, content] of pages) {
      expect({path, code: CODE.exec(content)?.[0]}).toEqual({path, code: undefined})
      const scripts = content.match(/<script[^>]*>/g) ?? []
      expect(scripts.filter(tag => !SCRIPT.test(tag))).toEqual([])
    }
    const kind = page('hostile', 'p/team_hostile/v1.0.0/kinds/dbs.hostile.example.org.html')
    expect(page('hostile', 'p/team_hostile/v1.0.0/index.html')).toContain('it is too large, or not an image')
    expect(kind).toContain('>__proto__</a>')
    expect(kind).toMatch(/class="example".*# &quot;&gt;&lt;script&gt;hostile\(\)/s)
    expect(kind).toContain('<b>constructor</b>')
    expect(kind).toContain('&lt;script&gt;hostile()&lt;/script&gt;')
    // The files beside a CRD of v0.12 are those of its kind.
    expect(page('hostile', 'p/team_old/v0.1.0/kinds/dbs.old.example.org.html')).toContain('class="overview"')
    expect(page('hostile', 'p/team_old/v0.1.0/forms/dbs.old.example.org.html')).toContain(
      '__proto__.polluted: the form has no such field',
    )
  })

  it.each([1, 10])('are bounded with a readme of %i MB', async megabytes => {
    const readme = `# Title\n\n${'> '.repeat(200)}${'[a](b) *c* '.repeat((megabytes * 1_000_000) / 11)}`
    writeTree(at(`large${megabytes}`), {
      'team/a@v1.0.0/.registry/app.yaml': 'title: A\npermissionScope: Cluster\n',
      'team/large@v1.0.0/crossplane.yaml': `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata: {name: large, annotations: {meta.crossplane.io/readme: ${JSON.stringify(readme)}}}
`,
    })
    const {status, stderr} = await buildOf(`large${megabytes}`, `large-site${megabytes}`)
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringMatching(/\[catalog-(?:omitted|unread)\]/),
    })
    const sizes = [...filesOf(`large-site${megabytes}`)].map(([, content]) => content.length)
    expect(Math.max(...sizes)).toBeLessThan(2_000_000)
  })
})
