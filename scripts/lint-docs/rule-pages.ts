import {EXAMPLE_APP, type LintExample, type LintRule} from '../../src/author/lint/lint-rule.js'
import {LINT_RULES} from '../../src/author/lint/lint-rules.js'
import {formatFindings} from '../../src/cli/output/show-lint.js'
import {lintExample} from './lint-example.js'

/** The pages under docs/lint, by file name: what each rule of lint looks for, with the examples it is tested with. */
export function rulePages(): ReadonlyMap<string, string> {
  const pages = LINT_RULES.map(rule => [`${rule.id}.md`, rulePage(rule)] as const)
  return new Map([['README.md', indexPage()], ...pages])
}

const MADE_FROM = '<!-- Made by `npm run docs:lint` from src/author/lint/rules; change it there. -->'

function indexPage(): string {
  const rows = LINT_RULES.map(({id, severity, title}) => `| [${id}](${id}.md) | ${severity} | ${title} |`)
  return `${MADE_FROM}

# The rules of lint

\`kubectl crossplane package lint\` looks for these. [../linting.md](../linting.md) says how to run it and what the
severities mean. Where an example shows no \`app.yaml\`, it has this one:

${fenced('yaml', EXAMPLE_APP)}
| rule | severity | finds |
|---|---|---|
${rows.join('\n')}
`
}

function rulePage(rule: LintRule): string {
  const {id, severity, title, why, advice, failing, passing} = rule
  return `${MADE_FROM}

# ${id}

${severity}: **${title}**

${why}

${advice}

## Found here

${exampleText(failing)}
${fenced('', findings(rule))}
## Not found here

${exampleText(passing)}`
}

/** What the rule itself says of its failing example; one line of many alike is enough. */
function findings({id, failing}: LintRule): string {
  const own = lintExample(failing).filter(({rule}) => rule === id)
  const report = {package: '', counts: {errors: 0, warnings: 0}, findings: own}
  return formatFindings(report, (_style, text) => text)
}

function exampleText({files, reference}: LintExample): string {
  const parts = Object.entries(files).map(([path, content]) => fileText(path, content))
  return [...(reference === undefined ? [] : [`As \`${reference}\`:\n`]), ...parts].join('\n')
}

function fileText(path: string, content: LintExample['files'][string]): string {
  if (content === null) return `No \`.registry/${path}\`.\n`
  const name = `\`.registry/${path}\``
  if (typeof content !== 'string')
    return `${name}, its bytes in base64:\n\n${fenced('', `${content.base64}\n`)}`
  return `${name}:\n\n${fenced(path.slice(path.lastIndexOf('.') + 1), shortened(content))}`
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\`\`\`\n`
}

const LONGEST_LINE = 120
const MOST_LINES = 40

/** Some examples are about being too large; and what is no text must not make the page none. */
function shortened(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const shown = lines.slice(0, lines.length > MOST_LINES ? 10 : MOST_LINES).map(shortenedLine)
  const left = lines.length - shown.length
  return `${[...shown, ...(left === 0 ? [] : [`… and ${left} more lines`])].join('\n')}\n`
}

function shortenedLine(line: string): string {
  const visible = line.replace(
    /\p{Cc}/gu,
    control => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  if (visible.length <= LONGEST_LINE) return visible
  return `${visible.slice(0, 60)}… (${visible.length} characters)`
}
