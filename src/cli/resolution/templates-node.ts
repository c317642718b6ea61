import type {TemplateStack} from '../../locate/template-stack.js'
import {coverInWords, isCovered} from '../shell/text/cover-in-words.js'
import type {DrawnNode} from '../shell/text/draw-tree.js'
import type {Paint} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'

/** Draws the templates of a template stack: what they are applied for, and below it the kinds that they create. */
export function templatesNode(
  {engine, for: watched, creates = [], unread}: TemplateStack,
  paint: Paint,
): DrawnNode {
  const kinds = unread === undefined ? '' : `, kinds unknown: ${unread}`
  const text = plainText(`${engine} templates for each ${watched.kind} of ${watched.apiVersion}${kinds}`)
  const children = creates.map(created => {
    const {kind, apiVersion, files} = created
    const name = kind === undefined ? files.join(', ') : `${kind} of ${apiVersion ?? ''}`
    const words = plainText(coverInWords(created))
    return {
      text: `${plainText(name, MAX_NAME)}: ${isCovered(created) ? words : paint('red', words)}`,
      children: [],
    }
  })
  return {text, children}
}

const MAX_NAME = 160
