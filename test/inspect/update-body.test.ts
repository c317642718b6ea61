import {describe, expect, it} from '@jest/globals'
import {codeSpan, mergeRequestOptions, updateBody, withoutMentions} from '../../src/inspect/update-body.js'

const HOSTILE = [
  '@admin please `merge`',
  'closes #12',
  '![x](https://evil.example.org/x.png)',
  '``` \n</code><img src=https://evil.example.org>',
  '[link](javascript:alert(1))',
  '[x](//evil.example.org)',
  '![p](//evil.example.org/p.png)',
  '[x][y]\n\n[y]: //evil.example.org',
  'www.evil.example.org',
  '<img src=//evil.example.org>',
  'a\\n\\n@team [x](//evil.example.org)',
  '```\n# heading\n@team',
  '`` ` ``',
]

/** Removes what is in code, as CommonMark reads it. */
function outsideOfCode(markdown: string): string {
  const blocks = markdown.replaceAll(/^(`{3,})\w*\n[^]*?^\1$/gm, '')
  return blocks.replaceAll(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '')
}

const SUMMARY = {
  ...{packages: [], gained: [], lost: [], images: [], owners: [], mismatches: []},
  ...{crds: [], bindings: [], baseRoles: [], installs: []},
}

describe('the text of an update', () => {
  const hostileBody = (text: string) =>
    updateBody({
      packages: [{package: text, from: text, to: text}],
      summary: {...SUMMARY, gained: [text], owners: [{identity: text, groups: [text], before: text}]},
      impact: {
        findings: [],
        totals: {breaks: 0, lost: 0, unserved: 0, meaning: 0, convert: 0, unread: 0},
        read: {files: 0, objects: 0, judged: 0, others: 0},
        open: 1,
      } as unknown as NonNullable<Parameters<typeof updateBody>[0]['impact']>,
      warnings: [text],
      rollback: [text],
    })

  it.each(HOSTILE)('has the text of a package only in code: %j', text => {
    const body = hostileBody(text)
    const outside = outsideOfCode(body)
    expect(outside).not.toMatch(/[@[\]<]|#\d|evil|javascript/)
    expect(body).toContain('## Roll back')
  })

  it.each(HOSTILE)('has code spans that end where they are to: %j', text => {
    expect(outsideOfCode(`a ${codeSpan(text)} b`)).toBe('a  b')
  })

  it.each(HOSTILE)('has it only in code also where GitLab opens a request by a push: %j', text => {
    const options = mergeRequestOptions('main', {title: 'Upgrade a to v2', body: hostileBody(text)})
    expect(options.filter(option => option.includes('\n'))).toEqual([])
    const start = 'merge_request.description='
    const description = options.find(option => option.startsWith(start))?.slice(start.length) ?? ''
    // As GitLab reads it.
    const read = description.replaceAll('\\n', '\n')
    expect(outsideOfCode(read)).not.toMatch(/[@[\]<]|#\d|evil|javascript/)
    expect(read).toMatch(/^## Packages\n\n- `[^]*\n## Roll back\n\nOnce this is merged:\n\n`{3,}sh\n/)
    expect(options).toContain('merge_request.title=Upgrade a to v2')
  })

  it.each(HOSTILE)('has nothing that a host reads in a message: %j', text => {
    const inert = withoutMentions(`Upgrade x to v2\n\n${text}\n\nCrossplane-Package: x@sha256:ab\n`)
    expect(inert).not.toMatch(
      /[@#][\w]|:\/\/|\]\(|\]:|\]\[|www\.|<\w/.exec(inert.replace('x@sha256', ''))?.[0] ?? '\0',
    )
  })

  it('has messages without mentions, references and links, but with whole trailers', () => {
    const message = `Upgrade x to v2\n\n${HOSTILE.slice(0, 3).join('\n')} GH-12 team/x!3\n\nCrossplane-Digest: sha256:ab\nCrossplane-Package: x@sha256:ab\n`
    const inert = withoutMentions(message)
    expect(inert).not.toMatch(/@admin|#12|https:\/\/|GH-12|!3/)
    expect(inert.split('\n').slice(-4)).toEqual(message.split('\n').slice(-4))
  })

  it('is cut from its end where it is too long for a host, but names the packages', () => {
    const long = (name: string) =>
      Array.from({length: 300}, (_, index) => `${name}${index} ${'\u202e'.repeat(150)}`)
    const body = updateBody({
      packages: Array.from({length: 300}, (_, index) => ({package: `p${index}`, from: 'v1', to: 'v2'})),
      summary: {...SUMMARY, gained: long('gained')},
      warnings: long('warning'),
      rollback: long('rollback'),
    })
    expect(Buffer.byteLength(body) < 60_000).toBe(true)
    const lines = body.split('\n').map(line => line.slice(0, 40))
    expect(lines.slice(0, 3)).toEqual(['## Packages', '', '- `p0`: `v1` → `v2`'])
    expect(lines).toContain('- and 250 more')
    expect(lines).toContain('and 250 more')
    expect(lines.slice(-4)).toEqual([
      '## Roll back',
      '',
      expect.stringMatching(/^This is longer than a request can have/),
      '',
    ])
    const [one, two] = [1, 2].map(open =>
      updateBody({
        ...{packages: [], warnings: [], rollback: [], summary: SUMMARY},
        impact: {
          findings: [],
          totals: {breaks: 0, lost: 0, unserved: 0, meaning: 0, convert: 0, unread: 0},
          read: {files: 0, objects: 0, judged: 0, others: 0},
          open,
        } as unknown as NonNullable<Parameters<typeof updateBody>[0]['impact']>,
      }),
    )
    expect(one).toContain('- 1 effect on objects is not accepted.')
    expect(two).toContain('- 2 effects on objects are not accepted.')
  })
})
