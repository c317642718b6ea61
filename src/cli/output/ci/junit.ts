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
    `  <testsuite name="${escaped(name)}" tests="${cases.length}" failures="${failures}">`,
    ...cases.flatMap(result => {
      const opening = `    <testcase name="${escaped(result.name)}" classname="${escaped(name)}"`
      if (result.passed) return [`${opening}/>`]
      const [first = 'failed', ...others] = result.lines
      const details = escaped([first, ...others].join('\n'))
      return [
        `${opening}>`,
        `      <failure message="${escaped(first)}">${details}</failure>`,
        '    </testcase>',
      ]
    }),
    '  </testsuite>',
    '</testsuites>',
  ])
}

const ENTITIES: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'}

/** Characters that XML 1.0 cannot hold are left out. */
function escaped(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- because XML 1.0 forbids these characters
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
      .replace(/[&<>"]/g, character => ENTITIES[character] ?? character)
  )
}
