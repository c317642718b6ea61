import MarkdownIt, {type RenderRule} from 'markdown-it'
import {escapeHtml, Html, withoutHidden} from './html.js'

const SAFE_LINK = /^(?:https?:\/\/|mailto:|#)/i

/** Formats Markdown of a package: without HTML, images are only named, and links lead to web sites or are left out. */
export function readMarkdown(text: string): Html {
  const markdown = new MarkdownIt({html: false, linkify: false, typographer: false})
  markdown.validateLink = url => SAFE_LINK.test(url.trim())
  const {rules} = markdown.renderer
  rules.image = (tokens, index) => {
    const alt = tokens[index]?.content ?? ''
    return alt === '' ? '' : `<span class="image">${escapeHtml(alt)}</span>`
  }
  rules.link_open = withRelation
  rules.heading_open = lowered
  rules.heading_close = lowered
  return new Html(markdown.render(withoutHidden(text)))
}

const withRelation: RenderRule = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet('rel', 'noopener noreferrer nofollow')
  return self.renderToken(tokens, index, options)
}

/** The page has headings above these, whose own levels may leave some out. */
const lowered: RenderRule = (tokens, index, options, _env, self) => {
  const token = tokens[index]
  if (token !== undefined) {
    if (token.nesting === 1) token.attrSet('class', `level-${token.tag}`)
    token.tag = 'h3'
  }
  return self.renderToken(tokens, index, options)
}
