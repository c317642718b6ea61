import {lines} from '../text/lines.js'

/** The result of one test: the lines say why it failed. */
interface JunitCase {
  readonly name: string
  readonly passed: boolean
  readonly lines: readonly string[]
}

/** Formats the results of tests as JUnit XML, which CI systems show: https://github.com/testmoapp/junitxml. */
export function formatJunit(name: string, cases: readonly JunitCase[]): string {
  const failures = cases.filter(({passed}) => !passed).length
  return lines([
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${failures}">`,
    `  <testsuite name="${attribute(name)}" tests="${cases.length}" failures="${failures}">`,
    ...cases.flatMap(result => {
      const opening = `    <testcase name="${attribute(result.name)}" classname="${attribute(name)}"`
      if (result.passed) return [`${opening}/>`]
      const [first = 'failed', ...others] = result.lines
      const details = content([first, ...others].join('\n'))
      return [
        `${opening}>`,
        `      <failure message="${attribute(first)}">${details}</failure>`,
        '    </testcase>',
      ]
    }),
    '  </testsuite>',
    '</testsuites>',
  ])
}

/**
 * Formats text as an attribute: with its line feeds as references, because XML reads them as blanks, and a line of a log must
 * not begin within it.
 */
function attribute(text: string): string {
  return escaped(text).replace(/[\t\n\r]/g, referenceTo)
}

/** Formats text as content, whose lines stay lines. What a runner of GitHub reads as a command in one is written by references. */
function content(text: string): string {
  return escaped(text)
    .replace(/^(\s*):(?=:)/gm, `$1${referenceTo(':')}`)
    .replace(/\r/g, referenceTo)
}

/** What means something in XML, moves a cursor of a terminal, or hides or reorders other text. */
const UNSAFE = /[&<>"]|(?<=##)\[|[\x7f-\x9f]|[\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu

/** Characters that XML 1.0 cannot hold are left out. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex -- because XML 1.0 forbids these characters
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
      .replace(UNSAFE, character => ENTITIES[character] ?? referenceTo(character))
  )
}

const ENTITIES: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'}

function referenceTo(character: string): string {
  return `&#${character.codePointAt(0) ?? 0};`
}
