import {describe, expect, it} from '@jest/globals'
import {formatJunit} from '../../../../src/cli/shell/ci/junit.js'

const HOSTILE =
  'a\r\n::error::injected\n ::add-mask::x\u001b]0;t\u0007\u009b31m\u202e ##[error]x <&"> \ud800\ufffe\t\u2028'

/** Reads the texts of the document as an XML reader does. */
function read(document: string): readonly string[] {
  const texts = [...document.matchAll(/(?:name|message)="([^"]*)"|<failure [^>]*>([^<]*)</g)]
  return texts.map(([, attribute, content]) =>
    (attribute?.replaceAll('\n', ' ') ?? content ?? '')
      .replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&'),
  )
}

describe('JUnit XML of hostile texts', () => {
  const failed = {name: HOSTILE, passed: false, lines: [HOSTILE, ...HOSTILE.split('\n')]}
  const document = formatJunit(HOSTILE, [{name: HOSTILE, passed: true, lines: []}, failed])

  it('has no line that a runner of CI reads as a command, and no control characters', () => {
    expect(document.split('\n').filter(line => /^\s*::|##\[/.test(line))).toEqual([])
    expect(document).not.toMatch(/[^\P{Cc}\n\t]|[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u)
  })

  it('has the same texts for XML, but for what XML cannot hold', () => {
    // eslint-disable-next-line no-control-regex -- because XML 1.0 forbids these characters
    const held = HOSTILE.replace(/[\u001b\u0007\ufffe]/g, '').toWellFormed()
    expect(new Set(read(document))).toEqual(new Set([held, [held, ...held.split('\n')].join('\n')]))
  })
})
