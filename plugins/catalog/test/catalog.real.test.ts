import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {cpSync, readdirSync} from 'node:fs'
import {basename, join} from 'node:path'
import {corpusEntries, CORPUS_ROOT} from '../../../test/corpus.js'
import {missingTool} from '../../../test/missing-tool.js'
import {describeReal} from '../../../test/real-parts.js'
import {runCliWith} from '../../../test/run-cli.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'
import {axeViolations, type RunningBrowser, serveFolder, startBrowser} from './browser.js'
import {FORMS, SAMPLES} from './sample-packages.js'

jest.setTimeout(process.env.CATALOG_PAGES === 'all' ? 7_200_000 : 300_000)

const SRC = join(import.meta.dirname, '../src')
const home = temporaryFolder()
const site = join(home, 'site')
/** Pages of real packages that are opened, drawn by a seed; in soak `all`, of all packages. */
const PAGES = process.env.CATALOG_PAGES ?? '29'
const DRAWN = PAGES === 'all' ? Infinity : Number(PAGES)
const SEED = Number(process.env.SOAK_SEED ?? 1)

/** A few real packages of both formats, and those that tests make: hostile texts in every place. */
function writePackages(folder: string): void {
  writeTree(folder, {...SAMPLES, ...FORMS})
  for (const [corpus, few] of Object.entries(FEW)) {
    const all = corpusEntries(corpus).filter(name => name.includes('@'))
    for (const name of PAGES === 'all' ? all : few)
      cpSync(join(CORPUS_ROOT, corpus, name), join(folder, name), {
        recursive: true,
        filter: path => !FOREIGN.includes(basename(path)),
      })
  }
}

const FEW: Readonly<Record<string, readonly string[]>> = {
  corpus: ['app-wordpress@v0.5.0', 'provider-rook@v0.3.0', 'provider-rook@v0.7.0', 'provider-gcp@v0.11.0'],
  'corpus-xpkg': [
    ...['platform-ref-aws@v1.4.0', 'provider-sql@v0.15.0'],
    ...['provider-sql@v0.16.0', 'function-kcl@v0.11.2'],
  ],
}

/** What repositories have beside the files that their package is made of. */
const FOREIGN = ['auth.yaml', 'kustomize']

function drawn(pages: readonly string[]): readonly string[] {
  let state = SEED
  const next = () => (state = (state * 48_271) % 2_147_483_647)
  const left = [...pages]
  return Array.from(
    {length: Math.min(DRAWN, left.length)},
    () => left.splice(next() % left.length, 1)[0] ?? '',
  )
}

const missing = missingTool('chromium') ?? (corpusEntries('corpus').length === 0 ? 'no corpus' : undefined)

const FORM = 'p/app-wordpress/v0.5.0/forms/wordpressinstances.wordpress.apps.crossplane.io.html'
const SECTIONS = 'p/team_forms/v0.1.0/forms/dbs.forms.example.org.html'
const ALWAYS = [
  'index.html',
  'p/team_hostile/v1.0.0/index.html',
  'p/team_hostile/v1.0.0/kinds/dbs.hostile.example.org.html',
  'p/team_hostile/v1.0.0/forms/dbs.hostile.example.org.html',
  'p/team_old/v0.1.0/groups/old.example.org.html',
  'p/team_old/v0.1.0/kinds/dbs.old.example.org.html',
  'p/team_old/v0.1.0/forms/dbs.old.example.org.html',
  'p/team_platform/v2.0.0/index.html',
  'p/team_sql/v1.1.0/changes.html',
  SECTIONS,
  'p/app-wordpress/v0.5.0/groups/wordpress.apps.crossplane.io.html',
  FORM,
]

const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0

