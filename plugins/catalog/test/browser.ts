import {createServer} from 'node:http'
import {readFile} from 'node:fs/promises'
import {createRequire} from 'node:module'
import type {AddressInfo} from 'node:net'
import {extname, join} from 'node:path'

const require = createRequire(import.meta.url)

/** What of puppeteer is used: its own types need those of the DOM, which the program must not see. */
export interface BrowserPage {
  goto(url: string): Promise<unknown>
  waitForNavigation(): Promise<unknown>
  evaluate(code: string): Promise<unknown>
  setViewport(size: {readonly width: number; readonly height: number}): Promise<void>
  on(event: string, act: (event: {text?(): string; url?(): string; message?: string}) => void): void
  readonly keyboard: {press(key: string): Promise<void>; type(text: string): Promise<void>}
}

/** A browser that runs, with one page. */
export interface RunningBrowser {
  readonly page: BrowserPage
  /** What pages reported since the last call: errors, messages of the console, and requests to other places. */
  problems(): readonly string[]
  close(): Promise<void>
}

interface Puppeteer {
  launch(options: object): Promise<{newPage(): Promise<BrowserPage>; close(): Promise<void>}>
}

const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
]

/** Starts Debian's Chromium. @param isOwn - whether a request is for a file of the site. */
export async function startBrowser(isOwn: (url: string) => boolean): Promise<RunningBrowser> {
  const {default: puppeteer} = (await import(require.resolve('puppeteer-core'))) as {default: Puppeteer}
  const browser = await puppeteer.launch({executablePath: '/usr/bin/chromium', headless: true, args: FLAGS})
  const page = await browser.newPage()
  let problems: string[] = []
  page.on('console', message => problems.push(`console: ${message.text?.() ?? ''}`))
  page.on('pageerror', ({message = ''}) => problems.push(`error: ${message}`))
  page.on('request', request => {
    const url = request.url?.() ?? ''
    if (!url.startsWith('data:') && !isOwn(url)) problems.push(`request: ${url}`)
  })
  return {
    page,
    problems: () => {
      const all = problems
      problems = []
      return all
    },
    close: async () => await browser.close(),
  }
}

/** What axe finds on a page: the ids of rules, each with the first place. */
export async function axeViolations(page: BrowserPage): Promise<unknown> {
  await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'))
  return await page.evaluate(
    `axe.run({preload: false}).then(({violations}) => violations.map(({id, nodes}) => id + ' ' + nodes[0].html.slice(0, 200)))`,
  )
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
}

/** Serves a folder on loopback, as static hosts do. */
export async function serveFolder(folder: string): Promise<{readonly url: string; close(): void}> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = path.endsWith('/') ? `${path}index.html` : path
    readFile(join(folder, decodeURIComponent(file))).then(
      bytes => response.writeHead(200, {'content-type': TYPES[extname(file)] ?? 'text/plain'}).end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  return {url: `http://127.0.0.1:${port}/`, close: () => server.close()}
}
