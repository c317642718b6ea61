import {html, type Html, shortened} from '../html.js'
import {LIMITS} from '../limits.js'
import type {Site} from '../site-model.js'

/** A page: where it is, and its content. */
export interface Page {
  readonly path: string
  readonly title: string
  readonly main: Html
  /** The pages above it, with paths relative to the folder of the site. */
  readonly above?: readonly {readonly title: string; readonly path: string}[]
  /** Further scripts, by their names. */
  readonly scripts?: readonly string[]
  /** What search engines and links show. */
  readonly description?: string
}

/** Only files of the site are loaded; images are data. Nothing in a page is code. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"

/** Returns the relative path from a page to the folder of the site. */
export function rootOf(path: string): string {
  return '../'.repeat(path.split('/').length - 1)
}

/** Lays a page out. */
export function layOut({path, title, main, above = [], scripts = [], description}: Page, site: Site): string {
  const root = rootOf(path)
  const full = above.length === 0 && title === site.title ? title : `${title} · ${site.title}`
  return `<!doctype html>\n${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        ${description === undefined ? undefined : html`<meta name="description" content="${description}" /> `}
        <title>${shortened(full, 160)}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${root}site.css" />
        ${['site.js', ...scripts].map(name => html`<script src="${root}${name}" defer></script> `)}
      </head>
      <body data-root="${root}">
        <a class="skip" href="#main">Skip to content</a>
        <header class="top">
          <a class="brand" href="${root}index.html">${site.title}</a>
          <div class="search" role="search">
            <label class="hidden" for="q">Search</label>
            <input
              id="q"
              type="search"
              placeholder="Find packages, kinds, fields"
              autocomplete="off"
              spellcheck="false"
              aria-controls="results"
              aria-describedby="found"
            />
            <span id="found" class="hidden" role="status"></span>
            <ul id="results" class="results" hidden></ul>
          </div>
        </header>
        ${breadcrumb(above, title, root)}
        <main id="main" tabindex="-1">${main}</main>
        <footer class="bottom">Written by <code>kubectl crossplane catalog build</code></footer>
      </body>
    </html> `.markup
  }`
}

function breadcrumb(above: NonNullable<Page['above']>, title: string, root: string): Html | undefined {
  if (above.length === 0) return undefined
  return html`<nav class="trail" aria-label="Breadcrumb">
    <ol>
      ${above.map(page => html`<li><a href="${root}${page.path}">${shortened(page.title, 80)}</a></li>`)}
      <li aria-current="page">${shortened(title, 80)}</li>
    </ol>
  </nav> `
}

/** Returns the text of a badge, which is a word or two. */
export function badgeText(text: string): string {
  return shortened(text, 40)
}

const ICON = /^data:image\/(?:svg\+xml|png|jpe?g|gif|webp);base64,[A-Za-z0-9+/\s]+=*\s*$/

/** Returns an icon as an image, or the first letter of a name where there is none that can be shown. */
export function iconOf(uri: string, name: string, size: 'large' | 'small' | 'tiny' = 'small'): Html {
  if (isIcon(uri)) return html`<img class="icon ${size}" src="${uri.replace(/\s+/g, '')}" alt="" />`
  const letter = [...name.replace(/[^\p{L}\p{N}]+/gu, '')][0] ?? '?'
  const color = [...name].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % 6
  return html`<span class="icon ${size} tile color-${color}" aria-hidden="true"
    >${letter.toUpperCase()}</span
  >`
}

/** Reports whether an icon can be shown. */
export function isIcon(uri: string): boolean {
  return uri.length <= LIMITS.icon && ICON.test(uri)
}

/** Lines to copy; the button is added by the script. */
export function code(text: Html | string, label: string): Html {
  return html`<div class="code">
    <pre tabindex="0" aria-label="${label}"><code>${text}</code></pre>
  </div>`
}

/** A command line, whose words stay whole where they fit into a line. */
export function commandLine(text: string): Html {
  return html`${text.split(' ').map((word, index) => html`${index === 0 ? '' : ' '}<span class="word">${word}</span>`)}`
}

/** The length of a name that fits into a line of the narrowest screen. */
const LINE = 24

/** A name that continues in the next line after one of its parts, where it is longer than a line. */
export function dividedName(name: string): Html {
  if (name.length <= LINE) return html`${name}`
  return html`${name.split(/(?<=[./]|\p{Ll}(?=\p{Lu}))/u).map((part, index) => html`${index === 0 ? undefined : html`<wbr />`}${part}`)}`
}

/** A link to a web site; text for anything else. */
export function webLink(address: string): Html {
  const url = /^(?:[\w-]+\.)+[a-z]{2,}\//i.test(address) ? `https://${address}` : address
  if (!/^https?:\/\/[^\s]+$/.test(url)) return html`${address}`
  return html`<a href="${url}" rel="noopener noreferrer nofollow">${address.replace(/^https?:\/\//, '')}</a>`
}

/** A section with a heading that can be linked to; nothing if it has no content. */
export function section(
  id: string,
  title: string,
  content: Html | undefined,
  count?: number,
): Html | undefined {
  if (content === undefined) return undefined
  const number = count === undefined ? undefined : html` <span class="count">${count}</span>`
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}${number}</h2>
    ${content}
  </section> `
}
