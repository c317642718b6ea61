import {lintExample} from '../../author/lint/lint-example.js'
import type {LintExample, LintRule} from '../../author/lint/lint-rule.js'
import type {OwnedCrd} from '../../index/package-summary.js'
import {formatLint} from './show-lint.js'

/** The explanation of a rule as Markdown: a page of docs/lint, and the answer to `package lint --explain`. */
export function formatRule(rule: LintRule): string {
  const {id, severity, title, why, advice, failing, passing} = rule
  return `# ${id}

**${title}** (${severity})

${why}

${advice}

## Reported

${exampleText(failing)}
${fenced('', reported(rule))}
## Not reported

${exampleText(passing)}`
}

/** Returns the diagnostics of the rule for its failing example. */
function reported({id, severity, advice, failing, foundByEngine}: LintRule): string {
  const own =
    foundByEngine === undefined
      ? lintExample(failing).filter(({rule}) => rule === id)
      : [{...foundByEngine, rule: id, severity, advice}]
  const report = {package: '', counts: {errors: 0, warnings: 0}, findings: own}
  return formatLint(report, (_style, text) => text)
}

function exampleText({
  xpkg = {},
  baseLayers,
  files = {},
  templates = {},
  tests = {},
  provided = [],
  image,
  reference,
}: LintExample): string {
  const parts = [
    ...(baseLayers === undefined ? [] : [`In an image with ${baseLayers} marked layers.\n`]),
    ...Object.entries(xpkg).map(([path, text]) => xpkgText(path, text)),
    ...Object.entries(files).map(([path, content]) => fileText(path, content)),
    ...Object.entries(templates).map(([path, text]) => templateText(path, text)),
    ...Object.entries(tests).map(([name, text]) => testText(name, text)),
    ...provided.map(providedText),
    ...(image === undefined ? [] : [imageText(image)]),
  ]
  return [...(reference === undefined ? [] : [`Pulled as \`${reference}\`:\n`]), ...parts].join('\n')
}

function xpkgText(path: string, text: string): string {
  return `\`${path}\`:\n\n${fenced('yaml', shortened(text))}`
}

function fileText(path: string, content: NonNullable<LintExample['files']>[string]): string {
  if (content === null) return `Without \`.registry/${path}\`.\n`
  const name = `\`.registry/${path}\``
  if (typeof content !== 'string')
    return `${name}, content in base64:\n\n${fenced('', `${content.base64}\n`)}`
  return `${name}:\n\n${fenced(path.slice(path.lastIndexOf('.') + 1), shortened(content))}`
}

function templateText(path: string, text: string): string {
  return `\`${path}\` in the folder of the templates:\n\n${fenced('', shortened(text))}`
}

function testText(name: string, text: string): string {
  return `\`tests/${name}/cr.yaml\`:\n\n${fenced('yaml', shortened(text))}`
}

function providedText({plural, group, served}: OwnedCrd): string {
  return `With \`--packages\` or \`--index\`, in which a package serves \`${plural}.${group}\` as ${served.join(', ')}.\n`
}

function imageText({user, hasCopy}: NonNullable<LintExample['image']>): string {
  const name = user === '' ? 'no user' : `the user ${user}`
  return `In an image with ${name}, ${hasCopy ? 'and' : 'but without'} the program \`cp\`.\n`
}

/** A fenced block of Markdown. */
export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\`\`\`\n`
}

const MAX_LINE_LENGTH = 120
const MAX_LINES = 40

/** Shortens examples of files that are too large, and escapes control characters. */
function shortened(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const shown = lines.slice(0, lines.length > MAX_LINES ? 10 : MAX_LINES).map(shortenedLine)
  const left = lines.length - shown.length
  return `${[...shown, ...(left === 0 ? [] : [`… and ${left} more lines`])].join('\n')}\n`
}

function shortenedLine(line: string): string {
  const visible = line.replace(
    /\p{Cc}/gu,
    control => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  if (visible.length <= MAX_LINE_LENGTH) return visible
  return `${visible.slice(0, 60)}… (${visible.length} characters)`
}
