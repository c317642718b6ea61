import {lintExample} from '../../author/lint/lint-example.js'
import type {LintExample, LintRule} from '../../author/lint/lint-rule.js'
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
function reported({id, failing}: LintRule): string {
  const own = lintExample(failing).filter(({rule}) => rule === id)
  const report = {package: '', counts: {errors: 0, warnings: 0}, findings: own}
  return formatLint(report, (_style, text) => text)
}

function exampleText({files, reference}: LintExample): string {
  const parts = Object.entries(files).map(([path, content]) => fileText(path, content))
  return [...(reference === undefined ? [] : [`Pulled as \`${reference}\`:\n`]), ...parts].join('\n')
}

function fileText(path: string, content: LintExample['files'][string]): string {
  if (content === null) return `Without \`.registry/${path}\`.\n`
  const name = `\`.registry/${path}\``
  if (typeof content !== 'string')
    return `${name}, content in base64:\n\n${fenced('', `${content.base64}\n`)}`
  return `${name}:\n\n${fenced(path.slice(path.lastIndexOf('.') + 1), shortened(content))}`
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