describeReal('a catalog in Chromium', missing, () => {
  let browser!: RunningBrowser
  let pages: readonly string[] = []

  beforeAll(async () => {
    writePackages(join(home, 'packages'))
    const args = ['--packages', join(home, 'packages'), '--output-dir', site, '--offline', '--quiet']
    expect(await runCliWith(SRC, 'catalog', 'build', ...args)).toMatchObject({status: 0})
    const all = readdirSync(site, {recursive: true, encoding: 'utf8'}).filter(path => path.endsWith('.html'))
    pages = [...ALWAYS, ...drawn(all.sort().filter(path => !ALWAYS.includes(path)))]
    browser = await startBrowser(
      url => url.startsWith(`file://${site}/`) || url.startsWith('http://127.0.0.1:'),
    )
  })
  afterAll(async () => await browser.close())

  const open = async (path: string) => await browser.page.goto(`file://${join(site, path)}`)

  it('has pages that report nothing, load nothing else, never scroll sideways, and have no violation of axe', async () => {
    const wrong: unknown[] = []
    for (const path of pages) {
      await browser.page.setViewport({width: 320, height: 640})
      await open(path)
      const width = await browser.page.evaluate('document.documentElement.scrollWidth')
      await browser.page.setViewport({width: 1280, height: 900})
      const violations = await axeViolations(browser.page)
      const hasRun = await browser.page.evaluate('typeof hostile !== "undefined"')
      const problems = browser.problems()
      const isRight = width === 320 && isEmpty(violations) && hasRun === false && problems.length === 0
      if (!isRight) wrong.push({path, width, violations, hasRun, problems})
    }
    expect(wrong).toEqual([])
  })

  it('opens from a web server as well', async () => {
    const server = await serveFolder(site)
    for (const path of ['', ...ALWAYS]) await browser.page.goto(`${server.url}${path}`)
    expect(browser.problems()).toEqual([])
    server.close()
  })

  const search = async (text: string) =>
    (await browser.page.evaluate(`(async () => {
      const input = document.querySelector('#q')
      const results = document.querySelector('#results')
      const type = async text => {
        const start = performance.now()
        input.value = text
        input.dispatchEvent(new Event('input'))
        while (results.dataset.query !== text) await new Promise(resolve => setTimeout(resolve, 1))
        return performance.now() - start
      }
      input.focus()
      const times = []
      // Other programs run beside tests: the fastest of three.
      for (let round = 0; round < 3; round += 1) {
        await type('a')
        times.push(await type(${JSON.stringify(text)}))
      }
      const rows = [...results.querySelectorAll('a')].map(
        link => link.getAttribute('href') + ' ' + link.querySelector('.quiet').textContent,
      )
      return {milliseconds: Math.min(...times), rows}
    })()`)) as {milliseconds: number; rows: readonly string[]}

  it.each([
    {text: 'rook', row: 'provider-rook/v0.7.0/index.html package · ', what: 'a package'},
    {
      ...{text: 'cockroachclusters', what: 'a kind'},
      row: 'cockroachclusters.database.rook.crossplane.io.html kind · ',
    },
    {text: 'cidrBlock', row: '#field:', what: 'a field by a part of its name'},
    {
      ...{text: '__proto__', what: 'a field of any name, with its package'},
      row: 'dbs.hostile.example.org.html#field:__proto__ field of Db (dbs.hostile.example.org) in hostile',
    },
  ])('finds $what in 100 ms', async ({text, row}) => {
    await open('index.html')
    const {milliseconds, rows} = await search(text)
    expect(rows).toContainEqual(expect.stringContaining(row))
    expect(milliseconds).toBeLessThan(100)
  })

  it('says once how many other kinds have a field', async () => {
    await open('index.html')
    const {rows} = await search('spec')
    const own = rows.filter(row => row.includes('#field:spec '))
    const isLast = [false, false, false, false, true]
    expect(own.map(row => / · also in \d+ other kinds$/.test(row))).toEqual(isLast)
  })

  it('filters packages by a part of the name of a kind', async () => {
    await open('index.html')
    const shown = await browser.page.evaluate(`(() => {
      const input = document.querySelector('input[data-filter=kinds]')
      input.value = 'CockroachCl'
      input.dispatchEvent(new Event('input'))
      const cards = [...document.querySelectorAll('.card')].filter(card => card.checkVisibility())
      return [cards.map(card => card.querySelector('.sub').textContent), document.querySelector('#shown').textContent]
    })()`)
    expect(shown).toEqual([['provider-rook'], '1 package'])
    expect(browser.problems()).toEqual([])
  })

  it('opens the field of an address, wherever it is', async () => {
    await open('p/team_sql/v1.1.0/kinds/dbs.sql.example.org.html#v1.spec.tags[].key')
    const isShown = await browser.page.evaluate('document.querySelector(".found").checkVisibility()')
    expect(isShown).toBe(true)
  })

  it('has the fields of a section below its title, and no others', async () => {
    await open(SECTIONS)
    const form = await browser.page.evaluate(`(() => {
      const texts = selector => [...document.querySelectorAll(selector)].map(own => own.textContent)
      const fields = [...document.querySelectorAll('#form .entry > label')].map(label => {
        const section = label.closest('fieldset')?.querySelector('legend').textContent
        return [section, label.textContent].join(': ')
      })
      return {fields, help: texts('#form .entry .help')[0], problems: texts('.result .rules code')}
    })()`)
    expect(form).toEqual({
      fields: [
        ...['Name: Its name required', 'Name: namespace', 'Place: zone', 'Place: region'],
        ...[': color', 'Size: disk', ': size required', ': other'],
      ],
      help: expect.stringMatching(/^Of the team\.\nAt most 253 /),
      problems: ['metadata.name', 'spec.size'],
    })
    expect(browser.problems()).toEqual([])
  })

  it('reaches and fills a form with the keyboard alone', async () => {
    await open(FORM.replace('forms/', 'kinds/'))
    const {keyboard} = browser.page
    const tabTo = async (condition: string) => {
      for (let step = 0; step < 80; step += 1) {
        if ((await browser.page.evaluate(condition)) === true) return
        await keyboard.press('Tab')
      }
      throw new Error(`the keyboard does not reach ${condition}`)
    }
    await tabTo('document.activeElement.classList.contains("button")')
    await Promise.all([browser.page.waitForNavigation(), keyboard.press('Enter')])
    const label = (text: string) =>
      `document.activeElement.labels?.[0]?.textContent.startsWith(${JSON.stringify(text)}) === true`
    await tabTo(label('name'))
    await keyboard.type('my blog')
    expect(await browser.page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true')
    for (let letter = 0; letter < 5; letter += 1) await keyboard.press('Backspace')
    await keyboard.type('-blog')
    await tabTo(label('image'))
    await keyboard.type('wordpress:4.6')
    expect(await browser.page.evaluate('document.querySelector(".result code").textContent'))
      .toBe(`apiVersion: wordpress.apps.crossplane.io/v1alpha1
kind: WordpressInstance
metadata:
  name: my-blog
spec:
  provisionPolicy: ProvisionNewCluster
  image: "wordpress:4.6"
`)
    expect(await browser.page.evaluate('document.querySelector(".result [role=status]").textContent')).toBe(
      'Nothing is missing.',
    )
    expect(browser.problems()).toEqual([])
  })
})
