import {describe, expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {dirname, join, normalize} from 'node:path'

/** The notes of benchmarks become part of docs/performance.md, with the links that are right there. */
const PAGES = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
})
  .stdout.trim()
  .split('\n')
  .filter(page => existsSync(page) && !page.startsWith('scripts/bench/notes/'))

describe('the links of the pages', () => {
  it.each(PAGES.map(page => ({page})))('$page links to pages and headings that exist', ({page}) => {
    expect(linksOf(page).filter(link => !leadsSomewhere(page, link))).toEqual([])
  })

  it('lead from the index of the documentation or CONTRIBUTING to every guide', () => {
    const linked = new Set(
      ['docs/README.md', 'CONTRIBUTING.md'].flatMap(page =>
        linksOf(page).map(link => normalize(join(dirname(page), link.split('#')[0] ?? ''))),
      ),
    )
    const guides = PAGES.filter(page => dirname(page) === 'docs' && page !== 'docs/README.md')
    expect(guides.length).toBeGreaterThan(20)
    expect(guides.filter(page => !linked.has(page))).toEqual([])
  })
})

/** The targets of links within the repository. Code is not read. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/```.*?```/gs, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter(link => !/^[a-z]+:/.test(link))
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(target)) return false
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(target).includes(anchor)
}

/** The anchors that GitHub gives headings, and the former ones, which a page keeps as `<a id="…">`. */
function anchorsOf(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8')
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
  return [...headings, ...[...text.matchAll(/^<a id="([^"]+)"><\/a>$/gm)].map(([, id = '']) => id)]
}
