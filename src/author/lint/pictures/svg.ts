import {isUtf8} from 'node:buffer'
import type {PictureFacts} from './picture.js'

/** An SVG's text without comments; undefined unless the bytes are text whose first element is an `svg`. */
export function svgText(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined
  const text = withoutComments(Buffer.from(bytes).toString('utf8'))
  const [, name] = /<([A-Za-z][\w:.-]*)/.exec(text) ?? []
  return name === 'svg' || name?.endsWith(':svg') === true ? text : undefined
}

/** Checks the text of an SVG, as `svgText` returns it. */
export function svgFacts(text: string): PictureFacts {
  const activity = ACTIVITIES.flatMap(({pattern, what}) => (pattern.test(text) ? [what] : []))
  return {
    ...(/(?:<\/[\w.-]*:?svg\s*|<[\w.-]*:?svg\b[^<>]*\/)>\s*$/.test(text)
      ? {}
      : {damage: 'its end is missing'}),
    ...(activity.length === 0 ? {} : {activity}),
  }
}

function withoutComments(text: string): string {
  let rest = text
  let kept = ''
  for (;;) {
    const start = rest.indexOf('<!--')
    const end = start === -1 ? -1 : rest.indexOf('-->', start)
    if (end === -1) return kept + rest
    kept += rest.slice(0, start)
    rest = rest.slice(end + '-->'.length)
  }
}

/** References within the image: parts of it, and embedded images. */
const OWN = String.raw`#|data:image/(?:png|jpeg|gif)[;,]`

const ACTIVITIES: readonly {readonly pattern: RegExp; readonly what: string}[] = [
  {pattern: /<(?:[\w.-]*:)?script\b/i, what: 'runs a script'},
  {pattern: /<(?:[\w.-]*:)?(?:foreignObject|iframe|embed|object)\b/i, what: 'embeds another document'},
  {pattern: /<[^<>]*\son[a-z]+\s*=/i, what: 'runs a script on an event'},
  {pattern: /<!ENTITY\b/i, what: 'defines entities'},
  {pattern: /<\?xml-stylesheet\b|@import\b/i, what: 'loads a style sheet'},
  {
    pattern: new RegExp(String.raw`\s(?:[\w.-]*:)?(?:href|src)\s*=\s*["'](?!\s*(?:${OWN}|["']))`, 'i'),
    what: 'refers to an external resource',
  },
  {
    pattern: new RegExp(String.raw`\burl\(\s*(?:["']|&quot;|&apos;|&#3[49];)?(?!\s*(?:${OWN}|["')&]))`, 'i'),
    what: 'draws with an external resource',
  },
]
